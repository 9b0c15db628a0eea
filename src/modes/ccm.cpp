// CCM from CBC and CTR, in the order of SP 800-38C section 6, with the formats of its appendix A.
#include "modes/aead_messages.hpp"
#include "modes/composed_batches.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

/// Stores the low `bytes` bytes of a number, big-endian, in a field that ends at `end`.
void store_big_endian(uint8_t* end, size_t bytes, uint64_t number) {
  for (; bytes != 0; bytes--, number >>= 8) *--end = static_cast<uint8_t>(number);
}

class Ccm {
 public:
  Ccm(const Engine& engine, const EngineKey& key, size_t tag_bytes)
      : engine_(engine), key_(key), mac_(engine, key), tag_bytes_(tag_bytes) {}

  /// Section 6.1.
  MacBlock seal(const BatchMessage& message) {
    const MacBlock tag = tag_of(message, message.input);
    crypt(message);
    return tag;
  }

  /// Section 6.2. The tag is made of the plaintext, so the message is decrypted first.
  MacBlock open(const BatchMessage& message) {
    crypt(message);
    return tag_of(message, message.output);
  }

 private:
  /// Appendix A.3: the counter block Ctr_i, whose flags only hold q - 1.
  static MacBlock counter(const BatchMessage& message, uint8_t i) {
    MacBlock block{};
    block[0] = static_cast<uint8_t>(15 - message.nonce_bytes - 1);
    std::copy_n(message.nonce, message.nonce_bytes, block.begin() + 1);
    block[15] = i;
    return block;
  }

  void crypt(const BatchMessage& message) const {
    const MacBlock first = counter(message, 1);
    ctr(engine_, key_, {first.data(), message.input, message.output, message.bytes}, nullptr);
  }

  /// Appendix A.2.1: B_0.
  MacBlock first_block(const BatchMessage& message) const {
    const size_t q = 15 - message.nonce_bytes;
    MacBlock block{};
    block[0] =
        static_cast<uint8_t>((message.aad_bytes != 0 ? 0x40 : 0) | (tag_bytes_ - 2) / 2 << 3 | (q - 1));
    std::copy_n(message.nonce, message.nonce_bytes, block.begin() + 1);
    store_big_endian(block.data() + block.size(), q, message.bytes);
    return block;
  }

  /// Appendix A.2.2: the length of the additional data, in 2, 6 or 10 bytes, precedes it.
  void add_aad(const BatchMessage& message) {
    const uint64_t bytes = message.aad_bytes;
    if (bytes == 0) return;
    uint8_t length[10] = {0xff, 0xff};
    size_t length_bytes = 10;
    if (bytes < 0xff00) {
      length_bytes = 2;
    } else if (bytes <= 0xffffffff) {
      length_bytes = 6;
      length[1] = 0xfe;
    }
    store_big_endian(length + length_bytes, length_bytes == 2 ? 2 : length_bytes - 2, bytes);
    mac_.add(length, length_bytes);
    mac_.add(message.aad, bytes);
    mac_.pad();
  }

  MacBlock tag_of(const BatchMessage& message, const uint8_t* plaintext) {
    mac_.start();
    const MacBlock first = first_block(message);
    mac_.add(first.data(), first.size());
    add_aad(message);
    mac_.add(plaintext, message.bytes);
    mac_.pad();
    MacBlock tag = mac_.finish({});
    const MacBlock zeroth = counter(message, 0);
    ctr(engine_, key_, {zeroth.data(), tag.data(), tag.data(), tag.size()}, nullptr);
    return tag;
  }

  const Engine& engine_;
  const EngineKey& key_;
  MacChain mac_;
  const size_t tag_bytes_;
};

}  // namespace

void ccm_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  require_composable(engine, "CCM");
  Ccm ccm(engine, key.prepared, batch.tag_bytes);
  run_messages(ccm, batch);
}

}  // namespace warpaes::core
