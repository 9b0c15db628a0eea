# find_package(warpaes): the target warpaes::warpaes. There are no components.
foreach(warpaes_component IN LISTS warpaes_FIND_COMPONENTS)
  if(warpaes_FIND_REQUIRED_${warpaes_component})
    set(warpaes_FOUND FALSE)
    set(warpaes_NOT_FOUND_MESSAGE "it has no components, and one is asked for: ${warpaes_component}")
    return()
  endif()
endforeach()
unset(warpaes_component)

include("${CMAKE_CURRENT_LIST_DIR}/warpaesTargets.cmake")

# The C API is C99; warpaes.hpp, for those who compile C++, needs C++20.
get_property(warpaes_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("CXX" IN_LIST warpaes_languages)
  set_property(TARGET warpaes::warpaes APPEND PROPERTY INTERFACE_COMPILE_FEATURES cxx_std_20)
endif()
unset(warpaes_languages)
