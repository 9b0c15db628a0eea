// Decryption inside your own kernel: a dot product with weights that are encrypted (AES-256 in GCM) and are
// decrypted in registers only. The same pass authenticates them, and its result is kept back until the tag is
// right.
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include "warpaes/device.cuh"
#include "warpaes/warpaes.hpp"

namespace aes = warpaes::device;
using Cipher = aes::Aes<256>;

constexpr uint32_t kBlocks = 264, kThreads = 256;  // some for each multiprocessor
constexpr uint64_t kStep = uint64_t{kBlocks} * kThreads;

struct Result {
  double dot;
  uint32_t hash[4];  // GHASH's sum
};

/// @param sealed `count` weights, encrypted; their number is a multiple of 4
/// @param step_power H^kStep
__global__ void dot_with_sealed(const float4* sealed, const float4* x, uint64_t count,
                                const __grid_constant__ aes::Key<256> key, aes::GcmCounter counter,
                                aes::HashKey hash_key, aes::HashKey step_power, Result* result) {
  // cut for docs/own_kernels.md: the tables
  __shared__ __align__(128) uint8_t tables[Cipher::kSharedBytes];
  Cipher::fill(tables, threadIdx.x, kThreads);
  __syncthreads();
  const Cipher cipher(tables, key, threadIdx.x % 32);
  // end of the cut

  const uint64_t first = uint64_t{blockIdx.x} * kThreads + threadIdx.x, blocks = count / 4;
  if (first >= blocks) return;
  // cut for docs/own_kernels.md: the blocks
  aes::Ghash ghash(step_power);
  double dot = 0;
  uint64_t last = first;
  for (uint64_t i = first; i < blocks; i += kStep) {
    const aes::Block block = aes::load(sealed + i);
    ghash.add(block);
    const aes::Block weights = block ^ cipher.encrypt(counter.block(i + 1));
    dot += __uint_as_float(weights.a) * double{x[i].x} + __uint_as_float(weights.b) * double{x[i].y} +
           __uint_as_float(weights.c) * double{x[i].z} + __uint_as_float(weights.d) * double{x[i].w};
    last = i;
  }
  // end of the cut
  atomicAdd(&result->dot, dot);
  // cut for docs/own_kernels.md: the sum
  const aes::Block sum = ghash.finish(hash_key, blocks - 1 - last + 1);  // the lengths are one block more
  atomicXor(&result->hash[0], sum.a), atomicXor(&result->hash[1], sum.b);
  atomicXor(&result->hash[2], sum.c), atomicXor(&result->hash[3], sum.d);
  // end of the cut
}

template <class T>
std::shared_ptr<T> on_device(const std::vector<T>& values) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, values.size() * sizeof(T)) != cudaSuccess)
    throw std::runtime_error("cudaMalloc failed");
  if (cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess)
    throw std::runtime_error("cudaMemcpy failed");
  return {static_cast<T*>(memory), cudaFree};
}

/// @return is the tag right? Only then `dot` is set.
bool sealed_dot(const std::vector<float>& sealed, const std::vector<float>& x, const uint8_t* raw_key,
                const uint8_t* nonce, const uint8_t* tag, double& dot) {
  const auto weights = on_device(sealed), vector = on_device(x);
  const auto result = on_device(std::vector<Result>(1));
  // cut for docs/own_kernels.md: the keys
  aes::Key<256> key = aes::make_key<256>(raw_key);
  aes::HashKey hash_key = aes::make_hash_key(key), step_power = aes::power(hash_key, kStep);
  const aes::GcmCounter counter(nonce);
  // end of the cut
  dot_with_sealed<<<kBlocks, kThreads>>>(reinterpret_cast<const float4*>(weights.get()),
                                         reinterpret_cast<const float4*>(vector.get()), sealed.size(), key,
                                         counter, hash_key, step_power, result.get());
  Result found{};
  const bool ran = cudaMemcpy(&found, result.get(), sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess &&
                   cudaMemset(result.get(), 0, sizeof found) == cudaSuccess;

  // cut for docs/own_kernels.md: the tag
  const aes::Block text{found.hash[0], found.hash[1], found.hash[2], found.hash[3]};
  const aes::Block lengths = aes::multiply(aes::lengths_block(0, 4 * sealed.size()), hash_key);
  const aes::Block right = text ^ lengths ^ aes::encrypt_on_host(key, counter.block(0)),
                   given = aes::load_bytes(tag, 16);
  const aes::Block difference =
      right ^ given;  // looked at as a whole, so that time tells nothing about its bytes
  const bool genuine = (difference.a | difference.b | difference.c | difference.d) == 0;
  if (genuine) dot = found.dot;
  aes::wipe(key), aes::wipe(hash_key), aes::wipe(step_power), aes::wipe(found);
  // end of the cut
  if (!ran) throw std::runtime_error(cudaGetErrorString(cudaGetLastError()));
  return genuine;
}

int main() try {
  if (warpaes::devices().empty()) return std::puts("skipped: no GPU"), 77;
  constexpr size_t kCount = (1 << 20) + 4;
  std::vector<float> weights(kCount), x(kCount);
  std::mt19937 generator(1);
  for (size_t i = 0; i < kCount; i++) weights[i] = generator() % 100, x[i] = generator() % 100;
  double expected = 0, dot = -1, forged = -1;
  for (size_t i = 0; i < kCount; i++) expected += double{weights[i]} * x[i];

  uint8_t key[32], nonce[12], tag[16];
  warpaes::random(key), warpaes::random(nonce);
  auto* const bytes = reinterpret_cast<uint8_t*>(weights.data());
  warpaes::Cipher(warpaes::Context(), warpaes::Mode::gcm, key)
      .encrypt({.input = {bytes, 4 * kCount}, .output = {bytes, 4 * kCount}, .nonce = nonce, .tag = tag});
  const bool genuine = sealed_dot(weights, x, key, nonce, tag, dot);
  bytes[4 * kCount - 1] ^= 1;
  const bool damaged = sealed_dot(weights, x, key, nonce, tag, forged);
  std::printf("genuine: %s, damaged: %s\n", genuine && dot == expected ? "the dot product" : "WRONG",
              damaged || forged != -1 ? "WRONG" : "refused");
  return genuine && dot == expected && !damaged ? 0 : 1;
} catch (const std::exception& error) {
  return std::fprintf(stderr, "fused_decrypt: %s\n", error.what()), 1;
}
