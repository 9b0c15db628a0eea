// A program with faults for the tools that must find them. compute-sanitizer has to report each of them;
// otherwise it would mean nothing that it reports none in the real kernels.
// planted_gpu_faults memcheck    writes one word past the end of device memory
// planted_gpu_faults racecheck   reads shared memory that other threads write, without a barrier
// planted_gpu_faults initcheck   reads device memory that nobody has written
// planted_gpu_faults synccheck   has a barrier that half of a warp does not reach
// planted_gpu_faults conflicts   reads words of one bank with all lanes at once
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

__global__ void read_what_nobody_wrote(unsigned* words) {
  if (words[threadIdx.x] == 1) words[threadIdx.x] = 2;
}

__global__ void wait_in_half_a_warp(unsigned* words) {
  if (threadIdx.x < kThreads - 16) __syncthreads();
  words[threadIdx.x] = threadIdx.x;
}

__global__ void read_one_bank(unsigned* words) {
  __shared__ unsigned shared[32 * 32];
  for (unsigned i = threadIdx.x; i < 32 * 32; i += kThreads) shared[i] = i * words[0];
  __syncthreads();
  words[threadIdx.x] = shared[threadIdx.x % 32 * 32];
}

struct Fault {
  const char* name;
  void (*kernel)(unsigned* words);
};

constexpr Fault kFaults[] = {{"memcheck", write_past_the_end},
                             {"racecheck", read_without_a_barrier},
                             {"initcheck", read_what_nobody_wrote},
                             {"synccheck", wait_in_half_a_warp},
                             {"conflicts", read_one_bank}};

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
  std::fprintf(stderr, "usage: planted_gpu_faults memcheck|racecheck|initcheck|synccheck|conflicts\n");
  return 2;
}
