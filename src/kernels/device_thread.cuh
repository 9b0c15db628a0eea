// The machine that a kernel's body runs on, here a GPU: the functions that a body may ask of its thread. The
// same functions for the CPU, with which the tests run kernels, are in src/emulated_gpu.
#pragma once

#include <cstdint>

#include "kernels/policy.hpp"
#include "kernels/stamped_sum.hpp"
#include "primitives/gf128.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core {

extern __shared__ __align__(16) uint8_t dynamic_shared_memory[];

namespace device_tables {

struct Words {
  uint32_t word[256];
};
constexpr Words words(const std::array<uint32_t, 256>& table) {
  Words words{};
  for (int i = 0; i < 256; i++) words.word[i] = table[i];
  return words;
}
// Threads read these at different places, which takes one access of global memory, but one access after the
// other of constant memory.
static __device__ const Words t0 = words(kT0);
static __device__ const Words inverse_t0 = words(kInverseT0);

}  // namespace device_tables

struct DeviceThread {
  __device__ static uint32_t index() { return threadIdx.x; }
  __device__ static uint32_t count() { return blockDim.x; }
  __device__ static uint32_t lane() { return threadIdx.x % kWarpLanes; }
  /// The number of the thread's warp in its block. It is broadcast, so that the compiler knows that it is the
  /// same in all lanes and may keep what depends on it in uniform registers.
  __device__ static uint32_t warp() { return __shfl_sync(~0u, threadIdx.x / kWarpLanes, 0); }
  __device__ static uint32_t block() { return blockIdx.x; }
  __device__ static uint32_t block_count() { return gridDim.x; }
  __device__ static uint8_t* shared() { return dynamic_shared_memory; }
  /// Where the generic address space maps shared memory; and how far from there the block's own part,
  /// shared(), begins.
  __device__ static uint8_t* shared_origin() { return static_cast<uint8_t*>(__cvta_shared_to_generic(0)); }
  __device__ static uint32_t shared_offset() {
    return static_cast<uint32_t>(__cvta_generic_to_shared(dynamic_shared_memory));
  }
  /// T0 and its inverse counterpart, the tables of 256 words from which a kernel fills its tables in shared
  /// memory.
  __device__ static const uint32_t* t0() { return device_tables::t0.word; }
  __device__ static const uint32_t* inverse_t0() { return device_tables::inverse_t0.word; }
  __device__ static void barrier() { __syncthreads(); }
  /// Waits until all lanes of the warp have come here. They then see what each of them wrote to shared memory
  /// before.
  __device__ static void sync_warp() { __syncwarp(); }
  __device__ static uint64_t shuffle_xor(uint64_t value, uint32_t mask) {
    return __shfl_xor_sync(~0u, static_cast<unsigned long long>(value), mask);
  }
  __device__ static uint32_t shuffle_xor(uint32_t value, uint32_t mask) {
    return __shfl_xor_sync(~0u, value, mask);
  }
  /// The value that lane `from` of the warp passes to this call.
  __device__ static uint64_t shuffle(uint64_t value, uint32_t from) {
    return __shfl_sync(~0u, static_cast<unsigned long long>(value), from);
  }
  __device__ static uint32_t shuffle(uint32_t value, uint32_t from) { return __shfl_sync(~0u, value, from); }
  /// Is the condition true in any lane of the warp?
  __device__ static bool any(bool condition) { return __any_sync(~0u, condition); }
  /// The XOR of all lanes' values, in every lane.
  __device__ static uint64_t exclusive_or(uint64_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const uint32_t low = __reduce_xor_sync(~0u, static_cast<uint32_t>(value)),
                   high = __reduce_xor_sync(~0u, static_cast<uint32_t>(value >> 32));
    return uint64_t{high} << 32 | low;
#else
    WARPAES_UNROLL
    for (uint32_t mask = 1; mask < kWarpLanes; mask *= 2) value ^= shuffle_xor(value, mask);
    return value;
#endif
  }

