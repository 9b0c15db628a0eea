// What a kernel is, and what the host can do with one. Everything else that concerns CUDA is in launch.cuh,
// and everything that concerns the emulated GPU is in emulate.hpp.
//
// A kernel is an empty struct, at the end of the header that has its body:
//
//     static constexpr const char* kName;      // its row in kernel_rows.hpp; variants of a kernel share it
//     static constexpr std::array kRounds;     // one for each key size that it is compiled for; from a base
//                                              // such as ForEveryKeySize
//     using Arguments = XtsArguments;          // taken by value, as a kernel's parameter
//
//     // What its blocks of threads look like, from the row of the architecture.
//     static constexpr KernelPolicy policy(const LaunchPolicy& on, int rounds);
//
//     // What a thread does. Thread is DeviceThread, or the emulated one.
//     template <KernelPolicy kPolicy, int Rounds, class Thread>
//     static void run(Thread& thread, const Arguments& arguments);
//
// A kernel is brought to the GPU while what comes before it still runs. One without tables waits for that
// before its body begins. The body of one with tables begins at once, so that it can fill them and do what
// else needs only its arguments and shared memory; then it has to call thread.await_predecessors() in every
// thread.
//
// Two lines add it to the library: an explicit instantiation of Launcher<Kernel> in a .cu file, and its
// mention in a row of kernel_rows.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/policy.hpp"
#include "primitives/host_device.hpp"

struct CUstream_st;

namespace warpaes::core::kernels {

using Stream = CUstream_st*;

/// An error code of CUDA's type cudaError_t; 0 means success.
using CudaError = int;

/// How a kernel's thread blocks look on an architecture.
struct KernelPolicy {
  uint32_t threads = 0;       // of a thread block, at most; 0 if the architecture does not have this kernel
  uint32_t shared_bytes = 0;  // of a thread block, whatever number of threads it has
  int tables = 0;             // how many rotations of the T-table it has in shared memory
  int table_warps = 0;        // of a hybrid kernel: how many of its warps look up tables
  /// How many thread blocks have to run on a multiprocessor at the same time. The compiler divides the
  /// registers among that many; 0 leaves it free.
  int blocks = 1;
  uint32_t shared_bytes_a_warp = 0;  // besides, for each warp with which a thread block is started
  uint32_t slots = 0;                // how many keys of single messages each warp keeps in shared memory
};

/// The policy of a kernel that keeps so many tables in shared memory, and nothing else.
WARPAES_HOST_DEVICE constexpr KernelPolicy with_tables(int tables, int threads) {
  return {.threads = static_cast<uint32_t>(threads),
          .shared_bytes = static_cast<uint32_t>(tables) * kTableBytes,
          .tables = tables};
}

/// The policy of a kernel that keeps tables of the inverse cipher, and one table of the cipher behind them.
WARPAES_HOST_DEVICE constexpr KernelPolicy with_one_more_table(int tables, int threads) {
  KernelPolicy policy = with_tables(tables, threads);
  policy.shared_bytes += kTableBytes;
  return policy;
}

struct ForEveryKeySize {
  static constexpr std::array kRounds{10, 12, 14};
};

/// RFC 8452 has no keys of 192 bits.
struct ForKeysOf128And256Bits {
  static constexpr std::array kRounds{10, 14};
};

/// A kernel that uses no key and so has one form for all key sizes.
struct WithoutKey {
  static constexpr std::array kRounds{0};
};

/// Does the kernel's body wait for what comes before the kernel?
WARPAES_HOST_DEVICE constexpr bool awaits_itself(const KernelPolicy& policy) { return policy.tables != 0; }

/// The index of a key size in Kernel::kRounds, or kRounds.size() if the kernel does not have it.
template <class Kernel>
constexpr size_t index_of_rounds(int rounds) {
  size_t i = 0;
  while (i < Kernel::kRounds.size() && Kernel::kRounds[i] != 0 && Kernel::kRounds[i] != rounds) i++;
  return i;
}

/// What a device's code was built for, and how the kernels are launched there.
struct DeviceShape {
  int capability;       // of the code that the driver chose or compiled for the device, 10 * major + minor
  int multiprocessors;  // each runs at least one thread block at a time
  LaunchPolicy policy;
};

/// Where a kernel runs, and with which of its key sizes.
struct LaunchTarget {
  int device;
  const DeviceShape& shape;
  int rounds;
};

struct GridSize {
  uint32_t blocks;
  uint32_t threads = 0;  // of a thread block; 0: as many as the kernel's policy says
};

/// All shared memory of a thread block of so many threads.
constexpr uint32_t shared_bytes_of(const KernelPolicy& policy, uint32_t threads) {
  return policy.shared_bytes + threads / kWarpLanes * policy.shared_bytes_a_warp;
}

/// Starts a kernel on the current device. It is defined in launch.cuh, which only .cu files include.
template <class Kernel>
struct Launcher {
  /// Lets the kernel have the shared memory that it needs. To be called once for each device, before the
  /// first launch.
  static CudaError prepare(const LaunchPolicy& policy);
  /// Launches asynchronously and allocates nothing. @return what CUDA said of the launch
  static CudaError launch(const typename Kernel::Arguments& arguments, int rounds, const GridSize& size,
                          const LaunchPolicy& policy, Stream stream);
  /// Finds the compute capability of the code that the driver has chosen for the device.
  static CudaError capability(int& found);
};

/// Describes the current device and prepares all kernels on it. To be called once for each device, before the
/// first launch.
CudaError prepare_device(DeviceShape& shape);

/// How many kernels this process has launched, so that a test can tell that the GPU did the work.
uint64_t launches();

}  // namespace warpaes::core::kernels
