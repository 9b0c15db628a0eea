// Functions of src/primitives and kernel bodies compile for the CPU and, under nvcc, for the GPU too.
#pragma once

#if defined(__CUDACC__)
#define WARPAES_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define WARPAES_HOST_DEVICE inline
#endif

// Loops that a kernel needs unrolled (its arrays are registers), or kept rolled (the instruction cache
// is small). The CPU's compiler does as it likes.
#if defined(__CUDA_ARCH__)
#define WARPAES_UNROLL _Pragma("unroll")
#define WARPAES_KEEP_ROLLED _Pragma("unroll 1")
#else
#define WARPAES_UNROLL
#define WARPAES_KEEP_ROLLED
#endif
