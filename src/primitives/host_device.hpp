// Functions of src/primitives compile for the CPU and, under nvcc, for the GPU as well.
#pragma once

#if defined(__CUDACC__)
#define WARPAES_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define WARPAES_HOST_DEVICE inline
#endif
