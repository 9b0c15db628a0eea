#include "mode_rows.hpp"

#include <openssl/evp.h>

#include <cstring>
#include <memory>
#include <stdexcept>

#include "evp_reference.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kAny = UINT64_MAX;
constexpr uint64_t kMiB = uint64_t{1} << 20;

constexpr uint32_t bits(std::initializer_list<int> set) {
  uint32_t made = 0;
  for (const int bit : set) made |= uint32_t{1} << bit;
  return made;
}
constexpr uint32_t kKeys = bits({2, 3, 4}), kPairs = bits({4, 6, 8});
constexpr uint32_t kTags12To16 = bits({12, 13, 14, 15, 16});

uint64_t same(uint64_t length) { return length; }
uint64_t nothing(uint64_t) { return 0; }
uint64_t padded(uint64_t length) { return length / 16 * 16 + 16; }
uint64_t wrapped(uint64_t length) { return (length + 7) / 8 * 8 + 8; }

Bytes xored(Bytes a, const Bytes& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); i++) a[i] ^= b[i];
  return a;
}

Bytes joined(const Bytes& a, const Bytes& b) {
  Bytes both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

Bytes cut(Bytes tag, size_t length) {
  tag.resize(length);
  return tag;
}

/// Of the AEAD modes that EVP has and that are fed as GCM is; CCM wants to know the length first.
Answer evp_aead(const char* mode, const Example& e) {
  const auto require = [](int result) {
    if (result <= 0) throw std::runtime_error("OpenSSL refused");
  };
  const std::string name = "AES-" + std::to_string(8 * e.key.size()) + "-" + mode;
  const std::unique_ptr<EVP_CIPHER, void (*)(EVP_CIPHER*)> cipher(
      EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr), EVP_CIPHER_free);
  const std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context(EVP_CIPHER_CTX_new(),
                                                                           EVP_CIPHER_CTX_free);
  EVP_CIPHER_CTX* const evp = context.get();
  const int tag_length = static_cast<int>(e.tag_length), length = static_cast<int>(e.text.size());
  require(EVP_EncryptInit_ex2(evp, cipher.get(), nullptr, nullptr, nullptr));
  require(EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(e.nonce.size()), nullptr));
  require(EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_SET_TAG, tag_length, nullptr));
  require(EVP_EncryptInit_ex2(evp, nullptr, e.key.data(), e.nonce.data(), nullptr));
  int written = 0, rest = 0;
  if (std::strcmp(mode, "CCM") == 0) require(EVP_EncryptUpdate(evp, nullptr, &written, nullptr, length));
  if (!e.aad.empty()) {
    require(EVP_EncryptUpdate(evp, nullptr, &written, e.aad.data(), static_cast<int>(e.aad.size())));
  }
  Answer answer{Bytes(e.text.size() + 16), Bytes(e.tag_length)};
  written = 0;
  if (length > 0 || std::strcmp(mode, "CCM") == 0) {
    const uint8_t none = 0;
    const uint8_t* const text = length > 0 ? e.text.data() : &none;
    require(EVP_EncryptUpdate(evp, answer.output.data(), &written, text, length));
  }
  require(EVP_EncryptFinal_ex(evp, answer.output.data() + written, &rest));
  require(EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_GET_TAG, tag_length, answer.tag.data()));
  answer.output.resize(e.text.size());
  return answer;
}

template <int Variant>
Answer stolen(const Example& e) {
  return {reference::cbc_cts(Variant, e.key, e.nonce, e.text), {}};
}

/// What EVP does not have, by the engine that is the standards written down.
Answer portable(warpaes_mode mode, const Example& e) {
  static const TestContext context("portable/fips197", 1);
  const TestCipher cipher(context, mode, e.key);
  const bool has_output = row_of(mode).has_output();
  Answer answer{Bytes(has_output ? e.text.size() : 0), Bytes(e.tag_length)};
  auto message = sized<warpaes_message>();
  message.input = e.text.data();
  message.length = e.text.size();
  message.output = has_output ? answer.output.data() : nullptr;
  message.output_capacity = answer.output.size();
  message.nonce = e.nonce.data();
  message.nonce_length = e.nonce.size();
  message.aad = e.aad.empty() ? nullptr : e.aad.data();
  message.aad_length = e.aad.size();
  message.tag = e.tag_length == 0 ? nullptr : answer.tag.data();
  message.tag_length = e.tag_length;
  EXPECT_EQ(warpaes_encrypt(cipher.get(), &message), WARPAES_OK) << warpaes_last_error();
  return answer;
}

