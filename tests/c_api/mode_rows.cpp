#include "mode_rows.hpp"

#include "composed_reference.hpp"

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

Answer answer_of(const reference::Sealed& sealed) { return {sealed.ciphertext, sealed.tag}; }

template <int Variant>
Answer stolen(const Example& e) {
  return {reference::cbc_cts(Variant, e.key, e.nonce, e.text), {}};
}

Answer siv(const Example& e) {
  std::vector<Bytes> strings = {e.aad};
  if (!e.nonce.empty()) strings.push_back(e.nonce);
  return siv_of_strings(e.key, strings, e.text);
}

/// OpenSSL has nonces of at most 128 bytes.
constexpr size_t kLongestEvpNonce = 128;

Answer gcm(const Example& e) {
  const auto reference = e.nonce.size() > kLongestEvpNonce ? reference::gcm_of_any_nonce : reference::gcm;
  return answer_of(reference(e.key, e.nonce, e.aad, e.text, e.tag_length));
}

Answer gmac(const Example& e) { return {{}, gcm({e.key, e.nonce, e.text, {}, e.tag_length}).tag}; }

Answer cmac(const Example& e) {
  Answer answer{{}, reference::cmac(e.key, e.text)};
  answer.tag.resize(e.tag_length);
  return answer;
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
     kTwo36, same,
     [](const Example& e) { return answer_of(reference::gcm_siv(e.key, e.nonce, e.aad, e.text)); }},
    {WARPAES_MODE_CCM, "CCM", "SP 800-38C", 1, kKeys, 7, 13, 12, bits({8, 10, 12, 14, 16}), 0, 16 * kMiB - 1,
     1, kAny, same,
     [](const Example& e) {
       return answer_of(reference::aead("CCM", e.key, e.nonce, e.aad, e.text, e.tag_length));
     }},
    {WARPAES_MODE_EAX, "EAX", "Bellare", 1, kKeys, 1, kAny, 16, kTags12To16, 0, kAny, 1, kAny, same,
     [](const Example& e) { return answer_of(reference::eax(e.key, e.nonce, e.aad, e.text, e.tag_length)); }},
    {WARPAES_MODE_OCB3, "OCB3", "RFC 7253", 1, kKeys, 1, 15, 12, bits({8, 12, 16}), 0, kTwo52, 1, kTwo52,
     same,
     [](const Example& e) {
       return answer_of(reference::aead("OCB", e.key, e.nonce, e.aad, e.text, e.tag_length));
     }},
    {WARPAES_MODE_SIV, "SIV", "RFC 5297", 2, kPairs, 0, kAny, 0, bits({16}), 0, kAny, 1, kAny, same, siv},

    {WARPAES_MODE_ECB, "ECB", "SP 800-38A", 1, kKeys, 0, 0, 0, 0, 0, kAny, 16, 0, same,
     [](const Example& e) { return Answer{reference::ecb(e.key, true, e.text), {}}; }},
    {WARPAES_MODE_ECB_PKCS7, "ECB-PKCS7", "RFC 5652", 1, kKeys, 0, 0, 0, 0, 0, kAny, 1, 0, padded,
     [](const Example& e) { return Answer{reference::pkcs7("ECB", e.key, {}, e.text), {}}; }},
    {WARPAES_MODE_CBC, "CBC", "SP 800-38A", 1, kKeys, 16, 16, 16, 0, 0, kAny, 16, 0, same, crypt<kCbc>},
    {WARPAES_MODE_CBC_PKCS7, "CBC-PKCS7", "RFC 5652", 1, kKeys, 16, 16, 16, 0, 0, kAny, 1, 0, padded,
     [](const Example& e) { return Answer{reference::pkcs7("CBC", e.key, e.nonce, e.text), {}}; }},
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
     kAny, 1, 0, nothing, cmac},
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

Answer siv_of_strings(const Bytes& key, const std::vector<Bytes>& strings, const Bytes& text) {
  return answer_of(reference::siv(key, strings, text));
}

Bytes xts_of_units(const Example& example, size_t data_unit) {
  return reference::xts_units(example.key, example.nonce, data_unit, example.text);
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
