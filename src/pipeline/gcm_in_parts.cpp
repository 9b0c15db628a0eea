#include "pipeline/gcm_in_parts.hpp"

#include <openssl/crypto.h>

#include <algorithm>

#include "modes/aead_messages.hpp"
#include "modes/chain.hpp"
#include "pipeline/worker_threads.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {
namespace {

/// A shorter string is done by one thread before others would be awake and their sums put together.
constexpr uint64_t kShortestShared = 512 << 10;

bool is_worth_sharing(const WorkerThreads& threads, uint64_t bytes) {
  return threads.threads() > 1 && bytes >= kShortestShared;
}

CounterBlock initial_counter(const GcmHashKey& hash, std::span<const uint8_t> nonce) {
  Ghash ghash(hash.key);
  return gcm_initial_counter(ghash, nonce.data(), nonce.size());
}

/// @param output null if the input is additional data
void take_part(GcmPart& part, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  output == nullptr ? part.add(input, bytes) : part.crypt(input, output, bytes);
}

}  // namespace

void GcmPartSums::add(uint64_t first_block, uint64_t blocks, Gf128 sum) {
  const std::lock_guard lock(mutex_);
  parts_[first_block] = {blocks, sum};
}

Gf128 GcmPartSums::behind(Gf128 before) const {
  Gf128 all = before, power{};
  uint64_t power_of = 0;  // most parts are equally long
  for (const auto& [first, part] : parts_) {
    if (part.blocks != power_of) power = host_power(hash_key_, power_of = part.blocks);
    all = host_gf128().multiply(all, power) ^ part.sum;
  }
  OPENSSL_cleanse(&power, sizeof power);
  return all;
}

GcmInParts::GcmInParts(const Engine& engine, const EngineKey& key, WorkerThreads& threads,
                       Direction direction, std::span<const uint8_t> nonce)
    : engine_(engine),
      key_(key),
      threads_(threads),
      direction_(direction),
      hash_(gcm_hash_key(engine, key)),
      initial_(initial_counter(hash_, nonce)) {}

GcmInParts::~GcmInParts() {
  OPENSSL_cleanse(&hash_, sizeof hash_);
  OPENSSL_cleanse(&initial_, sizeof initial_);  // with a nonce that has not 12 bytes, it tells H
  OPENSSL_cleanse(&sum_, sizeof sum_);
}

void GcmInParts::need_inverse() {
  if (hash_.inverse == Gf128{0, 0}) hash_.inverse = host_inverse(hash_.key);
}

std::unique_ptr<GcmPart> GcmInParts::start_part(uint64_t block) {
  return start_gcm_part(engine_, key_, hash_, direction_, add32(initial_, 1 + block));
}

void GcmInParts::end_part() {
  if (part_ == nullptr) return;
  const uint64_t blocks = divided_up(aad_bytes_, 16) + divided_up(bytes_, 16);
  sum_ = host_gf128().multiply(sum_, host_power(hash_.key, blocks - ended_blocks_)) ^ part_->sum();
  ended_blocks_ = blocks;
  part_.reset();
}

/// Does whole blocks of one string. Each thread's share is a part of its own.
void GcmInParts::share_blocks(const uint8_t* input, uint8_t* output, uint64_t blocks) {
  need_inverse();
  const uint64_t first_block = bytes_ / 16;
  GcmPartSums sums(hash_.key);
  share(threads_, blocks, 16, [&](uint64_t first, uint64_t count) {
    const std::unique_ptr<GcmPart> part = start_part(first_block + first);
    take_part(*part, input + 16 * first, shifted(output, 16 * first), 16 * count);
    sums.add(first, count, part->sum());
  });
  sum_ = sums.behind(sum_);
  ended_blocks_ += blocks;
}

/// Takes bytes of additional data, if `output` is null, or of text.
/// @param taken how many bytes of that string have been taken so far
void GcmInParts::take(const uint8_t* input, uint8_t* output, uint64_t bytes, uint64_t& taken) {
  uint64_t at = 0;
  const auto take_some = [&](uint64_t some) {
    if (some == 0) return;
    if (part_ == nullptr) {
      if (bytes_ != 0 || (initial_.low & 0xffffffff) != 1) need_inverse();
      part_ = start_part(bytes_ / 16);
    }
    take_part(*part_, input + at, shifted(output, at), some);
    taken += some;
    at += some;
  };
  if (is_worth_sharing(threads_, bytes)) {
    take_some((16 - taken % 16) % 16);
    end_part();
    const uint64_t blocks = (bytes - at) / 16;
    share_blocks(input + at, shifted(output, at), blocks);
    taken += 16 * blocks;
    at += 16 * blocks;
  }
  take_some(bytes - at);
}

void GcmInParts::add(const uint8_t* data, uint64_t bytes) { take(data, nullptr, bytes, aad_bytes_); }

void GcmInParts::crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) {
  take(input, output, bytes, bytes_);
}

MacBlock GcmInParts::tag() {
  end_part();
  SecretBlock mask;
  store_counter(mask.data(), initial_);
  engine_.encrypt_blocks(key_, {mask.data(), mask.data(), mask.size()}, nullptr);
  const SecretGf128 lengths(host_gf128().multiply(ghash_lengths(aad_bytes_, bytes_), hash_.key));
  MacBlock tag;
  gf128_to_block(sum_ ^ lengths ^ gf128_from_block(mask.data()), tag.data());
  return tag;
}

bool shares_gcm_messages(const WorkerThreads& threads, const Batch& batch) {
  return batch.mode == WARPAES_MODE_GCM && batch.messages < threads.threads() &&
         is_worth_sharing(threads, std::max(batch.bytes, batch.aad_bytes));
}

void gcm_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, const Batch& batch) {
  run_messages(batch, [&](const BatchMessage& message) {
    GcmInParts gcm(engine, key, threads, batch.direction, {message.nonce, message.nonce_bytes});
    gcm.add(message.aad, message.aad_bytes);
    gcm.crypt(message.input, message.output, message.bytes);
    return gcm.tag();
  });
}

}  // namespace warpaes::core
