# How every target of the project is compiled: interface target warpaes_settings.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# -Wextra and -Wshadow go to nvcc's host compiler as well; -Wpedantic cannot, as nvcc's generated code
# uses GNU line markers. nvcc has warnings of its own, made errors by -Werror all-warnings.
set(warnings -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wundef -Wcast-qual -Wformat=2)
list(JOIN warnings "," warnings_for_nvcc)
add_library(warpaes_settings INTERFACE)
target_compile_options(warpaes_settings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${warnings};-Werror>
  $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-Wshadow;-Werror>
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${warnings_for_nvcc};-Werror=all-warnings>")

# Hardening, of programs and libraries alike; tests/packaging/test_hardening.py reads it out of what is staged. What is
# linked is bound at start-up and read-only from then on: lazy binding would also save registers, which hold keys, on
# the stack of the thread that makes the first call. CUDA's runtime library is not made for control-flow enforcement
# (CET), so the linker cannot mark the whole for it; the project's own code is ready.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
if(NOT CMAKE_CXX_LINK_PIE_SUPPORTED)
  message(FATAL_ERROR "This compiler cannot make position-independent executables")
endif()
set(hardening -fstack-protector-strong)
check_cxx_compiler_flag(-fcf-protection=full WARPAES_HAVE_CONTROL_FLOW_PROTECTION)
if(WARPAES_HAVE_CONTROL_FLOW_PROTECTION)
  list(APPEND hardening -fcf-protection=full)
endif()
list(TRANSFORM hardening PREPEND "-Xcompiler=" OUTPUT_VARIABLE hardening_for_nvcc)
target_compile_options(warpaes_settings INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${hardening}>"
                                                  "$<$<COMPILE_LANGUAGE:CUDA>:${hardening_for_nvcc}>")
target_link_options(warpaes_settings INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)

# What is started for every file, and the library that it loads, have the C++ library inside: the loader has 3000 symbols
# of the shared one to look up, which takes a tenth of the time of a short file (docs/design/files.md). Exceptions do not
# pass between the two. Under sanitizers there has to be one C++ library in a process.
add_library(warpaes_cplusplus_inside INTERFACE)
if(NOT WARPAES_SANITIZE)
  # Of such a library, most is called by nobody.
  target_link_options(warpaes_cplusplus_inside INTERFACE -static-libstdc++ -static-libgcc -Wl,--gc-sections)
endif()

# Buffers whose size the compiler knows are checked by the C library. That needs optimisation, and sanitizers do more.
# Level 3 (sizes that are known only at run time) came with GCC 12 and clang 9.
set(fortify 2)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  set(fortify 3)
endif()
if(NOT WARPAES_SANITIZE)
  target_compile_options(warpaes_settings INTERFACE
    "$<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify}>")
endif()

# Machine code for GPUs is nearly all of the library's size.
if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(warpaes_settings INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>")
endif()

if(WARPAES_SANITIZE)
  # One -fsanitize= each, as nvcc splits arguments at commas. -fno-sanitize-recover: undefined behaviour
  # fails the test, not just prints. -fno-sanitize=enum: a C caller may pass any int, which the C ABI looks
  # at to refuse it. -Wno-maybe-uninitialized: GCC's manual says that sanitizers bring false positives of it,
  # and std::regex has some; the ordinary build has the warning.
  string(REPLACE "," ";" sanitize "${WARPAES_SANITIZE}")
  list(TRANSFORM sanitize PREPEND "-fsanitize=")
  list(APPEND sanitize -fno-sanitize-recover=all -fno-sanitize=enum -fno-omit-frame-pointer
              -Wno-maybe-uninitialized)
  list(TRANSFORM sanitize PREPEND "-Xcompiler=" OUTPUT_VARIABLE sanitize_for_nvcc)
  target_compile_options(warpaes_settings INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${sanitize}>"
                                                    "$<$<COMPILE_LANGUAGE:CUDA>:${sanitize_for_nvcc}>")
  target_link_options(warpaes_settings INTERFACE ${sanitize})
endif()
