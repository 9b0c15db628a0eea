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
  ~GcmShared() { OPENSSL_cleanse(&hash_, sizeof hash_); }
  GcmShared(const GcmShared&) = delete;
  GcmShared& operator=(const GcmShared&) = delete;

  /// Has anything been written, or is about to be?
  bool has_begun() const { return begun_; }

  void run_text_by(const Workers& workers, uint8_t* text, uint64_t bytes) const {
    GcmPartSums sums(hash_.key);
    run_span_by(workers, key_.context(), {text, text, bytes, 16}, task_of({0, 1}, sums));
  }

  /// Encrypts or decrypts the message, too.
  MacBlock tag_of(const BatchMessage& message) const {
    Ghash ghash(hash_.key);
    const CounterBlock initial = gcm_initial_counter(ghash, message.nonce, message.nonce_bytes);
    GcmPartSums sums(hash_.key);
    run_span(key_.context(), {message.input, message.output, message.bytes, 16}, task_of(initial, sums));
    ghash.start();
    ghash.add_padded(message.aad, message.aad_bytes);
    if (message.aad_bytes != 0) ghash.add(Gf128{0, 0});
    const SecretGf128 sum(sums.behind(ghash.sum()) ^
                          times_key(ghash_lengths(message.aad_bytes, message.bytes)));
    SecretBlock mask;
    store_counter(mask.data(), initial);
    encrypt(mask);
    MacBlock tag;
    gf128_to_block(sum ^ gf128_from_block(mask.data()), tag.data());
    return tag;
  }

 private:
  /// No engine is asked: a context may have none that works on host memory.
  void encrypt(SecretBlock& block) const {
    const KeySchedule& schedule = key_.schedule();
    careful_block(schedule.encryption(), schedule.rounds(), block.data(), block.data());
  }

  SpanTask task_of(CounterBlock initial, GcmPartSums& sums) const {
    const auto first_of = [initial](uint64_t at) { return add32(initial, 1 + at / 16); };
    const auto work = [this, first_of](const Engine& engine, const SpanPart& part) {
      run_part(engine, first_of(part.at), part);
    };
    const auto collect = [this, first_of, &sums](const Engine& engine, uint64_t at, uint64_t bytes,
                                                 const uint8_t* result) {
      const Gf128 sum = gf128_from_block(result);
      const bool is_tag = engine.memory == Memory::device;
      sums.add(at / 16, divided_up(bytes, 16), is_tag ? sum ^ beside_sum(first_of(at), bytes) : sum);
    };
    return {.work = work, .workspace = part_workspace, .collect = collect, .kind = WorkKind::gcm};
  }

  /// The result is the part's sum, or on a device its tag.
  void run_part(const Engine& engine, CounterBlock first, const SpanPart& part) const {
    begun_ = true;
    const EngineKey& key = key_.prepared(engine, part.device);
    if (engine.memory == Memory::device) {
      return engine.gcm_part_tag(key, {direction_, first, part.input, part.output, part.bytes, part.result},
                                 part.workspace, part.stream);
    }
    const std::unique_ptr<GcmPart> text = start_gcm_part(engine, key, hash_, direction_, first);
    text->crypt(part.input, part.output, part.bytes);
    gf128_to_block(text->sum(), part.result);
  }

  /// What a part's tag has besides its sum: the part's length, and the encrypted counter before its first.
  Gf128 beside_sum(CounterBlock first, uint64_t bytes) const {
    SecretBlock mask;
    store_counter(mask.data(), add32(first, 0xffffffff));
    encrypt(mask);
    return gf128_from_block(mask.data()) ^ times_key(ghash_lengths(0, bytes));
  }

  Gf128 times_key(Gf128 value) const { return host_gf128().multiply(value, hash_.key); }

  const Key& key_;
  const Direction direction_;
  GcmHashKey hash_{};
  mutable std::atomic<bool> begun_ = false;
};

}  // namespace

bool is_for_gcm_shared(const Context& context, const Batch& batch, const HostWork& work) {
  if (batch.mode != WARPAES_MODE_GCM || batch.messages == 0) return false;
  // Many messages keep everybody busy, also if nobody shares one.
  const TransferSizes& sizes = context.state().sizes;
  const uint64_t least = batch.messages == 1 ? sizes.least_for_gpu : 2 * sizes.piece;
  if (total_bytes(batch) / batch.messages < least) return false;
  return context.engine_for(work).gcm_part_tag != nullptr;
}

void gcm_shared(const Key& key, const Batch& batch) {
  const GcmShared gcm(key, batch.direction);
  try {
    run_messages(batch, [&](const BatchMessage& message) { return gcm.tag_of(message); });
  } catch (...) {
    const Status status = status_of(std::current_exception());
    if (gcm.has_begun()) {
      spoil(batch, status);
    } else {
      for (uint64_t m = 0; m < batch.messages; m++) tell(batch, m, {status, 0});
    }
    throw;
  }
}

void gcm_shared_by(const Workers& workers, const Key& key, uint8_t* text, uint64_t bytes) {
  GcmShared(key, WARPAES_DIRECTION_ENCRYPT).run_text_by(workers, text, bytes);
}

}  // namespace warpaes::core
