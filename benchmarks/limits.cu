// Measures the hardware's limits. Each kernel issues hardly anything but the instruction in question. The
// compiler cannot leave any of it out: every value depends on the one before. The chains of a thread do not
// depend on each other.
//
// Two headers are of src/, as exceptions (devtools/layers.py): the carry-less multiply-add is measured as
// GHASH issues it, and kernels are made known to CUDA as all others of a program are, which has one list of
// them.
#include <cstdint>

#include "bulk_memory.hpp"
#include "cuda_error.hpp"
#include "gpu_memory.hpp"
#include "gpu_timer.hpp"
#include "kernels/registration.hpp"
#include "limits.hpp"
#include "primitives/gf128.hpp"
#include "samples.hpp"
#include "warpaes/context.hpp"

namespace warpaes::bench {

constexpr int kThreads = 1024;
constexpr int kBlocksPerMultiprocessor = 8;
constexpr int kRounds = 512;   // rounds of each kernel's loop
constexpr int kUnrolled = 16;  // steps of each chain in a round, so that the loop itself costs less than 1 %
constexpr unsigned kSamples = 9;
constexpr size_t kDeviceCopyBytes = size_t{1} << 30;
constexpr size_t kHostCopyBytes = size_t{256} << 20;

struct LimitSetup {
  explicit LimitSetup(int device)
      : blocks(device_info(static_cast<uint32_t>(device)).multiprocessors * kBlocksPerMultiprocessor),
        stream(device),
        second_stream(device),
        begun(device),
        ended(device),
        device_from(device, kDeviceCopyBytes),
        device_to(device, kDeviceCopyBytes),
        host_from(device, kHostCopyBytes),
        host_to(device, kHostCopyBytes) {
    fill_random({host_from.data(), kHostCopyBytes});
    for (size_t at = 0; at < kDeviceCopyBytes; at += kHostCopyBytes) {
      copy_to_device(device_from.data() + at, host_from.data(), kHostCopyBytes, stream.get());
    }
  }

