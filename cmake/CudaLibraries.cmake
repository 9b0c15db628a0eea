# CMake reads from what nvcc prints where nvcc's own libraries are, and cuts that off at the first space. Programs that
# have CUDA objects inside would not be linked in a folder whose name has one.
if(CMAKE_CUDA_COMPILER MATCHES " ")
  string(REGEX REPLACE " .*" "" cut_off "${CMAKE_CUDA_COMPILER}")
  list(REMOVE_ITEM CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES "${cut_off}")
  list(APPEND CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES "${CUDAToolkit_LIBRARY_DIR}")
endif()
