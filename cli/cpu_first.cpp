#include "cpu_first.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "file_report.hpp"

namespace warpaes::cli {

const warpaes::Context* CpuFirst::context_for(std::optional<uint64_t> bytes) {
  if (options_.forced() || options_.names_devices() || is_missing_) return nullptr;
  try {
    if (bytes && *bytes < kShortFile) return &context();
    if (!speed_) speed_ = measured_speed();
    return cpu_is_done_first(bytes, *speed_ * options_.usable_threads()) ? &context() : nullptr;
  } catch (const Error&) {
    is_missing_ = true;  // what there is instead, or why there is nothing, others find out
    return nullptr;
  }
}

const warpaes::Context& CpuFirst::context() {
  if (!context_) context_ = made(threads_);
  return *context_;
}

warpaes::Context CpuFirst::made(unsigned threads) const {
  warpaes::ContextOptions options = options_.context_options();
  options.engine = kEngine;
  options.threads = threads;
  return warpaes::Context(options);
}

/// Encrypts some chunks to see how fast that is, in a part of a millisecond.
double CpuFirst::measured_speed() const {
  constexpr uint64_t kChunks = 16, kBytes = kChunks * WARPAES_CONTAINER_CHUNK_LENGTH;
  ContainerHeader header;
  const Container container =
      Container::create(made(1), std::array<uint8_t, 32>(), header, {.check = ContainerCheck::none});
  const std::vector<uint8_t> plaintext(kBytes);
  std::vector<uint8_t> sealed(kChunks * WARPAES_CONTAINER_SEALED_CHUNK_LENGTH);
  double best = 0;
  for (uint64_t turn = 0; turn < 3; turn++) {
    const Stopwatch stopwatch;
    container.encrypt({.first = turn * kChunks, .input = plaintext, .output = sealed});
    best = std::max(best, static_cast<double>(kBytes) / stopwatch.seconds());
  }
  return best;
}

}  // namespace warpaes::cli