/// "The EAX Mode of Operation", figure 4: OMAC is CMAC with a number before the message.
Answer eax(const Example& e) {
  const auto omac = [&e](uint8_t number, const Bytes& message) {
    Bytes numbered(16);
    numbered[15] = number;
    return reference::cmac(e.key, joined(numbered, message));
  };
  const Bytes counter = omac(0, e.nonce);
  Answer answer{reference::ctr(e.key, counter, e.text), {}};
  answer.tag = cut(xored(xored(counter, omac(1, e.aad)), omac(2, answer.output)), e.tag_length);
  return answer;
}

/// Multiplication by x in GF(2^128), RFC 5297 section 2.3.
Bytes doubled(const Bytes& block) {
  Bytes made(16);
  for (size_t i = 0; i < 16; i++) {
    made[i] = static_cast<uint8_t>(block[i] << 1 | (i < 15 ? block[i + 1] >> 7 : 0));
  }
  if (block[0] >> 7) made[15] ^= 0x87;
  return made;
}

Answer siv(const Example& e) {
  std::vector<Bytes> strings = {e.aad};
  if (!e.nonce.empty()) strings.push_back(e.nonce);
  return siv_of_strings(e.key, strings, e.text);
}

/// OpenSSL has nonces of at most 128 bytes.
constexpr size_t kLongestEvpNonce = 128;

Answer gcm(const Example& e) {
  if (e.nonce.size() > kLongestEvpNonce) return portable(WARPAES_MODE_GCM, e);
  const reference::Sealed sealed = reference::gcm(e.key, e.nonce, e.aad, e.text, e.tag_length);
  return {sealed.ciphertext, sealed.tag};
}

Answer gmac(const Example& e) { return {{}, gcm({e.key, e.nonce, e.text, {}, e.tag_length}).tag}; }

Bytes padded_text(const Bytes& text) {
  Bytes made = text;
  made.resize(padded(text.size()), static_cast<uint8_t>(16 - text.size() % 16));
  return made;
}

template <const char* const& Name>
Answer crypt(const Example& e) {
  return {reference::crypt(Name, e.key, e.nonce, e.text), {}};
}
constexpr const char *kCbc = "CBC", *kCfb = "CFB", *kCfb8 = "CFB8", *kCfb1 = "CFB1", *kOfb = "OFB",
                     *kCtr = "CTR";

/// SP 800-38D section 5.2.1.1: 2^39 - 256 bits of text, 2^64 - 1 bits of additional data.
constexpr uint64_t kGcmText = (uint64_t{1} << 36) - 32, kGcmAad = (uint64_t{1} << 61) - 1;
constexpr uint64_t kTwo36 = uint64_t{1} << 36, kTwo52 = uint64_t{1} << 52;

