#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "device_memory_scan.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint32_t kThreads = 256, kBlocks = 2048, kFilterBits = 1 << 16;

void require(cudaError_t result, const char* what) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(result));
}

__global__ void count_differing(const uint8_t* memory, uint64_t bytes, uint32_t value,
                                unsigned long long* count) {
  const auto* words = reinterpret_cast<const uint32_t*>(memory);
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned long long differ = 0;
  for (uint64_t i = thread; i < bytes / 4; i += step) differ += words[i] != value;
  if (thread < bytes % 4) differ += memory[bytes / 4 * 4 + thread] != (value & 0xff);
  if (differ != 0) atomicAdd(count, differ);
}

/// One bit for each value of a word's low 16 bits with which a needle begins: few words pass.
__global__ void find(const uint32_t* words, uint64_t count, const Needle* needles, uint32_t needle_count,
                     Finding* finding) {
  __shared__ uint32_t filter[kFilterBits / 32];
  for (uint32_t i = threadIdx.x; i < kFilterBits / 32; i += blockDim.x) filter[i] = 0;
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < needle_count; i += blockDim.x) {
    const uint32_t hash = needles[i].first & (kFilterBits - 1);
    atomicOr(&filter[hash / 32], 1u << hash % 32);
  }
  __syncthreads();
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i + 1 < count; i += step) {
    const uint32_t word = words[i], hash = word & (kFilterBits - 1);
    if ((filter[hash / 32] >> hash % 32 & 1) == 0) continue;
    for (uint32_t n = 0; n < needle_count; n++) {
      if (needles[n].first != word || needles[n].second != words[i + 1]) continue;
      atomicAdd(reinterpret_cast<unsigned long long*>(&finding->hits), 1ull);
      finding->place = 4 * i;
      finding->needle = n;
    }
  }
}

/// Device memory for what a kernel is told and tells.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(size_t count) { require(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc"); }
  ~OnDevice() {
    cudaMemset(data_, 0, sizeof(T));
    cudaFree(data_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

}  // namespace

uint64_t count_words_that_differ(const uint8_t* memory, uint64_t bytes, uint32_t value) {
  const OnDevice<unsigned long long> count(1);
  require(cudaMemset(count.get(), 0, sizeof(uint64_t)), "cudaMemset");
  count_differing<<<kBlocks, kThreads>>>(memory, bytes, value, count.get());
  unsigned long long found = 0;
  require(cudaMemcpy(&found, count.get(), sizeof found, cudaMemcpyDeviceToHost), "counting");
  return found;
}

Finding look_for(std::span<const Needle> needles, const uint8_t* memory, uint64_t bytes) {
  static const OnDevice<Needle> on_device(kMaxNeedles);  // made before all memory is taken
  static const OnDevice<Finding> finding(1);
  if (needles.size() > kMaxNeedles) throw std::invalid_argument("too many needles");
  require(cudaMemcpy(on_device.get(), needles.data(), needles.size_bytes(), cudaMemcpyHostToDevice),
          "needles");
  require(cudaMemset(finding.get(), 0, sizeof(Finding)), "cudaMemset");
  find<<<kBlocks, kThreads>>>(reinterpret_cast<const uint32_t*>(memory), bytes / 4, on_device.get(),
                              static_cast<uint32_t>(needles.size()), finding.get());
  Finding found{};
  require(cudaMemcpy(&found, finding.get(), sizeof found, cudaMemcpyDeviceToHost), "looking");
  require(cudaMemset(on_device.get(), 0, needles.size_bytes()), "wiping the needles");
  return found;
}

}  // namespace warpaes::core::testing