  /// Waits until what comes before the kernel on its stream has ended and its writes can be seen: a kernel is
  /// started before that (launch.cuh). Every thread calls before its first access to global memory that is
  /// not constant, and before it ends. From then on the next kernel may be started in the same way: not
  /// earlier, so that whoever waits for this kernel has waited for all before it.
  __device__ static void await_predecessors() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#endif
  }

  /// Writes a value that another warp of the grid will read after arrive().
  __device__ static void publish(Gf128* to, Gf128 value) {
    __stcg(reinterpret_cast<ulonglong2*>(to), make_ulonglong2(value.lo, value.hi));
  }
  __device__ static Gf128 collect(const Gf128* from) {
    const ulonglong2 value = __ldcg(reinterpret_cast<const ulonglong2*>(from));
    return {value.x, value.y};
  }

  /// Adds to a sum in global memory to which other warps add as well, in any order.
  __device__ static void add(Gf128* sum, Gf128 value) {
    atomicXor(reinterpret_cast<unsigned long long*>(&sum->lo), value.lo);
    atomicXor(reinterpret_cast<unsigned long long*>(&sum->hi), value.hi);
  }

  /// Publishes a sum for a thread block of the same grid that waits for it. Each half goes with the stamp as
  /// 16 bytes that others see as a whole or not at all (PTX ISA, ".b128"), so that no fence is needed for it.
  __device__ static void publish(StampedSum* to, Gf128 value, uint64_t stamp) {
    store_whole(to->half, value.lo, stamp);
    store_whole(to->half + 1, value.hi, stamp);
  }

  /// Says, before its sum is published, that the thread block will write.
  __device__ static void begin_writing(StampedSum* of, uint64_t stamp) {
    store_whole(&of->writing, 0, stamp);
    __threadfence();
  }
  /// Says that all is stored that this thread has written, and what others of its block wrote before a
  /// barrier.
  __device__ static void end_writing(StampedSum* of) {
    __threadfence();
    store_whole(&of->writing, 0, 0);
  }
  /// Waits for that, after the sum has been loaded. What this thread writes from here on comes after what the
  /// block has written. The mark was set before the sum was published; the first fence keeps this thread from
  /// loading the mark before the sum, when it may not have been set yet.
  __device__ static void await_end_of_writing(const StampedSum* of, uint64_t stamp) {
    constexpr uint32_t kNanoseconds = 32;
    __threadfence();
    while (load_whole(&of->writing).stamp == stamp) __nanosleep(kNanoseconds);
    __threadfence();
  }

  /// Waits for a sum with this stamp, and clears it. Both halves are loaded at the same time, as each load
  /// takes hundreds of clocks.
  __device__ static Gf128 await(StampedSum* from, uint64_t stamp) {
    constexpr uint32_t kNanoseconds = 32;
    for (;;) {
      const StampedHalf low = load_whole(from->half), high = load_whole(from->half + 1);
      if (low.stamp == stamp && high.stamp == stamp) {
        store_whole(from->half, 0, 0);
        store_whole(from->half + 1, 0, 0);
        return {low.value, high.value};
      }
      __nanosleep(kNanoseconds);
    }
  }

  /// Loads a part of the kernel's parameters as from global memory (PTX ISA, "cvta.param"). Where lanes want
  /// different parts this is one access, and many one after the other if they are read as constants.
  __device__ static Gf128 parameter(const Gf128* from) {
    Gf128 value;
    asm("ld.u64 %0, [%2]; ld.u64 %1, [%2 + 8];" : "=l"(value.lo), "=l"(value.hi) : "l"(from));
    return value;
  }

  /// Takes the next number of a counter in global memory that the grid's warps share. @return it, in every
  /// lane
  __device__ static uint32_t claim(uint32_t* next) {
    uint32_t number = 0;
    if (lane() == 0) number = atomicAdd(next, 1);
    return __shfl_sync(~0u, number, 0);
  }

  /// Counts a warp as arrived: what it has published is visible to the warps that arrive later.
  ///
  /// In the PTX memory model (chapter "Memory Consistency Model"), lane 0's fences and its atomic addition
  /// order what lane 0 has published before what lane 0 of a later warp reads. The other lanes read too, and
  /// a shuffle orders no memory. So a barrier of the warp is needed between lane 0's fence and their loads,
  /// and another one between their stores and lane 0's fence, in case they have published anything.
  /// @return how many warps had arrived before, in every lane
  __device__ static uint32_t arrive(uint32_t* arrivals) {
    __syncwarp();
    uint32_t before = 0;
    if (lane() == 0) {
      __threadfence();
      before = atomicAdd(arrivals, 1);
      __threadfence();
    }
    __syncwarp();
    return __shfl_sync(~0u, before, 0);
  }

 private:
  __device__ static void store_whole(StampedHalf* to, uint64_t value, uint64_t stamp) {
    asm volatile(
        "{ .reg .b128 whole; mov.b128 whole, {%1, %2}; st.relaxed.gpu.global.b128 [%0], whole; }" ::"l"(
            __cvta_generic_to_global(to)),
        "l"(value), "l"(stamp)
        : "memory");
  }

  __device__ static StampedHalf load_whole(const StampedHalf* from) {
    StampedHalf half;
    asm volatile("{ .reg .b128 whole; ld.relaxed.gpu.global.b128 whole, [%2]; mov.b128 {%0, %1}, whole; }"
                 : "=l"(half.value), "=l"(half.stamp)
                 : "l"(__cvta_generic_to_global(from))
                 : "memory");
    return half;
  }
};

}  // namespace warpaes::core
