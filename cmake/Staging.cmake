# What ./dev stages. Each part is a target that builds it; what is installed are components, which are packages, too:
#   product    library, development (what its users compile against) and tool (the program warpaes)
#   lab        lab: the program warpaes-lab
#   python     python: the Python package, with WARPAES_PYTHON
#   checks     checks: what ./dev test runs without sanitizers, and programs that no other part of CI would compile
#   gpu_tests  gpu_tests: what ./dev gpu runs besides on a machine with a GPU
foreach(part IN ITEMS product lab python checks gpu_tests)
  add_custom_target(${part})
endforeach()

# warpaes_install_program(target part [COMPONENT name] [TO_USERS]): into bin/ what users type, into libexec/warpaes/ all
# else. The component has the part's name if no other is given.
function(warpaes_install_program target part)
  cmake_parse_arguments(PARSE_ARGV 2 program "TO_USERS" "COMPONENT" "")
  if(NOT program_COMPONENT)
    set(program_COMPONENT ${part})
  endif()
  set(folder "${CMAKE_INSTALL_LIBEXECDIR}/warpaes")
  set(to_libraries "../../${CMAKE_INSTALL_LIBDIR}")
  if(program_TO_USERS)
    set(folder "${CMAKE_INSTALL_BINDIR}")
    set(to_libraries "../${CMAKE_INSTALL_LIBDIR}")
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
  install(TARGETS ${target} RUNTIME DESTINATION "${folder}" COMPONENT ${program_COMPONENT})
  add_dependencies(${part} ${target})
endfunction()