  int blocks;  // so many that they fill the GPU several times over
  OwnedStream stream, second_stream;
  GpuEvent begun, ended;  // of the work on the second stream
  DeviceBuffer device_from, device_to;
  PinnedBuffer host_from, host_to;
};

namespace {

/// Writes a result under a condition that is hardly ever true, which the compiler cannot know.
__device__ void keep(uint32_t result, uint32_t seed, uint32_t* sink) {
  if (result == seed) *sink = result;
}

/// Look-ups in the layout of the AES tables: 256 rows with one word for each lane, so that a lane only reads
/// its own bank. What a look-up finds is the place of the next one.
constexpr int kLookupChains = 8;
__global__ void __launch_bounds__(kThreads) chase_lane_private_rows(uint32_t seed, uint32_t* sink) {
  __shared__ uint32_t rows[256][32];
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (uint32_t v = warp; v < 256; v += kThreads / 32) {
    // Visits all rows: the multiplier is 1 modulo 4, and the sum is odd.
    const uint32_t next = (v * 5 + (seed | 1)) % 256;
    rows[v][lane] = next * sizeof rows[0] + lane * sizeof(uint32_t);
  }
  __syncthreads();

  const auto* bytes = reinterpret_cast<const unsigned char*>(rows);
  uint32_t place[kLookupChains];
#pragma unroll
  for (uint32_t c = 0; c < kLookupChains; c++) {
    place[c] = (warp * kLookupChains + c) % 256 * sizeof rows[0] + lane * sizeof(uint32_t);
  }
#pragma unroll 1
  for (int round = 0; round < kRounds; round++) {
#pragma unroll
    for (int step = 0; step < kUnrolled; step++) {
#pragma unroll
      for (uint32_t& at : place) at = *reinterpret_cast<const uint32_t*>(bytes + at);
    }
  }
  uint32_t sum = 0;
#pragma unroll
  for (const uint32_t at : place) sum ^= at;
  keep(sum, seed, sink);
}

/// x ^= y & z around a ring of words. It has three inputs, so that no two of them fit into one LOP3.
constexpr int kLogicWords = 16;
__global__ void __launch_bounds__(kThreads) mix_by_logic(uint32_t seed, uint32_t* sink) {
  uint32_t word[kLogicWords];
#pragma unroll
  for (uint32_t i = 0; i < kLogicWords; i++) word[i] = seed * (threadIdx.x + 1) + i * 0x9e3779b9u;
#pragma unroll 1
  for (int round = 0; round < kRounds; round++) {
#pragma unroll
    for (int step = 0; step < kUnrolled; step++) {
#pragma unroll
      for (int i = 0; i < kLogicWords; i++) {
        word[i] ^= word[(i + 5) % kLogicWords] & word[(i + 11) % kLogicWords];
      }
    }
  }
  uint32_t sum = 0;
#pragma unroll
  for (const uint32_t w : word) sum ^= w;
  keep(sum, seed, sink);
}

/// Dot products of four bytes, which is how the address of a look-up is computed. Each word is added to its
/// neighbour's product.
constexpr int kDotProductChains = 8;
__global__ void __launch_bounds__(kThreads) multiply_bytes(uint32_t seed, uint32_t* sink) {
  uint32_t word[kDotProductChains];
#pragma unroll
  for (uint32_t i = 0; i < kDotProductChains; i++) word[i] = seed * (threadIdx.x + 1) + i * 0x9e3779b9u;
#pragma unroll 1
  for (int round = 0; round < kRounds; round++) {
#pragma unroll
    for (int step = 0; step < kUnrolled; step++) {
#pragma unroll
      for (int i = 0; i < kDotProductChains; i++) {
        word[i] = __dp4a(word[i], 0x80u, word[(i + 3) % kDotProductChains]);
      }
    }
  }
  uint32_t sum = 0;
#pragma unroll
  for (const uint32_t w : word) sum ^= w;
  keep(sum, seed, sink);
}

/// 64-bit carry-less multiply-adds, of low and high halves by turns, as GHASH uses them.
constexpr int kProductChains = 8;
__global__ void __launch_bounds__(kThreads) multiply_carryless(uint32_t seed, uint32_t* sink) {
#if WARPAES_HAS_CLMAD
  core::Gf128 sum[kProductChains];
#pragma unroll
  for (uint64_t i = 0; i < kProductChains; i++) {
    sum[i] = {seed * (threadIdx.x + i) * 0x9e3779b97f4a7c15u, seed * (threadIdx.x + i) * 0xd1342543de82ef95u};
  }
#pragma unroll 1
  for (int round = 0; round < kRounds; round++) {
#pragma unroll
    for (int step = 0; step < kUnrolled; step++) {
#pragma unroll
      for (int i = 0; i < kProductChains; i++) {
        add_carryless_product(sum[i], sum[(i + 3) % kProductChains].lo, sum[(i + 5) % kProductChains].hi);
      }
    }
  }
  core::Gf128 all{0, 0};
#pragma unroll
  for (const core::Gf128& s : sum) all = all ^ s;
  keep(static_cast<uint32_t>(all.lo ^ all.hi), seed, sink);
#endif
}

/// Reads memory several times and does nothing else: 16 bytes a thread and step, four of which are on their
/// way together.
constexpr uint32_t kReadPasses = 8;  // of more than the GPU's cache: the launch is lost in them
__global__ void __launch_bounds__(kThreads)
    read_device_memory(const uint4* from, uint32_t steps, uint32_t seed, uint32_t* sink) {
  constexpr int kTogether = 4;
  const uint32_t threads = gridDim.x * kThreads;
  uint32_t sum = 0;
#pragma unroll 1
  for (uint32_t pass = 0; pass < kReadPasses; pass++) {
    const uint4* place = from + blockIdx.x * kThreads + threadIdx.x;
#pragma unroll 1
    for (uint32_t step = 0; step < steps; step += kTogether, place += kTogether * threads) {
      uint4 read[kTogether];
#pragma unroll
      for (int i = 0; i < kTogether; i++) read[i] = __ldcg(place + i * threads);
#pragma unroll
      for (const uint4& v : read) sum = sum * 3 + (v.x ^ v.y ^ v.z ^ v.w);
    }
  }
  keep(sum, seed, sink);
}

__global__ void report_clmad(uint8_t* has) { *has = WARPAES_HAS_CLMAD; }

/// Does the code that this GPU runs have the instruction? It may have been made from the PTX of an older
/// architecture.
bool device_has_clmad(const LimitSetup& setup) {
  uint8_t has = 0;
  report_clmad<<<1, 1, 0, setup.stream.get()>>>(setup.device_to.data());
  check(cudaGetLastError(), "report_clmad");
  copy_to_host(&has, setup.device_to.data(), sizeof has, setup.stream.get());
  synchronize(setup.stream.get());
  return has != 0;
}

double start_kernel(void (*kernel)(uint32_t, uint32_t*), int operations_a_step, const LimitSetup& setup) {
  auto* sink = reinterpret_cast<uint32_t*>(setup.device_to.data());
  kernel<<<setup.blocks, kThreads, 0, setup.stream.get()>>>(0x243f6a88u, sink);
  check(cudaGetLastError(), "limit kernel");
  return static_cast<double>(setup.blocks) * kThreads * kRounds * kUnrolled * operations_a_step;
}

double start_lookups(const LimitSetup& setup) {
  return start_kernel(chase_lane_private_rows, kLookupChains, setup);
}

double start_logic(const LimitSetup& setup) { return start_kernel(mix_by_logic, kLogicWords, setup); }

double start_dot_products(const LimitSetup& setup) {
  return start_kernel(multiply_bytes, kDotProductChains, setup);
}

double start_products(const LimitSetup& setup) {
  static const bool available = device_has_clmad(setup);
  return available ? start_kernel(multiply_carryless, 2 * kProductChains, setup) : 0;
}

double start_device_copy(const LimitSetup& setup) {
  copy_on_device(setup.device_to.data(), setup.device_from.data(), kDeviceCopyBytes, setup.stream.get());
  return 2.0 * kDeviceCopyBytes;
}

double start_device_read(const LimitSetup& setup) {
  const uint32_t together = static_cast<uint32_t>(setup.blocks) * kThreads;
  const uint32_t steps = static_cast<uint32_t>(kDeviceCopyBytes / sizeof(uint4) / together / 4 * 4);
  read_device_memory<<<setup.blocks, kThreads, 0, setup.stream.get()>>>(
      reinterpret_cast<const uint4*>(setup.device_from.data()), steps, 0x243f6a88u,
      reinterpret_cast<uint32_t*>(setup.device_to.data()));
  check(cudaGetLastError(), "read_device_memory");
  return double{sizeof(uint4)} * together * steps * kReadPasses;
}

double start_to_device(const LimitSetup& setup) {
  copy_to_device(setup.device_to.data(), setup.host_from.data(), kHostCopyBytes, setup.stream.get());
  return kHostCopyBytes;
}

double start_to_host(const LimitSetup& setup) {
  copy_to_host(setup.host_to.data(), setup.device_from.data(), kHostCopyBytes, setup.stream.get());
  return kHostCopyBytes;
}

/// One copy each way at the same time. The second stream's copy starts with the first's and ends
/// before the first stream goes on.
double start_both_ways(const LimitSetup& setup) {
  setup.begun.record(setup.stream.get());
  setup.begun.delay(setup.second_stream.get());
  start_to_device(setup);
  copy_to_host(setup.host_to.data(), setup.device_from.data(), kHostCopyBytes, setup.second_stream.get());
  setup.ended.record(setup.second_stream.get());
  setup.ended.delay(setup.stream.get());
  return kHostCopyBytes;  // each way
}

constexpr double kGiga = 1e-9;
constexpr Limit kLimits[] = {
    {"shared_lookups", "1/s", "conflict-free 4-byte look-ups in shared memory", 1, start_lookups},
    {"lop3", "1/s", "32-bit logic operations of three inputs", 1, start_logic},
    {"idp", "1/s", "dot products of four bytes (IDP.4A)", 1, start_dot_products},
    {"clmad", "1/s", "64-bit carry-less multiply-adds", 1, start_products},
    {"device_copy", "GB/s", "copy in device memory, read + written", kGiga, start_device_copy},
    {"device_read", "GB/s", "reads of device memory", kGiga, start_device_read},
    {"pcie_to_device", "GB/s", "copy from pinned host memory", kGiga, start_to_device},
    {"pcie_to_host", "GB/s", "copy to pinned host memory", kGiga, start_to_host},
    {"pcie_both_ways", "GB/s", "both at once, each way", kGiga, start_both_ways},
};

}  // namespace

std::span<const Limit> limit_table() { return kLimits; }

std::vector<MeasuredLimit> measure_limits(int device) {
  core::kernels::register_kernels();
  const DeviceScope scope(device);
  const LimitSetup setup(device);
  const GpuTimer timer(device);
  std::vector<MeasuredLimit> measured;
  for (const Limit& limit : limit_table()) {
    double work = 0;
    const auto sample = [&] { return timer.seconds(setup.stream.get(), [&] { work = limit.start(setup); }); };
    warm_up(sample);
    if (work == 0) {
      measured.push_back({&limit, std::nullopt});
      continue;
    }
    const Spread seconds = spread_of(kSamples, sample);
    measured.push_back({&limit, work / seconds.median * limit.scale});
  }
  return measured;
}

}  // namespace warpaes::bench
