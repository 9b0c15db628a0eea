// OCB3 from the block functions, in the order of RFC 7253 section 4.
#include "modes/ocb3.hpp"

#include <bit>

#include "modes/aead_messages.hpp"
#include "modes/composed_batches.hpp"
#include "primitives/byte_order.hpp"

namespace warpaes::core {
namespace {

/// Encrypts or decrypts a message. @return its tag
MacBlock crypt(Ocb3& ocb3, Direction direction, const BatchMessage& message) {
  const uint64_t whole = message.bytes / 16 * 16;
  ocb3.start(message.nonce, message.nonce_bytes);
  ocb3.whole_blocks(direction, message.input, message.output, whole);
  if (whole != message.bytes) {
    ocb3.last_bytes(direction, message.input + whole, message.output + whole, message.bytes - whole);
  }
  MacBlock tag = ocb3.tag();
  xor_block(tag, SecretBlock(ocb3.hash(message.aad, message.aad_bytes)));
  return tag;
}

}  // namespace

/// Section 4.1: the key-dependent blocks.
Ocb3::Ocb3(const Engine& engine, const EngineKey& key, size_t tag_bytes)
    : engine_(engine), key_(key), tag_bytes_(tag_bytes) {
  encrypt(l_star_.data(), 16);
  l_dollar_ = mac_doubled(l_star_);
  const MacBlock* previous = &l_dollar_;
  for (MacBlock& each : l_) {
    each = mac_doubled(*previous);
    previous = &each;
  }
}

Ocb3::~Ocb3() {
  for (MacBlock* each : {&l_star_, &l_dollar_, &offset_, &checksum_}) OPENSSL_cleanse(each->data(), 16);
  OPENSSL_cleanse(l_.data(), sizeof l_);
}

void Ocb3::encrypt(uint8_t* block, uint64_t bytes) const {
  engine_.encrypt_blocks(key_, {block, block, bytes}, nullptr);
}

/// Section 4.2: makes Offset_i of Offset_(i-1). The index is ntz(i), the number of trailing zero bits.
void Ocb3::to_offset(MacBlock& offset, uint64_t i) const {
  xor_block(offset, l_[static_cast<size_t>(std::countr_zero(i))]);
}

/// Section 4.2, "Nonce-dependent and per-encryption variables".
void Ocb3::start(const uint8_t* given, size_t nonce_bytes) {
  SecretBlock nonce;  // the nonce block, and after that what it is encrypted to
  nonce[0] = static_cast<uint8_t>(8 * tag_bytes_ % 128 << 1);
  nonce[15 - nonce_bytes] |= 1;
  std::copy_n(given, nonce_bytes, nonce.end() - static_cast<ptrdiff_t>(nonce_bytes));
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
  blocks_ = 0;
}

void Ocb3::whole_blocks(Direction direction, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  ChainScratch offsets, text;
  for (uint64_t at = 0; at < bytes; at += text.size()) {
    const uint64_t part = std::min<uint64_t>(text.size(), bytes - at);
    for (uint64_t i = 0; i < part; i += 16) {
      to_offset(offset_, ++blocks_);
      std::copy(offset_.begin(), offset_.end(), offsets.begin() + static_cast<ptrdiff_t>(i));
    }
    if (direction == WARPAES_DIRECTION_ENCRYPT) add_to_checksum(input + at, part);
    xor_bytes(text.data(), input + at, offsets.data(), part);
    (direction == WARPAES_DIRECTION_ENCRYPT ? engine_.encrypt_blocks : engine_.decrypt_blocks)(
        key_, {text.data(), text.data(), part}, nullptr);
    xor_bytes(output + at, text.data(), offsets.data(), part);
    if (direction == WARPAES_DIRECTION_DECRYPT) add_to_checksum(output + at, part);
  }
}

void Ocb3::add_to_checksum(const uint8_t* blocks, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += 16) {
    xor_bytes(checksum_.data(), checksum_.data(), blocks + at, 16);
  }
}

void Ocb3::last_bytes(Direction direction, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  if (bytes == 0) return;
  xor_block(offset_, l_star_);
  SecretBlock pad, plaintext;
  std::copy(offset_.begin(), offset_.end(), pad.begin());
  encrypt(pad.data(), pad.size());
  if (direction == WARPAES_DIRECTION_ENCRYPT) std::copy_n(input, bytes, plaintext.begin());
  xor_bytes(output, input, pad.data(), bytes);
  if (direction == WARPAES_DIRECTION_DECRYPT) std::copy_n(output, bytes, plaintext.begin());
  plaintext[bytes] = 0x80;
  xor_block(checksum_, plaintext);
}

MacBlock Ocb3::tag() const {
  MacBlock tag = checksum_;
  xor_block(tag, offset_);
  xor_block(tag, l_dollar_);
  encrypt(tag.data(), tag.size());
  return tag;
}

MacBlock Ocb3::hash(const uint8_t* aad, uint64_t bytes) const {
  MacBlock sum{};
  SecretBlock offset;
  ChainScratch text;
  const uint64_t whole = bytes / 16 * 16;
  const auto add = [&](uint64_t part) {
    encrypt(text.data(), part);
    for (uint64_t i = 0; i < part; i += 16) xor_bytes(sum.data(), sum.data(), text.data() + i, 16);
  };
  for (uint64_t at = 0; at < whole; at += text.size()) {
    const uint64_t part = std::min<uint64_t>(text.size(), whole - at);
    for (uint64_t i = 0; i < part; i += 16) {
      to_offset(offset, (at + i) / 16 + 1);
      xor_bytes(text.data() + i, aad + at + i, offset.data(), 16);
    }
    add(part);
  }
  if (whole == bytes) return sum;
  xor_block(offset, l_star_);
  MacBlock last{};
  std::copy_n(aad + whole, bytes - whole, last.begin());
  last[bytes - whole] = 0x80;
  xor_bytes(text.data(), last.data(), offset.data(), last.size());
  add(16);
  return sum;
}

void ocb3_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  require_composable(engine, "OCB3");
  Ocb3 ocb3(engine, key.prepared, batch.tag_bytes);
  run_messages(batch, [&](const BatchMessage& message) { return crypt(ocb3, batch.direction, message); });
}

}  // namespace warpaes::core
