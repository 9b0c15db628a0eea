// EAX from CMAC and CTR, in the order of Bellare, Rogaway and Wagner, "The EAX Mode of Operation" (FSE
// 2004), figure 4.
#include "modes/aead_messages.hpp"
#include "modes/aead_modes.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"

namespace warpaes {
namespace {

class Eax {
 public:
  Eax(const Engine& engine, const EngineKey& key) : engine_(engine), key_(key), cmac_(engine, key) {}

  MacBlock seal(const BatchMessage& message) {
    const SecretBlock counter(omac(0, message.nonce, message.nonce_bytes));
    crypt(counter, message);
    return tag_of(counter, message, message.output);
  }

  MacBlock open(const BatchMessage& message) {
    const SecretBlock counter(omac(0, message.nonce, message.nonce_bytes));
    MacBlock tag = tag_of(counter, message, message.input);  // before the input is overwritten
    crypt(counter, message);
    return tag;
  }

 private:
  /// OMAC^t of figure 4: CMAC of the number in a block, and of the string behind it.
  MacBlock omac(uint8_t number, const uint8_t* data, uint64_t bytes) {
    MacBlock block{};
    block[15] = number;
    cmac_.start();
    cmac_.add(block.data(), block.size());
    cmac_.add(data, bytes);
    return cmac_.finish();
  }

  /// @param counter script N, the OMAC of the nonce
  void crypt(const MacBlock& counter, const BatchMessage& message) const {
    ctr(engine_, key_, {counter.data(), message.input, message.output, message.bytes}, nullptr);
  }

  MacBlock tag_of(const MacBlock& counter, const BatchMessage& message, const uint8_t* ciphertext) {
    const SecretBlock of_aad(omac(1, message.aad, message.aad_bytes));
    MacBlock tag = omac(2, ciphertext, message.bytes);
    xor_bytes(tag.data(), tag.data(), of_aad.data(), tag.size());
    xor_bytes(tag.data(), tag.data(), counter.data(), tag.size());
    return tag;
  }

  const Engine& engine_;
  const EngineKey& key_;
  Cmac cmac_;
};

}  // namespace

void eax_composed(const Engine& engine, const AeadKey& key, const AeadBatch& batch) {
  require_composable(engine, "EAX");
  Eax eax(engine, key.prepared);
  run_messages(eax, batch);
}

}  // namespace warpaes
