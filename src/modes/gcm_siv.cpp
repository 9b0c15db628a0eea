// GCM-SIV from encrypt_blocks, in the order of RFC 8452.
#include <array>
#include <memory>

#include "modes/aead_messages.hpp"
#include "modes/composed_batches.hpp"
#include "modes/mac_chain.hpp"
#include "primitives/polyval.hpp"
#include "primitives/wiped.hpp"

namespace warpaes::core {
namespace {

/// Section 4: a key to authenticate with and one to encrypt with, of the key and the nonce; wiped.
class DerivedKeys {
 public:
  DerivedKeys(const Engine& engine, const BatchKey& key, const uint8_t* nonce) {
    const size_t key_bytes = static_cast<size_t>(key.bits / 8), blocks = 2 + key_bytes / 8;
    uint8_t* const block = blocks_.data();
    for (size_t i = 0; i < blocks; i++) {
      store_le32(block + 16 * i, static_cast<uint32_t>(i));
      std::copy_n(nonce, 12, block + 16 * i + 4);
    }
    engine.encrypt_blocks(key.prepared, {block, block, 16 * blocks}, nullptr);
    for (size_t i = 1; i < blocks; i++) std::copy_n(block + 16 * i, 8, block + 8 * i);
    const KeySchedule schedule({block + 16, key_bytes});
    encryption_ = engine.prepare(schedule, 0);
  }

  const uint8_t* authentication() const { return blocks_.data(); }
  const EngineKey& encryption() const { return *encryption_; }

 private:
  Wiped<std::array<uint8_t, 16 * 6>> blocks_;
  std::unique_ptr<EngineKey> encryption_;
};

/// AES_CTR of section 4: the first four bytes count, little-endian, modulo 2^32.
CounterBlock count_in_front(CounterBlock counter, uint64_t blocks) {
  const uint32_t count = __builtin_bswap32(static_cast<uint32_t>(counter.high >> 32));
  const uint32_t next = __builtin_bswap32(count + static_cast<uint32_t>(blocks));
  return {uint64_t{next} << 32 | (counter.high & 0xffffffffu), counter.low};
}

class GcmSiv {
 public:
  GcmSiv(const Engine& engine, const BatchKey& key) : engine_(engine), key_(key) {}

  MacBlock seal(const BatchMessage& message) const {
    const DerivedKeys keys(engine_, key_, message.nonce);
    const MacBlock tag = tag_of(keys, message, message.input);
    crypt(keys, message, tag.data());
    return tag;
  }

  /// Section 5: the tag is of the plaintext, so that is made first.
  MacBlock open(const BatchMessage& message) const {
    const DerivedKeys keys(engine_, key_, message.nonce);
    MacBlock given;
    std::copy_n(message.tag, given.size(), given.begin());
    crypt(keys, message, given.data());
    return tag_of(keys, message, message.output);
  }

 private:
  void crypt(const DerivedKeys& keys, const BatchMessage& message, const uint8_t* tag) const {
    MacBlock first;
    std::copy_n(tag, first.size(), first.begin());
    first[15] |= 0x80;
    xor_key_stream(engine_, keys.encryption(), load_counter(first.data()), count_in_front, message.input,
                   message.output, message.bytes);
  }

  MacBlock tag_of(const DerivedKeys& keys, const BatchMessage& message, const uint8_t* plaintext) const {
    Polyval polyval(keys.authentication());
    polyval.add_padded(message.aad, message.aad_bytes);
    polyval.add_padded(plaintext, message.bytes);
    uint8_t lengths[16];
    store_le64(lengths, 8 * message.aad_bytes);
    store_le64(lengths + 8, 8 * message.bytes);
    polyval.add_padded(lengths, sizeof lengths);
    SecretBlock sum;
    polyval.store_sum(sum.data());
    xor_bytes(sum.data(), sum.data(), message.nonce, 12);
    sum[15] &= 0x7f;
    MacBlock tag;
    engine_.encrypt_blocks(keys.encryption(), {sum.data(), tag.data(), tag.size()}, nullptr);
    return tag;
  }

  const Engine& engine_;
  const BatchKey& key_;
};

}  // namespace

void gcm_siv_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  require_composable(engine, "GCM-SIV");
  const GcmSiv gcm_siv(engine, key);
  run_messages(gcm_siv, batch);
}

}  // namespace warpaes::core
