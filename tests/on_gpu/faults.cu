#include <cuda_runtime.h>

#include <cstdint>

#include "faults.hpp"

namespace warpaes::core::testing {
namespace {

__global__ void write_at(uint64_t address) { *reinterpret_cast<volatile uint32_t*>(address) = 1; }
__global__ void trap() { asm volatile("trap;"); }

cudaError_t illegal_address() {
  write_at<<<1, 1>>>(64);
  return cudaDeviceSynchronize();
}

cudaError_t misaligned_address() {
  void* memory = nullptr;
  if (cudaMalloc(&memory, 64) != cudaSuccess) return cudaSuccess;
  write_at<<<1, 1>>>(reinterpret_cast<uint64_t>(memory) + 1);
  return cudaDeviceSynchronize();
}

cudaError_t illegal_instruction() {
  trap<<<1, 1>>>();
  return cudaDeviceSynchronize();
}

}  // namespace

bool load_faults() {
  cudaFuncAttributes attributes;
  return cudaFree(nullptr) == cudaSuccess && cudaFuncGetAttributes(&attributes, write_at) == cudaSuccess &&
         cudaFuncGetAttributes(&attributes, trap) == cudaSuccess;
}

const Fault kFaultTable[kFaults] = {{"a write to an illegal address", illegal_address},
                                    {"a misaligned write", misaligned_address},
                                    {"a trap", illegal_instruction}};

}  // namespace warpaes::core::testing