constexpr ModeRow kRows[] = {
    {WARPAES_MODE_GCM, "GCM", "SP 800-38D", 1, kKeys, 1, kAny, 12, kTags12To16, 0, kGcmText, 1, kGcmAad, same,
     gcm},
    {WARPAES_MODE_GCM_SIV, "GCM-SIV", "RFC 8452", 1, bits({2, 4}), 12, 12, 12, bits({16}), 0, kTwo36, 1,
     kTwo36, same, [](const Example& e) { return portable(WARPAES_MODE_GCM_SIV, e); }},
    {WARPAES_MODE_CCM, "CCM", "SP 800-38C", 1, kKeys, 7, 13, 12, bits({8, 10, 12, 14, 16}), 0, 16 * kMiB - 1,
     1, kAny, same, [](const Example& e) { return evp_aead("CCM", e); }},
    {WARPAES_MODE_EAX, "EAX", "Bellare", 1, kKeys, 1, kAny, 16, kTags12To16, 0, kAny, 1, kAny, same, eax},
    {WARPAES_MODE_OCB3, "OCB3", "RFC 7253", 1, kKeys, 1, 15, 12, bits({8, 12, 16}), 0, kTwo52, 1, kTwo52,
     same, [](const Example& e) { return evp_aead("OCB", e); }},
    {WARPAES_MODE_SIV, "SIV", "RFC 5297", 2, kPairs, 0, kAny, 0, bits({16}), 0, kAny, 1, kAny, same, siv},

    {WARPAES_MODE_ECB, "ECB", "SP 800-38A", 1, kKeys, 0, 0, 0, 0, 0, kAny, 16, 0, same,
     [](const Example& e) { return Answer{reference::ecb(e.key, true, e.text), {}}; }},
    {WARPAES_MODE_ECB_PKCS7, "ECB-PKCS7", "RFC 5652", 1, kKeys, 0, 0, 0, 0, 0, kAny, 1, 0, padded,
     [](const Example& e) { return Answer{reference::ecb(e.key, true, padded_text(e.text)), {}}; }},
    {WARPAES_MODE_CBC, "CBC", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 0, kAny, 16, 0, same, crypt<kCbc>},
    {WARPAES_MODE_CBC_PKCS7, "CBC-PKCS7", "RFC 5652", 1, kKeys, 16, 16, 16, 0, 0, kAny, 1, 0, padded,
     [](const Example& e) { return Answer{reference::cbc_pkcs7(e.key, e.nonce, e.text), {}}; }},
    {WARPAES_MODE_CBC_CS1, "CBC-CS1", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 16, kAny, 1, 0, same, stolen<1>},
    {WARPAES_MODE_CBC_CS2, "CBC-CS2", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 16, kAny, 1, 0, same, stolen<2>},
    {WARPAES_MODE_CBC_CS3, "CBC-CS3", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 16, kAny, 1, 0, same, stolen<3>},
    {WARPAES_MODE_CFB, "CFB", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 0, kAny, 1, 0, same, crypt<kCfb>},
    {WARPAES_MODE_CFB8, "CFB8", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 0, kAny, 1, 0, same, crypt<kCfb8>},
    {WARPAES_MODE_CFB1, "CFB1", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 0, kAny, 1, 0, same, crypt<kCfb1>},
    {WARPAES_MODE_OFB, "OFB", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 0, kAny, 1, 0, same, crypt<kOfb>},
    {WARPAES_MODE_CTR, "CTR", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 0, kAny, 1, 0, same, crypt<kCtr>},
    {WARPAES_MODE_XTS, "XTS", "IEEE 1619", 2, kPairs, 16, 16, 16, 0, 16, 16 * kMiB, 1, 0, same,
     [](const Example& e) { return Answer{xts_of_units(e, e.text.size()), {}}; }},

    {WARPAES_MODE_CMAC, "CMAC", "SP 800-38B", 1, kKeys, 0, 0, 0, bits({8, 9, 10, 11, 12, 13, 14, 15, 16}), 0,
     kAny, 1, 0, nothing,
     [](const Example& e) { return Answer{{}, cut(reference::cmac(e.key, e.text), e.tag_length)}; }},
    {WARPAES_MODE_GMAC, "GMAC", "SP 800-38D", 1, kKeys, 1, kAny, 12, kTags12To16, 0, kGcmAad, 1, 0, nothing,
     gmac},

    {WARPAES_MODE_KW, "KW", "SP 800-38F", 1, kKeys, 0, 0, 0, 0, 16, kAny, 8, 0, wrapped,
     [](const Example& e) { return Answer{reference::key_wrap(false, e.key, e.text), {}}; }},
    {WARPAES_MODE_KWP, "KWP", "SP 800-38F", 1, kKeys, 0, 0, 0, 0, 1, UINT32_MAX, 1, 0, wrapped,
     [](const Example& e) { return Answer{reference::key_wrap(true, e.key, e.text), {}}; }},
};

}  // namespace

