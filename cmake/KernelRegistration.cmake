# Kernels that are registered on demand: src/kernels/registration.hpp. A section whose name is an identifier gets symbols
# for its ends from the linker.
function(warpaes_register_on_demand library)
  if(WARPAES_SANITIZE)
    return() # sanitizers have functions in that array, too, and theirs come first
  endif()
  add_custom_command(
    TARGET ${library} POST_BUILD
    COMMAND "${CMAKE_OBJCOPY}" --rename-section .init_array=warpaes_registration,alloc,load,data,contents
            "$<TARGET_FILE:${library}>"
    VERBATIM)
endfunction()
