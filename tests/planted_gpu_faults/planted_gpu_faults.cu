// A program with faults, for the tools that must find them: compute-sanitizer has to report each, or
// its silence about the real kernels would mean nothing.
//   planted_gpu_faults memcheck    writes one word past the end of device memory
//   planted_gpu_faults racecheck   reads shared memory that other threads write, without a barrier
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int kThreads = 256;

__global__ void write_past_the_end(unsigned* words) { words[threadIdx.x + 1] = threadIdx.x; }

__global__ void read_without_a_barrier(unsigned* words) {
  __shared__ unsigned shared[kThreads];
  shared[threadIdx.x] = threadIdx.x;
  words[threadIdx.x] = shared[kThreads - 1 - threadIdx.x];
}

struct Fault {
  const char* name;
  void (*kernel)(unsigned* words);
};

constexpr Fault kFaults[] = {{"memcheck", write_past_the_end}, {"racecheck", read_without_a_barrier}};

}  // namespace

int main(int count, char** arguments) {
  for (const Fault& fault : kFaults) {
    if (count != 2 || std::strcmp(arguments[1], fault.name) != 0) continue;
    unsigned* words = nullptr;
    if (cudaMalloc(&words, kThreads * sizeof *words) != cudaSuccess) return 3;
    fault.kernel<<<1, kThreads>>>(words);
    const cudaError_t result = cudaDeviceSynchronize();
    std::printf("%s: %s\n", fault.name, cudaGetErrorString(result));
    return 0;  // the tool's verdict is asked for, not this program's
  }
  std::fprintf(stderr, "usage: planted_gpu_faults memcheck|racecheck\n");
  return 2;
}
