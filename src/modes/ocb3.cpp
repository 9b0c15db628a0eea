// OCB3 from the block functions, in the order of RFC 7253 section 4.
#include <array>
#include <bit>

#include "modes/aead_messages.hpp"
#include "modes/aead_modes.hpp"
#include "modes/mac_chain.hpp"
#include "primitives/byte_order.hpp"

namespace warpaes {
namespace {

void xor_block(MacBlock& sum, const MacBlock& with) {
  xor_bytes(sum.data(), sum.data(), with.data(), sum.size());
}

class Ocb3 {
 public:
  /// Section 4.1: the key-dependent blocks.
  Ocb3(const Engine& engine, const EngineKey& key, size_t tag_bytes)
      : engine_(engine), key_(key), tag_bytes_(tag_bytes) {
    encrypt(l_star_.data(), 16);
    l_dollar_ = mac_doubled(l_star_);
    MacBlock previous = l_dollar_;
    for (MacBlock& each : l_) previous = each = mac_doubled(previous);
  }
  ~Ocb3() {
    for (MacBlock* each : {&l_star_, &l_dollar_, &offset_, &checksum_}) OPENSSL_cleanse(each->data(), 16);
    OPENSSL_cleanse(l_.data(), sizeof l_);
  }
  Ocb3(const Ocb3&) = delete;
  Ocb3& operator=(const Ocb3&) = delete;

  MacBlock seal(const BatchMessage& message) { return crypt(message, WARPAES_ENCRYPT); }
  MacBlock open(const BatchMessage& message) { return crypt(message, WARPAES_DECRYPT); }

 private:
  void encrypt(uint8_t* block, uint64_t bytes) const {
    engine_.encrypt_blocks(key_, {block, block, bytes}, nullptr);
  }

  /// Offset_i of Offset_(i-1): section 4.2, with ntz(i) as the index.
  void next_offset(uint64_t i) { xor_block(offset_, l_[static_cast<size_t>(std::countr_zero(i))]); }

  /// Section 4.2, "Nonce-dependent and per-encryption variables".
  void start(const BatchMessage& message) {
    SecretBlock nonce;  // and then what it is encrypted to
    nonce[0] = static_cast<uint8_t>(8 * tag_bytes_ % 128 << 1);
    nonce[15 - message.nonce_bytes] |= 1;
    std::copy_n(message.nonce, message.nonce_bytes,
                nonce.end() - static_cast<ptrdiff_t>(message.nonce_bytes));
    const unsigned bottom = nonce[15] & 63;
    nonce[15] &= 0xc0;
    encrypt(nonce.data(), nonce.size());
    std::array<uint8_t, 24> stretch;
    std::copy(nonce.begin(), nonce.end(), stretch.begin());
    for (size_t i = 0; i < 8; i++) stretch[16 + i] = static_cast<uint8_t>(nonce[i] ^ nonce[i + 1]);
    for (size_t i = 0; i < 16; i++) {
      const size_t from = i + bottom / 8;
      const unsigned two = static_cast<unsigned>(stretch[from] << 8 | stretch[from + 1]);
      offset_[i] = static_cast<uint8_t>(two << bottom % 8 >> 8);
    }
    OPENSSL_cleanse(stretch.data(), stretch.size());
    checksum_.fill(0);
  }

  /// Whole blocks: P_i and C_i, from the one or to the one.
  void whole_blocks(const BatchMessage& message, Direction direction) {
    ChainScratch offsets, text;
    const uint64_t whole = message.bytes / 16 * 16;
    for (uint64_t at = 0; at < whole; at += text.bytes.size()) {
      const uint64_t part = std::min<uint64_t>(text.bytes.size(), whole - at);
      for (uint64_t i = 0; i < part; i += 16) {
        next_offset((at + i) / 16 + 1);
        std::copy(offset_.begin(), offset_.end(), offsets.bytes.begin() + static_cast<ptrdiff_t>(i));
      }
      if (direction == WARPAES_ENCRYPT) add_to_checksum(message.input + at, part);
      xor_bytes(text.bytes.data(), message.input + at, offsets.bytes.data(), part);
      (direction == WARPAES_ENCRYPT ? engine_.encrypt_blocks : engine_.decrypt_blocks)(
          key_, {text.bytes.data(), text.bytes.data(), part}, nullptr);
      xor_bytes(message.output + at, text.bytes.data(), offsets.bytes.data(), part);
      if (direction == WARPAES_DECRYPT) add_to_checksum(message.output + at, part);
    }
  }

