# Headers that are read once for many sources, which is a fifth of the time that a test takes to compile. A source
# still names every header that it uses: clang-tidy reads it without these (devtools/tidy.py).
#
# GCC takes a precompiled header only where the options are those that it was made with. Programs are compiled with
# -fPIE; CMake would compile a library, for whose one empty source the header is made, with -fPIC.

# warpaes_test_headers: GoogleTest, the C API, and what nearly every test needs of the standard library. Test programs
# say target_precompile_headers(… REUSE_FROM warpaes_test_headers), and have the same options.
function(warpaes_add_test_headers)
  set(empty "${CMAKE_BINARY_DIR}/test_headers.cpp")
  file(GENERATE OUTPUT "${empty}" CONTENT "// Only the precompiled header beside this file matters.\n")
  add_library(warpaes_test_headers OBJECT EXCLUDE_FROM_ALL "${empty}")
  set_target_properties(warpaes_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(warpaes_test_headers PRIVATE -fPIE ${ARGN})
  target_include_directories(warpaes_test_headers PRIVATE "${CMAKE_SOURCE_DIR}/include")
  target_link_libraries(warpaes_test_headers PRIVATE warpaes_settings GTest::gtest)
  target_precompile_headers(warpaes_test_headers PRIVATE
    <gtest/gtest.h> <algorithm> <array> <optional> <span> <string> <vector>
    "${CMAKE_SOURCE_DIR}/include/warpaes/warpaes.h")
endfunction()
