// GCM from nothing but the block function encrypt_blocks, in the order of SP 800-38D section 7: batches, and
// messages in parts.
#include <algorithm>
#include <array>

#include "modes/aead_messages.hpp"
#include "modes/composed_batches.hpp"
#include "modes/gcm_parts.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {
namespace {

class Message {
 public:
  Message(const Engine& engine, const EngineKey& key, Ghash& ghash, const BatchMessage& message)
      : engine_(engine),
        key_(key),
        ghash_(ghash),
        message_(message),
        counter_(gcm_initial_counter(ghash, message.nonce, message.nonce_bytes)) {}
  ~Message() {
    OPENSSL_cleanse(&counter_, sizeof counter_);
  }  // with a nonce that has not 12 bytes, it tells H
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  void crypt() const {
    xor_key_stream(engine_, key_, add32(counter_, 1), add32, message_.input, message_.output, message_.bytes);
  }

  /// @param ciphertext the output when encrypting, the input when decrypting
  std::array<uint8_t, 16> tag(const uint8_t* ciphertext) const {
    ghash_.start();
    ghash_.add_padded(message_.aad, message_.aad_bytes);
    ghash_.add_padded(ciphertext, message_.bytes);
    ghash_.add(ghash_lengths(message_.aad_bytes, message_.bytes));
    SecretBlock sum;
    std::array<uint8_t, 16> tag{};
    gf128_to_block(ghash_.sum(), sum.data());
    xor_key_stream(engine_, key_, counter_, add32, sum.data(), tag.data(), tag.size());
    return tag;
  }

 private:
  const Engine& engine_;
  const EngineKey& key_;
  Ghash& ghash_;
  const BatchMessage message_;
  CounterBlock counter_;
};

class ComposedGcmPart : public GcmPart {
 public:
  ComposedGcmPart(const Engine& engine, const EngineKey& key, const GcmHashKey& hash, Direction direction,
                  CounterBlock first)
      : engine_(engine), key_(key), direction_(direction), first_(first), ghash_(hash.key) {}

  void add(const uint8_t* data, uint64_t bytes) override { hash(data, bytes); }

  /// What is hashed is the ciphertext, which in place is gone after decryption.
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    if (bytes_ == 0) pad();
    if (direction_ == WARPAES_DIRECTION_DECRYPT) hash(input, bytes);
    xor_stream(input, output, bytes);
    if (direction_ == WARPAES_DIRECTION_ENCRYPT) hash(output, bytes);
  }

  Gf128 sum() override {
    pad();
    ghash_.add(Gf128{0, 0});
    return ghash_.sum();
  }

 private:
  void xor_stream(const uint8_t* input, uint8_t* output, uint64_t bytes) {
    const uint64_t within = bytes_ % 16, head = std::min(bytes, (16 - within) % 16);
    if (head != 0) {
      SecretBlock block;
      store_counter(block.data(), add32(first_, bytes_ / 16));
      engine_.encrypt_blocks(key_, {block.data(), block.data(), block.size()}, nullptr);
      xor_bytes(output, input, block.data() + within, head);
      bytes_ += head;
    }
    xor_key_stream(engine_, key_, add32(first_, bytes_ / 16), add32, input + head, output + head,
                   bytes - head);
    bytes_ += bytes - head;
  }

  /// Bytes that make no whole block wait for those behind them.
  void hash(const uint8_t* data, uint64_t bytes) {
    const uint64_t head = held_bytes_ == 0 ? 0 : std::min<uint64_t>(bytes, held_.size() - held_bytes_);
    hold(data, head);
    const uint64_t whole = (bytes - head) / 16 * 16;
    if (whole != 0) ghash_.add_padded(data + head, whole);
    if (bytes != head + whole) hold(data + head + whole, bytes - head - whole);
  }

  void hold(const uint8_t* data, uint64_t bytes) {
    std::copy_n(data, bytes, held_.begin() + static_cast<ptrdiff_t>(held_bytes_));
    held_bytes_ += bytes;
    if (held_bytes_ == held_.size()) pad();
  }

  void pad() {
    ghash_.add_padded(held_.data(), held_bytes_);
    held_bytes_ = 0;
  }

  const Engine& engine_;
  const EngineKey& key_;
  const Direction direction_;
  const CounterBlock first_;
  Ghash ghash_;
  uint64_t bytes_ = 0;  // of text
  SecretBlock held_;
  uint64_t held_bytes_ = 0;
};

}  // namespace

void gcm_composed(const Engine& engine, const BatchKey& batch_key, const Batch& batch) {
  require_composable(engine, "GCM");
  const EngineKey& key = batch_key.prepared;
  Ghash ghash(gcm_hash_key(engine, key).key);
  for_each_sealed_message(batch, [&](const BatchMessage& given) {
    const Message message(engine, key, ghash, given);
    if (batch.direction == WARPAES_DIRECTION_ENCRYPT) {
      message.crypt();
      const SecretBlock tag(message.tag(given.output));  // of which the message may have a part only
      std::copy_n(tag.begin(), batch.tag_bytes, given.tag);
      return true;
    }
    // The tag is checked first, so no plaintext is ever made of a message that is not authentic.
    const bool right = has_right_tag(given, batch.tag_bytes, [&] { return message.tag(given.input); });
    if (right) message.crypt();
    return right;
  });
}

GcmHashKey gcm_hash_key(const Engine& engine, const EngineKey& key) {
  SecretBlock block;
  engine.encrypt_blocks(key, {block.data(), block.data(), block.size()}, nullptr);
  return {ghash_key(gf128_from_block(block.data()))};
}

std::unique_ptr<GcmPart> start_gcm_part(const Engine& engine, const EngineKey& key, const GcmHashKey& hash,
                                        Direction direction, CounterBlock first) {
  if (engine.gcm_part != nullptr) {
    if (auto part = engine.gcm_part(key, hash, direction, first)) return part;
  }
  return start_composed_gcm_part(engine, key, hash, direction, first);
}

std::unique_ptr<GcmPart> start_composed_gcm_part(const Engine& engine, const EngineKey& key,
                                                 const GcmHashKey& hash, Direction direction,
                                                 CounterBlock first) {
  return std::make_unique<ComposedGcmPart>(engine, key, hash, direction, first);
}

}  // namespace warpaes::core
