// One GCM message on a CPU engine, as it comes: long parts are shared between threads.
//
// A message of n blocks has the sum  S = X_1 * H^n + X_2 * H^(n-1) + ... + X_n * H. A part of it, of which b
// blocks stand behind, contributes its own such sum times H^b, so parts are hashed by themselves, and their
// sums put together in their order.
#pragma once

#include <map>
#include <mutex>
#include <span>

#include "engines/batch.hpp"
#include "modes/gcm_parts.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {

/// The sums of parts that are one behind the other, told by any thread and in any order.
class GcmPartSums {
 public:
  explicit GcmPartSums(Gf128 hash_key) : hash_key_(hash_key) {}

  void add(uint64_t first_block, uint64_t blocks, Gf128 sum);
  /// Of all parts. @param before the sum of what stands before them
  Gf128 behind(Gf128 before) const;

 private:
  struct Part {
    uint64_t blocks;
    Gf128 sum;
  };

  const SecretGf128 hash_key_;
  std::mutex mutex_;
  /// By their first block.
  std::map<uint64_t, Part, std::less<>, SecretAllocator<std::pair<const uint64_t, Part>>> parts_;
};

class GcmInParts {
 public:
  GcmInParts(const Engine& engine, const EngineKey& key, WorkerThreads& threads, Direction direction,
             std::span<const uint8_t> nonce);
  ~GcmInParts();
  GcmInParts(const GcmInParts&) = delete;
  GcmInParts& operator=(const GcmInParts&) = delete;

  /// Additional data, before all text.
  void add(const uint8_t* data, uint64_t bytes);
  /// Text; output and input are equal or disjoint.
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes);
  /// Ends the message.
  MacBlock tag();

 private:
  void take(const uint8_t* input, uint8_t* output, uint64_t bytes, uint64_t& taken);
  void share_blocks(const uint8_t* input, uint8_t* output, uint64_t blocks);
  std::unique_ptr<GcmPart> start_part(uint64_t block);
  void end_part();
  void need_inverse();

  const Engine& engine_;
  const EngineKey& key_;
  WorkerThreads& threads_;
  const Direction direction_;
  GcmHashKey hash_;
  CounterBlock initial_;  // J0
  Gf128 sum_{0, 0};       // of the parts that have ended, times H
  std::unique_ptr<GcmPart> part_;
  uint64_t aad_bytes_ = 0, bytes_ = 0;
  uint64_t ended_blocks_ = 0;  // additional data and text, each padded to whole blocks
};

/// Is it a batch of GCM in which one message is more than a thread's share?
bool shares_gcm_messages(const WorkerThreads& threads, const Batch& batch);
/// Runs such a batch, message by message. Of a message that is not authentic the output is zeroed, as
/// everywhere.
void gcm_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, const Batch& batch);

}  // namespace warpaes::core
