// Batches of the chained modes message by message, with the modes for one message; and CMAC from CBC, of
// which it is the last block (SP 800-38B section 6.2).
#include <openssl/crypto.h>

#include <algorithm>
#include <string>

#include "modes/chain.hpp"
#include "modes/chained_batch.hpp"
#include "modes/modes.hpp"

namespace warpaes {
namespace {

/// A secret block; wiped.
struct SecretBlock : MacBlock {
  SecretBlock() : MacBlock{} {}
  ~SecretBlock() { OPENSSL_cleanse(data(), size()); }
  SecretBlock(const SecretBlock&) = delete;
  SecretBlock& operator=(const SecretBlock&) = delete;
};

/// CMAC and CBC-MAC under one key.
class Mac {
 public:
  Mac(const Engine& engine, const EngineKey& key, Chaining chaining) : engine_(engine), key_(key) {
    if (chaining != Chaining::cmac) return;
    SecretBlock l;
    engine.encrypt_blocks(key, {l.data(), l.data(), l.size()}, nullptr);
    masks_ = cmac_subkeys(l);
  }
  ~Mac() { OPENSSL_cleanse(&masks_, sizeof masks_); }
  Mac(const Mac&) = delete;
  Mac& operator=(const Mac&) = delete;

  void tag(const ChainedMessage& message, size_t tag_bytes) const {
    const uint64_t before_last = message.bytes == 0 ? 0 : (message.bytes - 1) / 16 * 16;
    SecretBlock link;
    chain(link, message.input, before_last);
    const uint64_t last_bytes = message.bytes - before_last;
    SecretBlock last;
    if (last_bytes != 0) std::copy_n(message.input + before_last, last_bytes, last.begin());
    if (last_bytes != last.size()) last[last_bytes] = 0x80;
    const MacBlock& mask = last_bytes == last.size() ? masks_.whole : masks_.padded;
    xor_bytes(last.data(), last.data(), mask.data(), last.size());
    chain(link, last.data(), last.size());
    std::copy_n(link.begin(), tag_bytes, message.tag);
  }

 private:
  /// Through whole blocks; the ciphertext is not kept.
  void chain(SecretBlock& link, const uint8_t* input, uint64_t bytes) const {
    ChainScratch scratch;
    for (uint64_t at = 0; at < bytes; at += scratch.bytes.size()) {
      const uint64_t part = std::min<uint64_t>(scratch.bytes.size(), bytes - at);
      cbc(engine_, key_, WARPAES_ENCRYPT, {link.data(), input + at, scratch.bytes.data(), part}, nullptr, 0,
          nullptr);
      std::copy_n(scratch.bytes.data() + part - link.size(), link.size(), link.begin());
    }
  }

  const Engine& engine_;
  const EngineKey& key_;
  MacMasks masks_{};
};

void crypt(const Engine& engine, const EngineKey& key, Chaining chaining, const ChainedMessage& message) {
  const ChainRun run{message.iv, message.input, message.output, message.bytes};
  if (chaining == Chaining::cbc_encrypt) {
    cbc(engine, key, WARPAES_ENCRYPT, run, nullptr, 0, nullptr);
  } else if (chaining == Chaining::cfb_encrypt) {
    cfb(engine, key, WARPAES_ENCRYPT, run, nullptr, 0, nullptr);
  } else {
    ofb(engine, key, run, nullptr);
  }
}

}  // namespace

void chained_batch_composed(const Engine& engine, const EngineKey& key, const ChainedBatch& batch) {
  require_composable(engine, "batches of modes that chain");
  const Mac mac(engine, key, batch.chaining);
  for (uint64_t index = 0; index < batch.messages; index++) {
    const ChainedMessage message = message_of(batch, index);
    if (batch.statuses != nullptr) batch.statuses[index] = message.status;
    if (message.status != WARPAES_OK) continue;
    if (makes_tags(batch.chaining)) {
      mac.tag(message, batch.tag_bytes);
    } else {
      crypt(engine, key, batch.chaining, message);
    }
  }
}

}  // namespace warpaes