std::span<const ModeRow> mode_rows() { return kRows; }

const ModeRow& row_of(warpaes_mode mode) { return kRows[mode - 1]; }

std::vector<size_t> ModeRow::keys() const {
  std::vector<size_t> lengths;
  for (size_t n = 1; n < 32; n++) {
    if (key_lengths >> n & 1) lengths.push_back(8 * n);
  }
  return lengths;
}

Example ModeRow::example(size_t length, size_t seed) const {
  Example made;
  made.key = counting(longest_key(), seed + 1);
  made.nonce = counting(recommended_nonce, seed + 2);
  made.aad = counting(has_aad() ? 21 : 0, seed + 3);
  made.text = counting(some_length(length), seed + 4);
  made.tag_length = recommended_tag();
  return made;
}

Bytes wrongly_padded(const ModeRow& row, const Example& example, size_t length) {
  const Bytes text(length, 0x11);
  return row.mode == WARPAES_MODE_ECB_PKCS7 ? reference::ecb(example.key, true, text)
                                            : reference::crypt("CBC", example.key, example.nonce, text);
}

/// RFC 5297 sections 2.4 and 2.6.
Answer siv_of_strings(const Bytes& key, const std::vector<Bytes>& strings, const Bytes& text) {
  const Bytes mac_key = slice(key, 0, key.size() / 2), ctr_key = slice(key, key.size() / 2, key.size() / 2);
  Bytes sum = reference::cmac(mac_key, Bytes(16));
  for (const Bytes& each : strings) sum = xored(doubled(sum), reference::cmac(mac_key, each));
  Bytes last = text;
  if (text.size() >= 16) {
    for (size_t i = 0; i < 16; i++) last[text.size() - 16 + i] ^= sum[i];
  } else {
    last.push_back(0x80);
    last.resize(16);
    last = xored(doubled(sum), last);
  }
  const Bytes tag = reference::cmac(mac_key, last);
  Bytes counter = tag;
  counter[8] &= 0x7f;
  counter[12] &= 0x7f;
  return {reference::ctr(ctr_key, counter, text), tag};
}

Bytes xts_of_units(const Example& example, size_t data_unit) {
  Bytes output, tweak = example.nonce;
  for (size_t at = 0; at < example.text.size(); at += data_unit) {
    const Bytes text = slice(example.text, at, std::min(data_unit, example.text.size() - at));
    // OpenSSL has no XTS with keys of 192 bits.
    const Bytes unit = example.key.size() == 48
                           ? portable(WARPAES_MODE_XTS, {example.key, tweak, {}, text, 0}).output
                           : reference::xts(example.key, tweak, text);
    output.insert(output.end(), unit.begin(), unit.end());
    for (size_t i = 0; i < tweak.size() && ++tweak[i] == 0; i++) {
    }
  }
  return output;
}

MessageMemory::MessageMemory(const ModeRow& its_row, Example its_example, warpaes_direction its_direction)
    : row(its_row),
      example(std::move(its_example)),
      direction(its_direction),
      answer(row.answer(example)),
      input(direction == WARPAES_DIRECTION_ENCRYPT || !row.has_output() ? example.text : answer.output),
      output(row.has_output() ? (direction == WARPAES_DIRECTION_ENCRYPT ? answer.output.size()
                                                                        : row.opened_length(input.size()))
                              : 0,
             kUntouched),
      tag(direction == WARPAES_DIRECTION_ENCRYPT ? Bytes(example.tag_length, kUntouched) : answer.tag) {
  message.input = input.data();
  message.length = input.size();
  message.output = row.has_output() ? output.data() : nullptr;
  message.output_capacity = output.size();
  message.output_length = row.has_output() ? &output_length : nullptr;
  message.nonce = example.nonce.empty() ? nullptr : example.nonce.data();
  message.nonce_length = example.nonce.size();
  message.aad = example.aad.empty() ? nullptr : example.aad.data();
  message.aad_length = example.aad.size();
  message.tag = example.tag_length == 0 ? nullptr : tag.data();
  message.tag_length = example.tag_length;
}

}  // namespace warpaes::core::testing
