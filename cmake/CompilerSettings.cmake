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

if(WARPAES_SANITIZE)
  # One -fsanitize= each, as nvcc splits arguments at commas. -fno-sanitize-recover: undefined behaviour
  # fails the test, not just prints. -fno-sanitize=enum: a C caller may pass any int, which the C ABI looks
  # at to refuse it.
  string(REPLACE "," ";" sanitize "${WARPAES_SANITIZE}")
  list(TRANSFORM sanitize PREPEND "-fsanitize=")
  list(APPEND sanitize -fno-sanitize-recover=all -fno-sanitize=enum -fno-omit-frame-pointer)
  list(TRANSFORM sanitize PREPEND "-Xcompiler=" OUTPUT_VARIABLE sanitize_for_nvcc)
  target_compile_options(warpaes_settings INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${sanitize}>"
                                                    "$<$<COMPILE_LANGUAGE:CUDA>:${sanitize_for_nvcc}>")
  target_link_options(warpaes_settings INTERFACE ${sanitize})
endif()
