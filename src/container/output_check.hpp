// A GCM tag cannot show that a faulty GPU encrypted wrongly, as it is a tag of the wrong ciphertext. So
// chunks are encrypted again on the CPU and compared.
#pragma once

#include <atomic>
#include <vector>

#include "container/chunk_range.hpp"
#include "pipeline/worker_threads.hpp"
#include "warpaes/container.h"

namespace warpaes::core::cobblestone {

/// A sample is one of every 64 chunks that a GPU made, chosen at random, and at least one a batch.
constexpr uint64_t kChunksPerSample = 64;

class OutputChecker {
 public:
  /// @param engine what encrypts
  /// @param timing the class that whatever handles the key must have. Where this CPU's engine is of a weaker
  /// one, samples are not checked, and a check of all throws ENGINE_UNAVAILABLE.
  OutputChecker(warpaes_container_check extent, const Engine& engine, TimingClass timing,
                const InputKey& input_key, const Salt& salt);

  /// Compares chunks of a batch, on these threads; throws SELF_TEST, naming engine and chunk, if one is
  /// wrong. Several callers may do so at once.
  void check(WorkerThreads& threads, uint64_t first_chunk, std::span<const uint8_t> plaintext,
             std::span<const uint8_t> sealed) const;

  // These two and check_chunk() are the same for a caller who does not have all plaintext in host memory.

  /// Which of so many chunks are compared, ascending.
  std::vector<uint64_t> choose(uint64_t chunks) const;
  /// The most that can be among so many consecutive ones of them.
  uint64_t most_chosen(uint64_t chunks) const;
  /// @param sealed begins with what was made of the plaintext of this chunk
  void check_chunk(uint64_t chunk, std::span<const uint8_t> plaintext, std::span<const uint8_t> sealed) const;

  uint64_t checked_chunks() const { return checked_; }

 private:
  /// The CPU's side; only made if there is something to check.
  struct Witness {
    Witness(TimingClass timing, const InputKey& input_key, const Salt& salt);
    Context context;
    FileKey file_key;
  };

  warpaes_container_check extent_;
  const Engine& engine_;
  std::optional<Witness> witness_;
  mutable std::atomic<uint64_t> checked_ = 0;
};

}  // namespace warpaes::core::cobblestone
