// Does one GCM message on a CPU engine, in parts as they come. Long parts are shared between threads.
//
// GHASH (SP 800-38D section 6.4) makes of n blocks the sum  S = X_1 * H^n + X_2 * H^(n-1) + ... + X_n * H.
// A part of the message contributes its own such sum, times H^b if b blocks stand behind the part. So each
// part is hashed by itself, and the sums are put together in the order of the parts.
#pragma once

#include <map>
#include <mutex>
#include <span>

#include "engines/batch.hpp"
#include "modes/gcm_parts.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {

/// Collects the sums of parts that lie one behind the other. Any thread may add one, in any order.
class GcmPartSums {
 public:
  explicit GcmPartSums(Gf128 hash_key) : hash_key_(hash_key) {}

  void add(uint64_t first_block, uint64_t blocks, Gf128 sum);
  /// The sum of all parts. @param before the sum of what stands before them
  Gf128 behind(Gf128 before) const;

 private:
  struct Part {
    uint64_t blocks;
    Gf128 sum;
  };

  const SecretGf128 hash_key_;
  std::mutex mutex_;
  /// The key of a part is the number of its first block.
  std::map<uint64_t, Part, std::less<>, SecretAllocator<std::pair<const uint64_t, Part>>> parts_;
};

class GcmInParts {
 public:
  GcmInParts(const Engine& engine, const EngineKey& key, WorkerThreads& threads, Direction direction,
             std::span<const uint8_t> nonce);
  ~GcmInParts();
  GcmInParts(const GcmInParts&) = delete;
  GcmInParts& operator=(const GcmInParts&) = delete;

  /// Takes additional data, all of which comes before the text.
  void add(const uint8_t* data, uint64_t bytes);
  /// Encrypts or decrypts text. Output and input are equal or disjoint.
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes);
  /// Ends the message and makes its tag (SP 800-38D section 7.1, steps 5 and 6).
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
  CounterBlock initial_;  // J0, section 7.1 step 2
  Gf128 sum_{0, 0};       // S of the parts that have ended, times H, as if a block of zeros came behind
  std::unique_ptr<GcmPart> part_;
  uint64_t aad_bytes_ = 0, bytes_ = 0;
  uint64_t ended_blocks_ = 0;  // additional data and text, each padded to whole blocks
};

/// Is it a batch of GCM whose messages are so few and so long that threads should share each of them?
bool shares_gcm_messages(const WorkerThreads& threads, const Batch& batch);
/// Runs such a batch, message by message. The output of a message that is not authentic is zeroed.
void gcm_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, const Batch& batch);

}  // namespace warpaes::core
