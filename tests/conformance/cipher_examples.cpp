#include "cipher_examples.hpp"

#include <algorithm>
#include <stdexcept>

#include "cipher_modes.hpp"
#include "engines/portable/portable_engine.hpp"
#include "evp_reference.hpp"
#include "modes/modes.hpp"
#include "primitives/key_schedule.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr CipherRow kRows[] = {
    {CipherMode::ecb_encrypt, "ECB", "ecb", false},
    {CipherMode::ecb_decrypt, "ECB", "ecb", true},
    {CipherMode::cbc_encrypt, "CBC", "cbc", false},
    {CipherMode::cbc_decrypt, "CBC", "cbc", true},
    {CipherMode::cfb_encrypt, "CFB", "cfb", false},
    {CipherMode::cfb_decrypt, "CFB", "cfb", true},
    {CipherMode::ofb, "OFB", "ofb", false},
    {CipherMode::ctr, "CTR", "ctr", false},
    {CipherMode::cmac, nullptr, "cmac", false},
    {CipherMode::cmac_check, nullptr, "cmac", true},
    {CipherMode::xts_encrypt, nullptr, "xts", false},
    {CipherMode::xts_decrypt, nullptr, "xts", true},
    {CipherMode::kw_wrap, nullptr, "kw", false},
    {CipherMode::kw_unwrap, nullptr, "kw", true},
    {CipherMode::kwp_wrap, nullptr, "kwp", false},
    {CipherMode::kwp_unwrap, nullptr, "kwp", true},
    {CipherMode::ecb_pkcs7_encrypt, nullptr, "ecb-pkcs7", false},
    {CipherMode::ecb_pkcs7_decrypt, nullptr, "ecb-pkcs7", true},
    {CipherMode::cbc_pkcs7_encrypt, nullptr, "cbc-pkcs7", false},
    {CipherMode::cbc_pkcs7_decrypt, nullptr, "cbc-pkcs7", true},
    {CipherMode::cbc_cs1_encrypt, nullptr, "cbc-cs1", false},
    {CipherMode::cbc_cs1_decrypt, nullptr, "cbc-cs1", true},
    {CipherMode::cbc_cs2_encrypt, nullptr, "cbc-cs2", false},
    {CipherMode::cbc_cs2_decrypt, nullptr, "cbc-cs2", true},
    {CipherMode::cbc_cs3_encrypt, nullptr, "cbc-cs3", false},
    {CipherMode::cbc_cs3_decrypt, nullptr, "cbc-cs3", true},
    {CipherMode::cfb8_encrypt, "CFB8", "cfb8", false},
    {CipherMode::cfb8_decrypt, "CFB8", "cfb8", true},
    {CipherMode::cfb1_encrypt, "CFB1", "cfb1", false},
    {CipherMode::cfb1_decrypt, "CFB1", "cfb1", true},
};

/// The next length that the mode encrypts.
size_t fitting(CipherMode mode, size_t bytes) {
  if (needs_whole_blocks(mode)) return bytes / 16 * 16;
  if (is_xts(mode)) return bytes == 0 ? 0 : std::max<size_t>(bytes, 16);
  if (mode == CipherMode::kw_wrap || mode == CipherMode::kw_unwrap) {
    return std::max<size_t>(bytes / 8 * 8, 16);
  }
  if (wraps_keys(mode)) return std::max<size_t>(bytes, 1);
  return steals(mode) ? std::max<size_t>(bytes, 16) : bytes;
}

/// EVP has no XTS with keys of 192 bits.
Bytes xts_of(const Bytes& keys, const Bytes& tweak, const Bytes& input) {
  if (input.empty()) return {};
  if (keys.size() != 48) return reference::xts(keys, tweak, input);
  const KeySchedule data({keys.data(), 24}), second({keys.data() + 24, 24});
  const auto data_key = portable_t_tables.prepare(data, 0), tweak_key = portable_t_tables.prepare(second, 0);
  Bytes output(input.size());
  xts_composed(portable_t_tables, {*data_key, *tweak_key, 192}, WARPAES_DIRECTION_ENCRYPT,
               {tweak.data(), input.size(), input.data(), output.data(), input.size()});
  return output;
}

