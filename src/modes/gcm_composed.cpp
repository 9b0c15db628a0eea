// GCM from nothing but encrypt_blocks, in the order of SP 800-38D section 7.
#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "failure.hpp"
#include "modes/key_stream.hpp"
#include "modes/modes.hpp"
#include "primitives/ghash.hpp"

namespace warpaes {
namespace {

Gf128 hash_subkey(const Engine& engine, const EngineKey& key) {
  uint8_t block[16] = {};
  engine.encrypt_blocks(key, {block, block, sizeof block}, nullptr);
  const Gf128 h = gf128_from_block(block);
  OPENSSL_cleanse(block, sizeof block);
  return h;
}

class Message {
 public:
  Message(const Engine& engine, const EngineKey& key, Ghash& ghash, const GcmBatch& batch, uint64_t index)
      : engine_(engine),
        key_(key),
        ghash_(ghash),
        bytes_(batch.bytes),
        aad_bytes_(batch.aad_bytes),
        aad_(piece(batch.aad, batch.aad_stride, index)),
        input_(piece(batch.input, batch.input_stride, index)),
        output_(piece(batch.output, batch.output_stride, index)),
        counter_(batch.host_nonce != nullptr
                     ? gcm_initial_counter(ghash, batch.host_nonce, batch.host_nonce_bytes)
                     : gcm_initial_counter(ghash, piece(batch.nonces, batch.nonce_stride, index), 12)) {}

  void crypt() const { xor_key_stream(engine_, key_, add32(counter_, 1), add32, input_, output_, bytes_); }

  /// @param ciphertext output of encryption, input of decryption
  std::array<uint8_t, 16> tag(const uint8_t* ciphertext) const {
    ghash_.start();
    ghash_.add_padded(aad_, aad_bytes_);
    ghash_.add_padded(ciphertext, bytes_);
    ghash_.add(ghash_lengths(aad_bytes_, bytes_));
    std::array<uint8_t, 16> sum{}, tag{};
    gf128_to_block(ghash_.sum(), sum.data());
    xor_key_stream(engine_, key_, counter_, add32, sum.data(), tag.data(), tag.size());
    return tag;
  }

  const uint8_t* input() const { return input_; }
  uint8_t* output() const { return output_; }

 private:
  template <typename T>
  static T* piece(T* first, uint64_t stride, uint64_t index) {
    return first == nullptr ? nullptr : first + index * stride;
  }

  const Engine& engine_;
  const EngineKey& key_;
  Ghash& ghash_;
  const uint64_t bytes_, aad_bytes_;
  const uint8_t* const aad_;
  const uint8_t* const input_;
  uint8_t* const output_;
  const CounterBlock counter_;
};

}  // namespace

void gcm_composed(const Engine& engine, const EngineKey& key, const GcmBatch& batch) {
  if (engine.memory != Memory::host) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string(engine.name) + " has no GCM");
  }
  Ghash ghash(ghash_key(hash_subkey(engine, key)));
  for (uint64_t index = 0; index < batch.messages; index++) {
    const Message message(engine, key, ghash, batch, index);
    uint8_t* const tag = batch.tags + index * batch.tag_stride;
    if (batch.direction == WARPAES_ENCRYPT) {
      message.crypt();
      std::copy_n(message.tag(message.output()).begin(), batch.tag_bytes, tag);
      continue;
    }
    // The tag first: of a message that is not authentic, no plaintext is ever made.
    const bool right = CRYPTO_memcmp(message.tag(message.input()).data(), tag, batch.tag_bytes) == 0;
    if (right) {
      message.crypt();
    } else if (batch.bytes != 0) {
      std::memset(message.output(), 0, batch.bytes);
    }
    batch.statuses[index] = right ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION;
  }
}

}  // namespace warpaes
