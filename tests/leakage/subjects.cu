#include "device/cuda_error.hpp"
#include "primitives/t_table_rounds.hpp"
#include "subjects.hpp"

namespace warpaes::core::leakage {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint64_t kMaxBlocks = 1024;

struct Tables {
  uint32_t t0[256];
  uint8_t box[256];
};
constexpr Tables tables() {
  Tables made{};
  for (int i = 0; i < 256; i++) {
    made.t0[i] = kT0[i];
    made.box[i] = kSBox[i];
  }
  return made;
}
__constant__ const Tables kTables = tables();

uint32_t grid(uint64_t items) {
  const uint64_t blocks = (items + kThreads - 1) / kThreads;
  return static_cast<uint32_t>(blocks < kMaxBlocks ? blocks : kMaxBlocks);
}

/// A mixing function of 64 bits (Stafford's thirteenth variant of MurmurHash3's).
__device__ uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

__global__ void write_words(uint32_t* words, uint64_t count, uint64_t seed, uint64_t index_mask) {
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    words[i] = static_cast<uint32_t>(mix(seed + (i & index_mask)));
}

__global__ void turn_bits(uint8_t* tags, uint64_t count, uint32_t place) {
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    tags[16 * i + place] ^= 0x80;
}

__global__ void t_tables(RoundKeys keys, int rounds, const uint32_t* input, uint32_t* output,
                         uint64_t blocks) {
  __shared__ Tables shared;
  for (uint32_t i = threadIdx.x; i < 256; i += blockDim.x) {
    shared.t0[i] = kTables.t0[i];
    shared.box[i] = kTables.box[i];
  }
  __syncthreads();
  const auto rotated = [](uint32_t word, uint32_t bits) { return __funnelshift_l(word, word, bits); };
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < blocks; i += step) {
    uint32_t state[4], next[4];
    for (int c = 0; c < 4; c++) state[c] = input[4 * i + c] ^ keys.word[c];
    for (int round = 1; round <= rounds; round++) {
#pragma unroll
      for (int c = 0; c < 4; c++) {
        next[c] = keys.word[4 * round + c];
#pragma unroll
        for (int row = 0; row < 4; row++) {
          const uint32_t byte = state[(c + row) % 4] >> (8 * row) & 0xff;
          const uint32_t found = round < rounds ? shared.t0[byte] : shared.box[byte];
          next[c] ^= rotated(found, 8 * row);
        }
      }
      for (int c = 0; c < 4; c++) state[c] = next[c];
    }
    for (int c = 0; c < 4; c++) output[4 * i + c] = state[c];
  }
}

__global__ void copy_kernel(const uint4* input, uint4* output, uint64_t blocks) {
  const uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < blocks; i += step)
    output[i] = input[i];
}

__global__ void key_bits(RoundKeys keys, uint32_t* output) {
  uint32_t sum = threadIdx.x;
  for (int bit = 0; bit < 128; bit++) {
    sum = sum * 3 + 1;
    if ((keys.word[bit / 32] >> bit % 32 & 1) == 0) continue;
#pragma unroll
    for (int i = 0; i < 4; i++) sum = __funnelshift_l(sum, sum, sum) * 5 + i;
  }
  output[threadIdx.x] = sum;
}

__global__ void read_clock_kernel(ClockReading* reading) {
  uint32_t multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  *reading = {static_cast<uint64_t>(clock64()), multiprocessor};
}

}  // namespace

void read_clock(ClockReading* reading, Stream stream) {
  read_clock_kernel<<<1, 1, 0, stream>>>(reading);
  check(cudaGetLastError(), "reading a clock");
}

void leaky_key_bits(const RoundKeys& keys, uint8_t* output, Stream stream) {
  key_bits<<<1, kThreads, 0, stream>>>(keys, reinterpret_cast<uint32_t*>(output));
  check(cudaGetLastError(), "the leaky kernel");
}

void copy_blocks(const uint8_t* input, uint8_t* output, uint64_t bytes, Stream stream) {
  copy_kernel<<<grid(bytes / 16), kThreads, 0, stream>>>(reinterpret_cast<const uint4*>(input),
                                                         reinterpret_cast<uint4*>(output), bytes / 16);
  check(cudaGetLastError(), "copying");
}

void write_input(uint8_t* data, uint64_t bytes, InputPattern pattern, Stream stream) {
  const uint64_t words = bytes / 4;
  write_words<<<grid(words), kThreads, 0, stream>>>(reinterpret_cast<uint32_t*>(data), words, pattern.seed,
                                                    pattern.one_block ? 3 : ~uint64_t{0});
  check(cudaGetLastError(), "writing an input");
}

void spoil_tags(uint8_t* tags, uint64_t count, uint32_t place, Stream stream) {
  turn_bits<<<grid(count), kThreads, 0, stream>>>(tags, count, place);
  check(cudaGetLastError(), "spoiling tags");
}

void leaky_t_tables(const RoundKeys& keys, int rounds, const uint8_t* input, uint8_t* output, uint64_t bytes,
                    Stream stream) {
  t_tables<<<grid(bytes / 16), kThreads, 0, stream>>>(keys, rounds, reinterpret_cast<const uint32_t*>(input),
                                                      reinterpret_cast<uint32_t*>(output), bytes / 16);
  check(cudaGetLastError(), "the leaky kernel");
}

}  // namespace warpaes::core::leakage
