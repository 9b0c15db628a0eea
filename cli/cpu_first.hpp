// Whether a file is the CPU's without asking for a GPU.
#pragma once

#include <optional>

#include "engine_options.hpp"
#include "warpaes/container.hpp"

namespace warpaes::cli {

/// What CUDA and the kernels take to start, in which a CPU does a lot; rather too much than too little, as a
/// file that is on the CPU is read and written at least as fast.
constexpr double kGpuStartSeconds = 2;
/// No CPU takes longer for this than a GPU to start.
constexpr uint64_t kShortFile = 64 << 20;
/// What a pipe brings in a second at most, and its length is not known.
constexpr double kPipeBytesPerSecond = 4e9;

/// Is the CPU done before a GPU that has to be started first would begin?
/// @param speed of all its threads, in bytes a second
constexpr bool cpu_is_done_first(std::optional<uint64_t> bytes, double speed) {
  return bytes ? static_cast<double>(*bytes) < speed * kGpuStartSeconds : speed > kPipeBytesPerSecond;
}

/// Under automatic choice, work on a file goes to the CPU's engine unless its threads, which read and write
/// the file as well, would compute for longer than a GPU takes to start.
class CpuFirst {
 public:
  /// The best one of the CPU's nearly everywhere.
  static constexpr const char* kEngine = "openssl";

  /// @param threads of its context
  CpuFirst(const EngineOptions& options, unsigned threads) : options_(options), threads_(threads) {}

  /// @param bytes of the file, if known
  /// @return null if the work is not the CPU's, if an engine or GPUs were named, and if there is no such
  /// engine
  const warpaes::Context* context_for(std::optional<uint64_t> bytes);

 private:
  const warpaes::Context& context();
  warpaes::Context made(unsigned threads) const;
  double measured_speed() const;

  const EngineOptions& options_;
  const unsigned threads_;
  std::optional<warpaes::Context> context_;
  std::optional<double> speed_;  // of one thread
  bool is_missing_ = false;
};

}  // namespace warpaes::cli