  void add_to_checksum(const uint8_t* blocks, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += 16) {
      xor_bytes(checksum_.data(), checksum_.data(), blocks + at, 16);
    }
  }

  /// P_* and C_*, the bytes that make no block.
  void last_bytes(const BatchMessage& message, Direction direction) {
    const uint64_t whole = message.bytes / 16 * 16, left = message.bytes - whole;
    if (left == 0 || message.output == nullptr) return;  // null only where there are no bytes
    xor_block(offset_, l_star_);
    SecretBlock pad, plaintext;
    std::copy(offset_.begin(), offset_.end(), pad.begin());
    encrypt(pad.data(), pad.size());
    const uint8_t* const from = message.input + whole;
    if (direction == WARPAES_ENCRYPT) std::copy_n(from, left, plaintext.begin());
    xor_bytes(message.output + whole, from, pad.data(), left);
    if (direction == WARPAES_DECRYPT) std::copy_n(message.output + whole, left, plaintext.begin());
    plaintext[left] = 0x80;
    xor_block(checksum_, plaintext);
  }

  MacBlock crypt(const BatchMessage& message, Direction direction) {
    start(message);
    whole_blocks(message, direction);
    last_bytes(message, direction);
    MacBlock tag = checksum_;
    xor_block(tag, offset_);
    xor_block(tag, l_dollar_);
    encrypt(tag.data(), tag.size());
    xor_block(tag, SecretBlock(hash(message.aad, message.aad_bytes)));
    return tag;
  }

  /// HASH of section 4.1.
  MacBlock hash(const uint8_t* data, uint64_t bytes) {
    MacBlock sum{};
    offset_.fill(0);
    ChainScratch text;
    const uint64_t whole = bytes / 16 * 16;
    const auto add = [&](uint64_t part) {
      encrypt(text.bytes.data(), part);
      for (uint64_t i = 0; i < part; i += 16) xor_bytes(sum.data(), sum.data(), text.bytes.data() + i, 16);
    };
    for (uint64_t at = 0; at < whole; at += text.bytes.size()) {
      const uint64_t part = std::min<uint64_t>(text.bytes.size(), whole - at);
      for (uint64_t i = 0; i < part; i += 16) {
        next_offset((at + i) / 16 + 1);
        xor_bytes(text.bytes.data() + i, data + at + i, offset_.data(), 16);
      }
      add(part);
    }
    if (whole == bytes) return sum;
    xor_block(offset_, l_star_);
    MacBlock last{};
    std::copy_n(data + whole, bytes - whole, last.begin());
    last[bytes - whole] = 0x80;
    xor_bytes(text.bytes.data(), last.data(), offset_.data(), last.size());
    add(16);
    return sum;
  }

  const Engine& engine_;
  const EngineKey& key_;
  const size_t tag_bytes_;
  MacBlock l_star_{}, l_dollar_{};
  std::array<MacBlock, 61> l_{};  // a message has fewer than 2^60 blocks
  MacBlock offset_{}, checksum_{};
};

}  // namespace

void ocb3_composed(const Engine& engine, const AeadKey& key, const AeadBatch& batch) {
  require_composable(engine, "OCB3");
  Ocb3 ocb3(engine, key.prepared, batch.tag_bytes);
  run_messages(ocb3, batch);
}

}  // namespace warpaes
