#include "pipeline/gcm_shared.hpp"

#include <openssl/crypto.h>

#include <atomic>

#include "modes/aead_messages.hpp"
#include "pipeline/gcm_in_parts.hpp"
#include "pipeline/span_job.hpp"
#include "pipeline/staged_batch.hpp"
#include "pipeline/worker_threads.hpp"
#include "primitives/careful_block.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {
namespace {

size_t part_workspace(const Engine& engine, uint64_t bytes) {
  const auto workspace_bytes = engine.modes[WARPAES_MODE_GCM].workspace_bytes;
  return workspace_bytes == nullptr ? 0 : workspace_bytes(1, bytes);
}

class GcmShared {
 public:
  GcmShared(const Key& key, Direction direction) : key_(key), direction_(direction) {
    SecretBlock block;
    encrypt(block);
    hash_.key = ghash_key(gf128_from_block(block.data()));
    hash_.inverse = host_inverse(hash_.key);
  }
  ~GcmShared() {
    OPENSSL_cleanse(&hash_, sizeof hash_);
    OPENSSL_cleanse(&initial_, sizeof initial_);  // with a nonce that has not 12 bytes, it tells H
  }
  GcmShared(const GcmShared&) = delete;
  GcmShared& operator=(const GcmShared&) = delete;

  /// Has anything been written, or is about to be?
  bool has_begun() const { return begun_; }

  void run_text_by(const Workers& workers, uint8_t* text, uint64_t bytes) const {
    GcmPartSums sums(hash_.key);
    run_span_by(workers, key_.context(), {text, text, bytes, 16}, task_of(sums));
  }

  /// Encrypts or decrypts the message, and makes its tag.
  MacBlock tag_of(const BatchMessage& message) {
    Ghash ghash(hash_.key);
    initial_ = gcm_initial_counter(ghash, message.nonce, message.nonce_bytes);
    GcmPartSums sums(hash_.key);
    run_span(key_.context(), {message.input, message.output, message.bytes, 16}, task_of(sums));
    ghash.start();
    ghash.add_padded(message.aad, message.aad_bytes);
    if (message.aad_bytes != 0) ghash.add(Gf128{0, 0});
    const SecretGf128 sum(sums.behind(ghash.sum()) ^
                          times_key(ghash_lengths(message.aad_bytes, message.bytes)));
    SecretBlock mask;
    store_counter(mask.data(), initial_);
    encrypt(mask);
    MacBlock tag;
    gf128_to_block(sum ^ gf128_from_block(mask.data()), tag.data());
    return tag;
  }

 private:
  /// Encrypts a block without an engine, as the context may have none that works on host memory.
  void encrypt(SecretBlock& block) const {
    const KeySchedule& schedule = key_.schedule();
    careful_block(schedule.encryption(), schedule.rounds(), block.data(), block.data());
  }

  SpanTask task_of(GcmPartSums& sums) const {
    const auto work = [this](const Engine& engine, const SpanPart& part) { run_part(engine, part); };
    const auto collect = [this, &sums](const Engine& engine, uint64_t at, uint64_t bytes,
                                       const uint8_t* result) {
      const bool is_tag = engine.memory == Memory::device;
      const SecretGf128 beside(is_tag ? beside_sum(at, bytes) : Gf128{0, 0});
      sums.add(at / 16, divided_up(bytes, 16), gf128_from_block(result) ^ beside);
    };
    return {.work = work, .workspace = part_workspace, .collect = collect, .kind = WorkKind::gcm};
  }

  /// Does a part. Its result is the part's sum on the CPU, and its tag on a device.
  void run_part(const Engine& engine, const SpanPart& part) const {
    begun_ = true;
    const EngineKey& key = key_.prepared(engine, part.device);
    const CounterBlock first = add32(initial_, 1 + part.at / 16);
    if (engine.memory == Memory::device) {
      return engine.gcm_part_tag(key, {direction_, first, part.input, part.output, part.bytes, part.result},
                                 part.workspace, part.stream);
    }
    const std::unique_ptr<GcmPart> text = start_gcm_part(engine, key, hash_, direction_, first);
    text->crypt(part.input, part.output, part.bytes);
    gf128_to_block(text->sum(), part.result);
  }

  /// What a part's tag on a device has besides the part's sum. As a message by itself, the part has a length
  /// of its own, and the counter block before its first one as its J0 (SP 800-38D section 7.1 steps 5 and 6).
  Gf128 beside_sum(uint64_t at, uint64_t bytes) const {
    SecretBlock mask;
    store_counter(mask.data(), add32(initial_, at / 16));
    encrypt(mask);
    return gf128_from_block(mask.data()) ^ times_key(ghash_lengths(0, bytes));
  }

  Gf128 times_key(Gf128 value) const { return host_gf128().multiply(value, hash_.key); }

  const Key& key_;
  const Direction direction_;
  GcmHashKey hash_{};
  CounterBlock initial_{0, 1};  // J0 of the message that is being done
  mutable std::atomic<bool> begun_ = false;
};

}  // namespace

bool is_for_gcm_shared(const Context& context, const Batch& batch, const HostWork& work) {
  if (batch.mode != WARPAES_MODE_GCM || batch.messages == 0) return false;
  // Many messages keep everybody busy, even if nobody shares one, so they have to be longer.
  const TransferSizes& sizes = context.state().sizes;
  const uint64_t least = batch.messages == 1 ? sizes.least_for_gpu : 2 * sizes.piece;
  if (total_bytes(batch) / batch.messages < least) return false;
  return context.engine_for(work).gcm_part_tag != nullptr;
}

void gcm_shared(const Key& key, const Batch& batch) {
  GcmShared gcm(key, batch.direction);
  try {
    run_messages(batch, [&](const BatchMessage& message) { return gcm.tag_of(message); });
  } catch (...) {
    if (gcm.has_begun()) spoil(batch, status_of(std::current_exception()));
    throw;
  }
}

void gcm_shared_by(const Workers& workers, const Key& key, uint8_t* text, uint64_t bytes) {
  GcmShared(key, WARPAES_DIRECTION_ENCRYPT).run_text_by(workers, text, bytes);
}

}  // namespace warpaes::core
