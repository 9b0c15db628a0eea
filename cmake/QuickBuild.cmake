# What makes builds quicker. CMakeLists.txt includes this before there are any targets.

# Several sources are compiled as one where most of the time of each goes into what it includes. (The tool does so in
# cli/CMakeLists.txt.) Names in unnamed namespaces have to differ between neighbours: a file that the compiler says
# has a name of another one is named here, and stays alone.

# warpaes_leave_alone(target folder file…)
function(warpaes_leave_alone target folder)
  list(TRANSFORM ARGN PREPEND "${CMAKE_SOURCE_DIR}/${folder}/" OUTPUT_VARIABLE files)
  set_source_files_properties(${files} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# warpaes_join_files(target folder file…): these are compiled as one, and no others of the target but of other calls
function(warpaes_join_files target folder)
  list(TRANSFORM ARGN PREPEND "${CMAKE_SOURCE_DIR}/${folder}/" OUTPUT_VARIABLE files)
  list(GET ARGN 0 first)
  set_source_files_properties(${files} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${folder}/${first}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# warpaes_join_folders(target folder…): all files of each folder are compiled as one
function(warpaes_join_folders target)
  get_target_property(sources ${target} SOURCES)
  foreach(folder IN LISTS ARGN)
    set(files)
    foreach(source IN LISTS sources)
      cmake_path(GET source PARENT_PATH parent)  # not by a regular expression: these sources may lie in a folder c++
      cmake_path(GET source FILENAME name)
      if(parent STREQUAL "${CMAKE_SOURCE_DIR}/${folder}" AND name MATCHES "\\.cpp$")
        list(APPEND files ${name})
      endif()
    endforeach()
    warpaes_join_files(${target} ${folder} ${files})
  endforeach()
endfunction()

# Test programs of several files: each would read the precompiled header again, and make the same of its templates.
function(warpaes_join_tests)
  set(targets cipher_batches_test container cplusplus_face_test emulated_gpu_test pipeline_test secret_memory_test
              warpaes_conformance_parts_test warpaes_device_calls warpaes_primitives_test)
  warpaes_leave_alone(cplusplus_face_test tests/c_api cplusplus_face_test.cpp)
  warpaes_leave_alone(emulated_gpu_test tests/emulated_gpu few_long_messages_test.cpp listed_test.cpp ragged_test.cpp)
  set_target_properties(${targets} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  warpaes_join_files(c_api_test tests/c_api batch_entries_test.cpp arranged_batch.cpp batch_misuse_test.cpp
                     calibration_test.cpp container_read_test.cpp)
  warpaes_join_files(c_api_test tests/c_api batches_test.cpp container_misuse_test.cpp container_test.cpp
                     context_test.cpp mode_test.cpp passphrase_test.cpp)
  warpaes_join_files(c_api_test tests/c_api message_misuse_test.cpp shared_library_test.cpp status_test.cpp
                     structure_sizes_test.cpp)
endfunction()

function(warpaes_join_sources)
  # What tests put something of their own in place of, or link without all else, stays as it is: src/device, src/engines,
  # src/process, and the transfers.
  set(targets warpaes warpaes_bench)
  if(NOT WARPAES_BUILT_KERNELS)
    # Four at a time, but for those with options of their own, and for launch.cu, which asks another file for a kernel
    # and must not make it.
    warpaes_leave_alone(warpaes_kernels src/kernels launch.cu)
    set_target_properties(warpaes_kernels PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  endif()
  warpaes_join_folders(warpaes_core src/container src/derivation src/modes src/operations src/pipeline src/runtime)
  warpaes_leave_alone(warpaes_core src container/device_chunks.cpp modes/cfb.cpp modes/cipher_composed.cpp
                      modes/mode_table.cpp pipeline/staged_rows.cpp
                      pipeline/transfer_pipeline.cpp pipeline/transfer_pool.cpp runtime/host_messages.cpp)
  if(BUILD_TESTING)
    warpaes_join_tests()
    list(APPEND targets warpaes_conformance_parts)
    foreach(target IN ITEMS warpaes_conformance warpaes_conformance_parts)
      target_compile_options(${target} PRIVATE ${WARPAES_OPTIONS_OF_TESTS})
    endforeach()
    warpaes_leave_alone(warpaes_conformance_parts tests/conformance generated_batches.cpp random_cases.cpp
                        wycheproof_cases.cpp)
  endif()
  if(WARPAES_LAB)
    list(APPEND targets warpaes_lab warpaes_lab_report)
    warpaes_leave_alone(warpaes_lab lab key_byte_attack.cpp key_byte_trial.cpp)
    # What studies have in common. They themselves give the same names to what differs.
    warpaes_join_files(warpaes_lab_studies lab/studies energy_meter.cpp key_byte.cpp lesson_place.cpp
                       openssl_program_place.cpp row_measurement.cpp study_lines.cpp study_run.cpp study_table.cpp
                       workers.cpp)
  endif()
  set_target_properties(${targets} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
endfunction()

if(WARPAES_UNITY)
  cmake_language(DEFER CALL warpaes_join_sources)
endif()

# Half of the time that tests take under sanitizers would be AES on the CPU without its instructions, the expansion of its
# keys, and threads of the emulated GPU taking turns, at the level of optimisation that is for debugging. What sanitizers
# look for, they look for at any level. They do not look into the turns themselves: each of a kernel's shuffles is 32 of
# them, and a third of the time of some tests would be checks of them. Kernels, which run between the turns, are checked.
function(warpaes_optimise_what_tests_repeat)
  set(files primitives/host_gf128.cpp primitives/key_schedule.cpp)
  set(rounds primitives/fips197_rounds.cpp engines/portable/portable_engine.cpp)
  list(TRANSFORM files PREPEND "${CMAKE_SOURCE_DIR}/src/")
  list(TRANSFORM rounds PREPEND "${CMAKE_SOURCE_DIR}/src/")
  set_source_files_properties(${files} TARGET_DIRECTORY warpaes_core PROPERTIES COMPILE_OPTIONS -O2)
  # Loops that are unrolled need no checks of their constant indices, which halves the time of a block.
  set_source_files_properties(${rounds} TARGET_DIRECTORY warpaes_core PROPERTIES COMPILE_OPTIONS -O3)
  set(turns "${CMAKE_SOURCE_DIR}/src/emulated_gpu/emulated_grid.cpp")
  set_source_files_properties(${turns} TARGET_DIRECTORY warpaes_emulated_grid PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize=all")
  if(WARPAES_SANITIZE MATCHES "address")
    set_property(SOURCE ${turns} TARGET_DIRECTORY warpaes_emulated_grid APPEND PROPERTY COMPILE_DEFINITIONS WARPAES_FIBERS_UNDER_ASAN)
  endif()
  if(WARPAES_LAB)  # the attack on a byte of the key counts the passes of each warp for all 256 guesses
    set(attack "${CMAKE_SOURCE_DIR}/lab/bank_conflicts.cpp" "${CMAKE_SOURCE_DIR}/lab/key_byte_attack.cpp")
    set_source_files_properties(${attack} TARGET_DIRECTORY warpaes_lab PROPERTIES COMPILE_OPTIONS -O3)
  endif()
endfunction()

# A file of all kernels on the emulated GPU takes more than a minute to compile under sanitizers: that is the code that is
# made. ASan does what the stack protector does, and it sees each access by a null pointer or outside of an object, which
# these parts of UBSan would see before it. The rest only changes how the compiler works.
function(warpaes_make_less_code_of_emulated_kernels)
  set(files "${CMAKE_SOURCE_DIR}/tests/emulated_gpu/emulated_engines.cpp" "${CMAKE_SOURCE_DIR}/tests/emulated_gpu/emulated_two_tables.cpp")
  set_source_files_properties(${files} TARGET_DIRECTORY warpaes_emulated_gpu PROPERTIES COMPILE_OPTIONS
    "-fno-stack-protector;-fno-sanitize=null,object-size,pointer-overflow,vptr;$<$<BOOL:${WARPAES_HAVE_CONTROL_FLOW_PROTECTION}>:-fcf-protection=none>;$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=400>")
endfunction()

if(WARPAES_SANITIZE)
  cmake_language(DEFER CALL warpaes_optimise_what_tests_repeat)
  if(BUILD_TESTING)
    cmake_language(DEFER CALL warpaes_make_less_code_of_emulated_kernels)
  endif()
endif()
