// Runs kernels on the emulated GPU, as CudaGpu of src/engines/cuda does on a real one.
#pragma once

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>

#include "engines/cuda/gpu_engines.hpp"
#include "kernels/emulate.hpp"
#include "posing.hpp"

namespace warpaes::core {

/// The row of an architecture with blocks of 64 threads, so that a test's messages are shared by warps and
/// blocks as large ones are on a GPU.
constexpr LaunchPolicy in_small(int capability) {
  LaunchPolicy policy = policy_for(capability, true);
  constexpr int kThreads = 64;
  policy.counter_threads = policy.gcm_siv_threads = policy.ocb_threads = policy.xts_threads = kThreads;
  policy.ecb_threads = policy.small_threads = policy.team_key_threads = kThreads;
  policy.lane_threads = policy.lane_padding_threads = policy.lane_key_threads = kThreads;
  policy.lane_key_more_threads = policy.lane_key_xts_decrypt_threads = kThreads;
  policy.lane_aead_threads = policy.lane_key_eax_threads = policy.lane_key_192_aead_threads = kThreads;
  policy.listed_from_groups = 40;
  policy.bitsliced_threads = kThreads;
  policy.bitsliced_blocks = policy.bitsliced_xts_blocks = 1;
  policy.bitsliced_counter_threads = 192;
  return policy;
}

/// Four tables; in the hybrid kernels four warps look up tables and one computes on bit planes. Four are as
/// many as share a run there. Warps have shared memory for the keys of as many messages as on a GPU.
inline constexpr LaunchPolicy kFourTables = [] {
  LaunchPolicy policy = in_small(90);
  policy.ctr_hybrid = policy.gcm_hybrid = {160, 4, {400, 350, 300}, 6};
  policy.team_key_threads = 128;
  policy.most_shared_bytes = 4 * kTableBytes + 19000;
  return policy;
}();

/// Two tables, and only one of the inverse cipher beside one of the cipher.
inline constexpr LaunchPolicy kTwoTables = in_small(75);

/// Two tables, and two of the inverse cipher, or keys, beside one of the cipher. On a GPU, 99 KiB of shared
/// memory leave 35 KiB beside two tables for the keys of 20 warps; here are two warps.
inline constexpr LaunchPolicy kTwoTablesWithRoom = [] {
  LaunchPolicy policy = in_small(86);
  policy.most_shared_bytes = 2 * kTableBytes + 35 * 1024 / 10;
  return policy;
}();

constexpr Engine emulated_row(const char* kernel, TimingClass timing) {
  return {.name = "emulated_gpu",
          .kernel = kernel,
          .description = "the GPU kernels' bodies, run by the CPU",
          .timing = timing,
          .memory = Memory::host,
          .available = [](int) { return Availability{true, ""}; }};
}

/// Who decides when a launch is run. Null: nobody, so that it is run at once.
inline void (*emulated_launch)(int device, Stream stream, const std::function<void()>& work) = nullptr;

inline void launch_emulated(int device, Stream stream, const std::function<void()>& work) {
  emulated_launch == nullptr ? work() : emulated_launch(device, stream, work);
}

template <const LaunchPolicy& kPolicy>
struct EmulatedGpu {
  static kernels::DeviceShape shape(int) { return {kPolicy.capability, 3, kPolicy}; }

  template <class Kernel>
  static void run(Kernel, const kernels::LaunchTarget& target, const typename Kernel::Arguments& arguments,
                  const kernels::GridSize& size, Stream stream) {
    const Posing posing;
    launch_emulated(target.device, stream, [arguments, size, rounds = target.rounds] {
      if (kernels::emulate<kPolicy, Kernel>(arguments, rounds, size) != 0) {
        throw std::logic_error(std::string(Kernel::kName) + " has no such key size");
      }
    });
  }

  static void zero(const kernels::LaunchTarget& target, void* memory, size_t bytes, Stream stream) {
    const Posing posing;
    launch_emulated(target.device, stream, [=] { std::memset(memory, 0, bytes); });
  }
};

}  // namespace warpaes::core
