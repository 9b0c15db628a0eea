#include "pipeline/gcm_in_parts.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <vector>

#include "engines/batch.hpp"
#include "modes/aead_messages.hpp"
#include "modes/chain.hpp"
#include "pipeline/share.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {
namespace {

/// Shorter ones are done by one thread before the others are awake and their sums together.
constexpr uint64_t kShortestShared = 512 << 10;

bool is_worth_sharing(const WorkerThreads& threads, uint64_t bytes) {
  return threads.threads() > 1 && bytes >= kShortestShared;
}

CounterBlock initial_counter(const GcmHashKey& hash, std::span<const uint8_t> nonce) {
  Ghash ghash(hash.key);
  return gcm_initial_counter(ghash, nonce.data(), nonce.size());
}

void hash_part(GcmPart& part, const uint8_t* data, uint8_t*, uint64_t bytes) { part.add(data, bytes); }

void crypt_part(GcmPart& part, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  part.crypt(input, output, bytes);
}

uint8_t* shifted(uint8_t* output, uint64_t by) { return output == nullptr ? nullptr : output + by; }

/// A message as run_messages() wants it.
class SharedGcm {
 public:
  SharedGcm(const Engine& engine, const EngineKey& key, WorkerThreads& threads, Direction direction)
      : engine_(engine), key_(key), threads_(threads), direction_(direction) {}
  MacBlock seal(const BatchMessage& message) const { return tag_of(message); }
  MacBlock open(const BatchMessage& message) const { return tag_of(message); }

 private:
  MacBlock tag_of(const BatchMessage& message) const {
    GcmInParts gcm(engine_, key_, threads_, direction_, {message.nonce, message.nonce_bytes});
    gcm.add(message.aad, message.aad_bytes);
    gcm.crypt(message.input, message.output, message.bytes);
    return gcm.tag();
  }

  const Engine& engine_;
  const EngineKey& key_;
  WorkerThreads& threads_;
  const Direction direction_;
};

}  // namespace

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
  OPENSSL_cleanse(&sum_, sizeof sum_);
}

void GcmInParts::need_inverse() {
  if (hash_.inverse == Gf128{0, 0}) hash_.inverse = host_inverse(hash_.key);
}

std::unique_ptr<GcmPart> GcmInParts::start_part(uint64_t block) {
  return start_gcm_part(engine_, key_, hash_, direction_, add32(initial_, 1 + block));
}

void GcmInParts::append(Gf128 sum, Gf128 power) { sum_ = host_gf128().multiply(sum_, power) ^ sum; }

void GcmInParts::end_part() {
  if (part_ == nullptr) return;
  const uint64_t blocks = divided_up(aad_bytes_, 16) + divided_up(bytes_, 16);
  append(part_->sum(), host_power(hash_.key, blocks - ended_blocks_));
  ended_blocks_ = blocks;
  part_.reset();
}

/// Blocks of one string, each thread's share a part of its own.
void GcmInParts::share_blocks(const uint8_t* input, uint8_t* output, uint64_t blocks, Take take_part) {
  need_inverse();
  const uint64_t first_block = bytes_ / 16;
  const uint64_t per_piece = units_per_piece(blocks, 16, threads_.threads());
  std::vector<Gf128, SecretAllocator<Gf128>> sums(divided_up(blocks, per_piece));
  const auto blocks_of = [&](uint64_t piece) { return std::min(per_piece, blocks - piece * per_piece); };
  threads_.share(sums.size(), [&](uint64_t piece) {
    const uint64_t first = piece * per_piece;
    const std::unique_ptr<GcmPart> part = start_part(first_block + first);
    take_part(*part, input + 16 * first, shifted(output, 16 * first), 16 * blocks_of(piece));
    sums[piece] = part->sum();
  });
  const Gf128 power = host_power(hash_.key, per_piece);
  for (uint64_t piece = 0; piece < sums.size(); piece++) {
    const bool whole = blocks_of(piece) == per_piece;
    append(sums[piece], whole ? power : host_power(hash_.key, blocks_of(piece)));
  }
  ended_blocks_ += blocks;
}

/// @param taken how much of this string has been taken: additional data, or text
void GcmInParts::take(const uint8_t* input, uint8_t* output, uint64_t bytes, uint64_t& taken,
                      Take take_part) {
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
    share_blocks(input + at, shifted(output, at), blocks, take_part);
    taken += 16 * blocks;
    at += 16 * blocks;
  }
  take_some(bytes - at);
}

void GcmInParts::add(const uint8_t* data, uint64_t bytes) {
  take(data, nullptr, bytes, aad_bytes_, hash_part);
}

void GcmInParts::crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) {
  take(input, output, bytes, bytes_, crypt_part);
}

MacBlock GcmInParts::tag() {
  end_part();
  SecretBlock sum, mask;
  const Gf128 lengths = host_gf128().multiply(ghash_lengths(aad_bytes_, bytes_), hash_.key);
  gf128_to_block(sum_ ^ lengths, sum.data());
  store_counter(mask.data(), initial_);
  engine_.encrypt_blocks(key_, {mask.data(), mask.data(), mask.size()}, nullptr);
  MacBlock tag;
  xor_bytes(tag.data(), sum.data(), mask.data(), tag.size());
  return tag;
}

bool shares_gcm_messages(const WorkerThreads& threads, const Batch& batch) {
  return batch.mode == WARPAES_MODE_GCM && batch.messages < threads.threads() &&
         is_worth_sharing(threads, std::max(batch.bytes, batch.aad_bytes));
}

void gcm_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, const Batch& batch) {
  const SharedGcm gcm(engine, key, threads, batch.direction);
  run_messages(gcm, batch);
}

}  // namespace warpaes::core