/// PKCS#7 written out, RFC 5652 section 6.3.
Bytes padded(Bytes message) {
  const size_t padding = 16 - message.size() % 16;
  message.insert(message.end(), padding, static_cast<uint8_t>(padding));
  return message;
}

Bytes encrypted(const CipherRow& row, const Bytes& key, const Bytes& iv, const Bytes& input) {
  using enum CipherMode;
  const int step = static_cast<int>(row.mode) - static_cast<int>(cbc_cs1_encrypt);
  if (is_xts(row.mode)) return xts_of(key, iv, input);
  if (wraps_keys(row.mode)) return reference::key_wrap(row.mode >= kwp_wrap, key, input);
  if (pads_in_ecb(row.mode)) {
    return reference::ecb(key, true, padded(input));
  }
  if (pads(row.mode)) return reference::pkcs7("CBC", key, iv, input);
  if (row.evp == nullptr) return reference::cbc_cts(step / 2 + 1, key, iv, input);
  return reference::crypt(row.evp, key, iv, input);
}

}  // namespace

std::span<const CipherRow> cipher_rows() { return kRows; }

const CipherRow& cipher_row(CipherMode mode) {
  for (const CipherRow& row : kRows) {
    if (row.mode == mode) return row;
  }
  throw std::logic_error("batches of this mode are not tested at random");
}

size_t all_key_bytes(CipherMode mode, size_t key_bytes) { return is_xts(mode) ? 2 * key_bytes : key_bytes; }

Bytes Random::bytes(size_t count) {
  Bytes made(count);
  for (uint8_t& each : made) each = static_cast<uint8_t>((*this)());
  return made;
}

CipherExample message_of(Random& random, const CipherRow& row, const Bytes& key, size_t bytes,
                         size_t tag_bytes) {
  bytes = fitting(row.mode, bytes);
  CipherExample message{.iv = random.bytes(16), .input = random.bytes(bytes), .expected = {}};
  // Some counters' carries go far.
  if (row.mode == CipherMode::ctr && bytes % 3 == 0) {
    const size_t carries = random.between(4, 16);
    std::fill(message.iv.end() - static_cast<ptrdiff_t>(carries), message.iv.end() - 1, uint8_t{0xff});
    message.iv.back() |= 0xf8;
  }
  if (makes_tags(row.mode)) {
    message.expected = reference::cmac(key, message.input);
    message.expected.resize(tag_bytes);
    return message;
  }
  message.expected = encrypted(row, key, message.iv, message.input);
  if (row.decrypts) std::swap(message.input, message.expected);
  return message;
}

bool tells_damage(CipherMode mode) {
  return unwraps_keys(mode) || unpads(mode) || mode == CipherMode::cmac_check;
}

void damage(Random& random, const CipherRow& row, const Bytes& key, CipherExample& message) {
  if (!tells_damage(row.mode)) return;
  if (!unpads(row.mode)) {
    Bytes& damaged = unwraps_keys(row.mode) ? message.input : message.expected;
    damaged[random.between(0, damaged.size() - 1)] ^= static_cast<uint8_t>(1u << random.between(0, 7));
    message.status = WARPAES_ERROR_AUTHENTICATION;
    return;
  }
  // A last byte over 16 is no padding: RFC 5652 section 6.3.
  Bytes text(message.input.size(), 0x11);
  const bool of_ecb = row.mode == CipherMode::ecb_pkcs7_decrypt;
  message.input = of_ecb ? reference::ecb(key, true, text) : reference::crypt("CBC", key, message.iv, text);
  message.status = WARPAES_ERROR_PADDING;
}

Bytes wrapped_with(const Bytes& check, const Bytes& key, const Bytes& text) {
  if (text.size() != 8) return reference::key_wrap_with(check, key, text);
  Bytes block = check;  // one semiblock is encrypted with its check, without rounds: RFC 5649 section 4.1
  block.insert(block.end(), text.begin(), text.end());
  return reference::ecb(key, true, block);
}

}  // namespace warpaes::core::conformance
