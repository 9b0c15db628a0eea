// EAX from CMAC and CTR, in the order of Bellare, Rogaway and Wagner, "The EAX Mode of Operation" (FSE
// 2004), figure 4.
#include "modes/aead_messages.hpp"
#include "modes/composed_batches.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

class Eax {
 public:
  Eax(const Engine& engine, const EngineKey& key) : engine_(engine), key_(key), cmac_(engine, key) {}

  MacBlock seal(const BatchMessage& message) {
    const SecretBlock counter(cmac_.omac(0, message.nonce, message.nonce_bytes));
    crypt(counter, message);
    return tag_of(counter, message, message.output);
  }

  MacBlock open(const BatchMessage& message) {
    const SecretBlock counter(cmac_.omac(0, message.nonce, message.nonce_bytes));
    // The tag comes first, as decryption in place overwrites the input.
    MacBlock tag = tag_of(counter, message, message.input);
    crypt(counter, message);
    return tag;
  }

 private:
  /// @param counter the OMAC of the nonce, which the paper writes as a script N
  void crypt(const MacBlock& counter, const BatchMessage& message) const {
    ctr(engine_, key_, {counter.data(), message.input, message.output, message.bytes}, nullptr);
  }

  MacBlock tag_of(const MacBlock& counter, const BatchMessage& message, const uint8_t* ciphertext) {
    const SecretBlock of_aad(cmac_.omac(1, message.aad, message.aad_bytes));
    MacBlock tag = cmac_.omac(2, ciphertext, message.bytes);
    xor_block(tag, of_aad);
    xor_block(tag, counter);
    return tag;
  }

  const Engine& engine_;
  const EngineKey& key_;
  Cmac cmac_;
};

}  // namespace

void eax_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  require_composable(engine, "EAX");
  Eax eax(engine, key.prepared);
  run_messages(eax, batch);
}

}  // namespace warpaes::core
