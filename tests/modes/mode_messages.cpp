#include "mode_messages.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>

#include "composed_reference.hpp"

namespace warpaes::core::testing {
namespace {

using reference::Sealed;

const Bytes& aad_of(const ModeMessage& m) { return m.aad.front(); }

Sealed gcm(const ModeMessage& m, const Bytes& aad, const Bytes& text) {
  constexpr size_t kLongestOfOpenSsl = 128;
  const auto reference = m.nonce.size() > kLongestOfOpenSsl ? reference::gcm_of_any_nonce : reference::gcm;
  return reference(m.key, m.nonce, aad, text, m.tag_length);
}

template <warpaes_mode Mode>
Sealed by_evp(const ModeMessage& m) {
  constexpr const char* kName = Mode == WARPAES_MODE_CCM ? "CCM" : "OCB";
  return reference::aead(kName, m.key, m.nonce, aad_of(m), m.plaintext, m.tag_length);
}

Sealed siv(const ModeMessage& m) {
  std::vector<Bytes> strings = m.aad;
  if (!m.nonce.empty()) strings.push_back(m.nonce);  // RFC 5297 section 3
  return reference::siv(m.key, strings, m.plaintext);
}

template <int Variant>
Sealed cts(const ModeMessage& m) {
  return {reference::cbc_cts(Variant, m.key, m.nonce, m.plaintext), {}};
}

Sealed xts(const ModeMessage& m) {
  const uint64_t unit = m.data_unit != 0 ? m.data_unit : m.plaintext.size();
  return {reference::xts_units(m.key, m.nonce, unit, m.plaintext), {}};
}

Sealed cmac(const ModeMessage& m) {
  Sealed sealed{{}, reference::cmac(m.key, m.plaintext)};
  sealed.tag.resize(m.tag_length);
  return sealed;
}

struct Reference {
  warpaes_mode mode;
  Sealed (*seal)(const ModeMessage& m);
  const char* evp = nullptr;  // EVP's name of a mode that needs nothing more
};

const Reference kReferences[] = {
    {WARPAES_MODE_GCM, [](const ModeMessage& m) { return gcm(m, aad_of(m), m.plaintext); }},
    {WARPAES_MODE_GCM_SIV,
     [](const ModeMessage& m) { return reference::gcm_siv(m.key, m.nonce, aad_of(m), m.plaintext); }},
    {WARPAES_MODE_CCM, by_evp<WARPAES_MODE_CCM>},
    {WARPAES_MODE_EAX,
     [](const ModeMessage& m) {
       return reference::eax(m.key, m.nonce, aad_of(m), m.plaintext, m.tag_length);
     }},
    {WARPAES_MODE_OCB3, by_evp<WARPAES_MODE_OCB3>},
    {WARPAES_MODE_SIV, siv},
    {WARPAES_MODE_ECB,
     [](const ModeMessage& m) -> Sealed { return {reference::ecb(m.key, true, m.plaintext), {}}; }},
    {WARPAES_MODE_ECB_PKCS7,
     [](const ModeMessage& m) -> Sealed { return {reference::pkcs7("ECB", m.key, {}, m.plaintext), {}}; }},
    {WARPAES_MODE_CBC, nullptr, "CBC"},
    {WARPAES_MODE_CBC_PKCS7,
     [](const ModeMessage& m) -> Sealed {
       return {reference::pkcs7("CBC", m.key, m.nonce, m.plaintext), {}};
     }},
    {WARPAES_MODE_CBC_CS1, cts<1>},
    {WARPAES_MODE_CBC_CS2, cts<2>},
    {WARPAES_MODE_CBC_CS3, cts<3>},
    {WARPAES_MODE_CFB, nullptr, "CFB"},
    {WARPAES_MODE_CFB8, nullptr, "CFB8"},
    {WARPAES_MODE_CFB1,
     [](const ModeMessage& m) -> Sealed {
       return {reference::cfb1(m.key, m.nonce, m.plaintext, m.unused_bits), {}};
     }},
    {WARPAES_MODE_OFB, nullptr, "OFB"},
    {WARPAES_MODE_CTR, nullptr, "CTR"},
    {WARPAES_MODE_XTS, xts},
    {WARPAES_MODE_CMAC, cmac},
    {WARPAES_MODE_GMAC, [](const ModeMessage& m) { return gcm(m, m.plaintext, {}); }},
    {WARPAES_MODE_KW,
     [](const ModeMessage& m) -> Sealed { return {reference::key_wrap(false, m.key, m.plaintext), {}}; }},
    {WARPAES_MODE_KWP,
     [](const ModeMessage& m) -> Sealed { return {reference::key_wrap(true, m.key, m.plaintext), {}}; }},
};

Sealed sealed_by(const Reference& reference, const ModeMessage& message) try {
  if (reference.evp == nullptr) return reference.seal(message);
  return {reference::crypt(reference.evp, message.key, message.nonce, message.plaintext), {}};
} catch (const std::exception& error) {
  throw std::runtime_error(std::string(message.row->info.name) + " of " +
                           std::to_string(message.plaintext.size()) + " bytes: " + error.what());
}

bool is_pkcs7(warpaes_mode mode) { return mode == WARPAES_MODE_ECB_PKCS7 || mode == WARPAES_MODE_CBC_PKCS7; }

size_t rounded_length(const ListedMode& row, const MessageShape& shape) {
  const uint64_t multiple = row.info.message_multiple;
  const auto length = std::max<size_t>(shape.length / multiple * multiple, row.info.shortest_message);
  const size_t last_unit = shape.data_unit != 0 ? length % shape.data_unit : 0;
  return last_unit < row.info.shortest_message && length > shape.data_unit ? length - last_unit : length;
}

/// The ciphertext of the same message whose last block ends in 0: no padding that there is.
Bytes wrongly_padded(const ModeMessage& message) {
  Bytes text = message.plaintext;
  text.resize(message.ciphertext.size());
  if (message.row->mode == WARPAES_MODE_ECB_PKCS7) return reference::ecb(message.key, true, text);
  return reference::crypt("CBC", message.key, message.nonce, text);
}

}  // namespace

bool ListedMode::changes_length() const {
  constexpr uint64_t kLength = 32;
  uint64_t size = 0;
  if (warpaes_output_size(mode, WARPAES_DIRECTION_ENCRYPT, kLength, &size) != WARPAES_OK) {
    throw std::logic_error(std::string(info.name) + " has no message of 32 bytes");
  }
  return info.has_output != 0 && size != kLength;
}

bool ListedMode::has_padding() const { return is_pkcs7(mode) || mode == WARPAES_MODE_KWP; }

const std::vector<ListedMode>& all_modes() {
  static const std::vector<ListedMode> rows = [] {
    std::vector<ListedMode> made;
    for (warpaes_mode mode = 1;; mode++) {
      ListedMode row = {mode, {}};
      row.info.size = sizeof row.info;
      if (warpaes_mode_get(mode, &row.info) != WARPAES_OK) return made;
      made.push_back(row);
    }
  }();
  return rows;
}

const ListedMode& listed(warpaes_mode mode) { return all_modes().at(mode - 1); }

std::vector<size_t> key_lengths_of(const ListedMode& row) {
  std::vector<size_t> lengths;
  for (size_t n = 0; n < 32; n++) {
    if ((row.info.key_lengths >> n & 1) != 0) lengths.push_back(8 * n);
  }
  return lengths;
}

std::vector<size_t> tag_lengths_of(const ListedMode& row) {
  std::vector<size_t> lengths;
  for (size_t n = 0; n < 32; n++) {
    if ((row.info.tag_lengths >> n & 1) != 0) lengths.push_back(n);
  }
  if (lengths.empty()) lengths.push_back(0);
  return lengths;
}

Bytes bytes_from(uint64_t seed, size_t count) {
  std::mt19937_64 generator(seed);
  Bytes made(count);
  for (size_t at = 0; at < count; at += 8) {
    const uint64_t word = generator();
    for (size_t i = 0; i < 8 && at + i < count; i++) made[at + i] = static_cast<uint8_t>(word >> 8 * i);
  }
  return made;
}

Bytes key_from(uint64_t seed, const ListedMode& row, size_t length) {
  return bytes_from(seed * 8, length != 0 ? length : key_lengths_of(row).back());
}

void seal_by_openssl(ModeMessage& message) {
  const auto* const found = std::find_if(std::begin(kReferences), std::end(kReferences),
                                         [&](const Reference& r) { return r.mode == message.row->mode; });
  if (found == std::end(kReferences)) {
    throw std::logic_error(std::string("no reference for the mode ") + message.row->info.name);
  }
  const Sealed sealed = sealed_by(*found, message);
  message.ciphertext = sealed.ciphertext;
  message.tag = sealed.tag;
}

MessageShape varied_shape(const ListedMode& row, size_t length, size_t variant) {
  const std::vector<size_t> keys = key_lengths_of(row);
  const bool is_siv = row.mode == WARPAES_MODE_SIV;
  MessageShape shape = {.length = length, .seed = variant + 1};
  shape.key_length = keys[variant % keys.size()];
  // OpenSSL's GCM has nonces of at most 128 bytes.
  constexpr size_t kLongNonce = 60;
  const size_t nonces[] = {row.info.recommended_nonce, row.info.shortest_nonce,
                           row.info.longest_nonce >= kLongNonce ? kLongNonce : row.info.recommended_nonce};
  shape.nonce_length = nonces[variant % 3];
  shape.tag_length = tag_lengths_of(row)[variant % tag_lengths_of(row).size()];
  shape.aad_length = variant % 5 * 13;
  shape.aad_strings = is_siv ? 1 + variant % 3 : 1;
  if (row.mode == WARPAES_MODE_XTS && variant % 2 == 1) shape.data_unit = 16 + variant % 5 * 300;
  if (row.mode == WARPAES_MODE_CFB1) shape.unused_bits = static_cast<unsigned>(variant % 8);
  return shape;
}

ModeMessage message_of(const ListedMode& row, const MessageShape& shape) {
  const uint64_t seed = 8 * shape.seed;
  const size_t nonce_length = shape.nonce_length != 0 ? shape.nonce_length : row.info.recommended_nonce;
  ModeMessage made = {};
  made.row = &row;
  made.key = key_from(shape.seed, row, shape.key_length);
  made.nonce = bytes_from(seed + 1, nonce_length);
  for (size_t s = 0; row.has_aad() && s < shape.aad_strings; s++) {
    made.aad.push_back(bytes_from(seed + 2 + (s << 32), shape.aad_length));
  }
  made.plaintext = bytes_from(seed + 3, rounded_length(row, shape));
  if (row.has_tag()) made.tag_length = shape.tag_length != 0 ? shape.tag_length : row.info.recommended_tag;
  made.data_unit = shape.data_unit;
  if (!made.plaintext.empty() && shape.unused_bits != 0) {
    made.unused_bits = shape.unused_bits;
    made.plaintext.back() &= static_cast<uint8_t>(0xff << made.unused_bits);
  }
  seal_by_openssl(made);
  return made;
}

Exchange exchange_of(const ModeMessage& message, warpaes_direction direction) {
  Exchange made = {};
  const bool has_output = message.row->info.has_output != 0;
  made.status = WARPAES_OK;
  made.tag_after = message.tag;
  if (direction == WARPAES_DIRECTION_ENCRYPT) {
    made.input = message.plaintext;
    made.output = message.ciphertext;
    made.tag = Bytes(message.tag.size(), 0x5a);
    made.output_length = made.output.size();
    return made;
  }
  made.input = has_output ? message.ciphertext : message.plaintext;
  made.tag = message.tag;
  if (!has_output) return made;
  made.output = message.plaintext;
  made.output_length = made.output.size();
  if (is_pkcs7(message.row->mode)) made.output.resize(message.ciphertext.size());
  if (message.row->mode == WARPAES_MODE_KWP) made.output.resize(message.ciphertext.size() - 8);
  return made;
}

Exchange refused_exchange_of(const ModeMessage& message) {
  Exchange made = exchange_of(message, WARPAES_DIRECTION_DECRYPT);
  const bool is_padding = is_pkcs7(message.row->mode);
  made.status = is_padding ? WARPAES_ERROR_PADDING : WARPAES_ERROR_AUTHENTICATION;
  made.output.assign(made.output.size(), 0);
  made.output_length = 0;
  if (is_padding) {
    made.input = wrongly_padded(message);
  } else if (message.row->has_tag()) {
    made.tag.back() ^= 1;
    made.tag_after = made.tag;
  } else {
    made.input.front() ^= 1;
  }
  return made;
}

}  // namespace warpaes::core::testing
