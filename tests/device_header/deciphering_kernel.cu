#include <memory>
#include <stdexcept>
#include <string>

#include "deciphering_kernel.hpp"
#include "warpaes/device.cuh"

namespace warpaes::testing {
namespace {

namespace aes = warpaes::device;

constexpr uint32_t kBlocks = 33, kThreads = 96;

/// @param before the ciphertext, one block earlier: the initialization vector and what follows. Null for ECB
template <int KeyBits, int Tables>
__global__ void decipher(const uint4* sealed, const uint4* before, uint4* opened, uint32_t blocks,
                         const __grid_constant__ aes::InverseKey<KeyBits> key) {
  // cut for docs/own_kernels.md: the inverse cipher
  using Inverse = aes::InverseAes<KeyBits, Tables>;
  extern __shared__ __align__(128) uint8_t tables[];
  Inverse::fill(tables, threadIdx.x, blockDim.x);
  __syncthreads();
  const Inverse inverse(tables, key, threadIdx.x % 32);
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < blocks; i += gridDim.x * blockDim.x) {
    aes::Block block = inverse.decrypt(aes::load(sealed + i));
    if (before != nullptr) block = block ^ aes::load(before + i);  // CBC; without it, ECB
    aes::store(opened + i, block);
  }
  // end of the cut
}

void require(cudaError_t result, const char* what) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(result));
}

std::shared_ptr<uint4> device_memory(size_t bytes) {
  void* memory = nullptr;
  require(cudaMalloc(&memory, bytes), "cudaMalloc");
  return {static_cast<uint4*>(memory), cudaFree};
}

template <int KeyBits, int Tables>
void launch(const uint8_t* key, const uint4* sealed, const uint4* before, uint4* opened, uint32_t blocks) {
  constexpr auto kKernel = decipher<KeyBits, Tables>;
  constexpr auto kSharedBytes = static_cast<int>(aes::InverseAes<KeyBits, Tables>::kSharedBytes);
  require(cudaFuncSetAttribute(kKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes),
          "cudaFuncSetAttribute");
  aes::InverseKey<KeyBits> inverse_key = aes::make_inverse_key<KeyBits>(key);
  kKernel<<<kBlocks, kThreads, kSharedBytes>>>(sealed, before, opened, blocks, inverse_key);
  aes::wipe(inverse_key);
  require(cudaGetLastError(), "launch");
  require(cudaDeviceSynchronize(), "kernel");
}

template <int KeyBits>
void launch(int tables, const uint8_t* key, const uint4* sealed, const uint4* before, uint4* opened,
            uint32_t blocks) {
  if (tables == 1) return launch<KeyBits, 1>(key, sealed, before, opened, blocks);
  if (tables == 2) return launch<KeyBits, 2>(key, sealed, before, opened, blocks);
  if (tables == 4) return launch<KeyBits, 4>(key, sealed, before, opened, blocks);
  throw std::invalid_argument("1, 2 or 4 tables");
}

void launch(int tables, std::span<const uint8_t> key, const uint4* sealed, const uint4* before, uint4* opened,
            uint32_t blocks) {
  if (key.size() == 16) return launch<128>(tables, key.data(), sealed, before, opened, blocks);
  if (key.size() == 24) return launch<192>(tables, key.data(), sealed, before, opened, blocks);
  if (key.size() == 32) return launch<256>(tables, key.data(), sealed, before, opened, blocks);
  throw std::invalid_argument("a key is 16, 24 or 32 bytes");
}

}  // namespace

std::vector<uint8_t> deciphered(int tables, std::span<const uint8_t> key, std::span<const uint8_t> sealed,
                                bool chained) {
  constexpr int kNotWritten = 0xee;
  const size_t bytes = sealed.size() - (chained ? 16 : 0);
  const auto input = device_memory(sealed.size()), output = device_memory(bytes);
  require(cudaMemcpy(input.get(), sealed.data(), sealed.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  require(cudaMemset(output.get(), kNotWritten, bytes), "cudaMemset");
  launch(tables, key, input.get() + (chained ? 1 : 0), chained ? input.get() : nullptr, output.get(),
         static_cast<uint32_t>(bytes / 16));
  std::vector<uint8_t> opened(bytes);
  require(cudaMemcpy(opened.data(), output.get(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  return opened;
}

bool has_room_for(int tables) {
  int device = 0, bytes = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "cudaDeviceGetAttribute");
  return static_cast<size_t>(bytes) >= static_cast<size_t>(tables) * aes::InverseAes<128>::kSharedBytes;
}

}  // namespace warpaes::testing
