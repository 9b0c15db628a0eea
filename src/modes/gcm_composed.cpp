// GCM from nothing but the block function encrypt_blocks, in the order of SP 800-38D section 7.
#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <string>

#include "engines/batch.hpp"
#include "failure.hpp"
#include "modes/composed_batches.hpp"
#include "modes/gcm_parts.hpp"
#include "modes/key_stream.hpp"
#include "modes/mac_chain.hpp"
#include "primitives/ghash.hpp"
#include "process/residue.hpp"

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

  void crypt() const {
    xor_key_stream(engine_, key_, add32(counter_, 1), add32, message_.input, message_.output, message_.bytes);
  }

  /// Does the input, which is ciphertext, have the tag that is given? Whoever finds the tag that a forgery
  /// should have had can forge, so it is wiped. This function is not inlined, so that what the compiler keeps
  /// of the tag lies in this stack frame or below, which the caller wipes.
  [[gnu::noinline]] bool has_tag(size_t bytes) const {
    const SecretBlock right(tag(message_.input));
    return CRYPTO_memcmp(right.data(), message_.tag, bytes) == 0;
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
  const CounterBlock counter_;
};

}  // namespace

void gcm_composed(const Engine& engine, const BatchKey& batch_key, const Batch& batch) {
  if (engine.memory != Memory::host) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string(engine.name) + " has no GCM");
  }
  const EngineKey& key = batch_key.prepared;
  Ghash ghash(gcm_hash_key(engine, key).key);
  for_each_sealed_message(batch, [&](const BatchMessage& given) {
    const Message message(engine, key, ghash, given);
    if (batch.direction == WARPAES_DIRECTION_ENCRYPT) {
      message.crypt();
      std::copy_n(message.tag(given.output).begin(), batch.tag_bytes, given.tag);
      return true;
    }
    // The tag is checked first, so no plaintext is ever made of a message that is not authentic.
    const bool right = message.has_tag(batch.tag_bytes);
    if (right) {
      message.crypt();
    } else {
      wipe_residue(StackDepth::callers_thread);
    }
    return right;
  });
}

}  // namespace warpaes::core
