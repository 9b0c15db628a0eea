// The chained modes from nothing but encrypt_blocks, block by block, as the standards write them.
#include <openssl/crypto.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "modes/chained_batch.hpp"

namespace warpaes {
namespace {

/// The chain's last link: secret in CMAC, and in OFB worth the plaintext that it hides.
class Chain {
 public:
  Chain(const Engine& engine, const EngineKey& key) : engine_(engine), key_(key) {}
  ~Chain() { OPENSSL_cleanse(link_.data(), link_.size()); }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  void start(const uint8_t* iv) {
    if (iv == nullptr) {
      link_.fill(0);
    } else {
      std::copy_n(iv, link_.size(), link_.begin());
    }
  }
  void encrypt() { engine_.encrypt_blocks(key_, {link_.data(), link_.data(), link_.size()}, nullptr); }
  void add(const uint8_t* bytes, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) link_[i] ^= bytes[i];
  }
  const MacBlock& link() const { return link_; }

 private:
  const Engine& engine_;
  const EngineKey& key_;
  MacBlock link_{};
};

struct Masks : MacMasks {
  Masks(const Engine& engine, const EngineKey& key, Chaining chaining) : MacMasks{} {
    if (chaining != Chaining::cmac) return;
    Chain l(engine, key);
    l.encrypt();
    static_cast<MacMasks&>(*this) = cmac_subkeys(l.link());
  }
  ~Masks() { OPENSSL_cleanse(static_cast<MacMasks*>(this), sizeof(MacMasks)); }
  Masks(const Masks&) = delete;
  Masks& operator=(const Masks&) = delete;
};

/// SP 800-38B section 6.2.
void authenticate(Chain& chain, const Masks& masks, const ChainedMessage& message, size_t tag_bytes) {
  const uint64_t before_last = message.bytes == 0 ? 0 : (message.bytes - 1) / 16 * 16;
  for (uint64_t at = 0; at < before_last; at += 16) {
    chain.add(message.input + at, 16);
    chain.encrypt();
  }
  const uint64_t last = message.bytes - before_last;
  if (last != 0) chain.add(message.input + before_last, last);
  MacBlock mask = last == 16 ? masks.whole : masks.padded;
  if (last != 16) mask[last] ^= 0x80;
  chain.add(mask.data(), mask.size());
  OPENSSL_cleanse(mask.data(), mask.size());
  chain.encrypt();
  std::copy_n(chain.link().begin(), tag_bytes, message.tag);
}

/// SP 800-38A: CBC feeds back C = E(P ^ C), CFB C = E(C) ^ P, and OFB the key stream itself.
void crypt(Chain& chain, Chaining chaining, const ChainedMessage& message) {
  for (uint64_t at = 0; at < message.bytes; at += 16) {
    const uint64_t bytes = std::min<uint64_t>(16, message.bytes - at);
    if (chaining == Chaining::cbc_encrypt) chain.add(message.input + at, bytes);
    chain.encrypt();
    if (chaining == Chaining::cfb_encrypt) chain.add(message.input + at, bytes);
    for (uint64_t i = 0; i < bytes; i++) {
      const uint8_t stream = chain.link()[i];
      const uint8_t byte = chaining == Chaining::ofb ? message.input[at + i] ^ stream : stream;
      message.output[at + i] = byte;
    }
  }
}

}  // namespace

void chained_batch_composed(const Engine& engine, const EngineKey& key, const ChainedBatch& batch) {
  if (engine.memory != Memory::host) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string(engine.name) + " has no chained modes");
  }
  const Masks masks(engine, key, batch.chaining);
  Chain chain(engine, key);
  for (uint64_t index = 0; index < batch.messages; index++) {
    const ChainedMessage message = message_of(batch, index);
    if (batch.statuses != nullptr) batch.statuses[index] = message.status;
    if (message.status != WARPAES_OK) continue;
    chain.start(message.iv);
    if (makes_tags(batch.chaining)) {
      authenticate(chain, masks, message, batch.tag_bytes);
    } else {
      crypt(chain, batch.chaining, message);
    }
  }
}

}  // namespace warpaes
