#include "composed_reference.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpaes::core::reference {
namespace {

Bytes operator+(Bytes first, View second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Adds `mask` to the bytes of `sum` from `at` on.
void add(Bytes& sum, View mask, size_t at = 0) {
  for (size_t i = 0; i < mask.size(); i++) sum[at + i] ^= mask[i];
}

/// OMAC^t of figure 2: CMAC of the number t as a block, and the data.
Bytes omac(View key, uint8_t number, View data) {
  Bytes block(16);
  block[15] = number;
  return cmac(key, block + data);
}

/// Times x in GF(2^128) as CMAC has it: the first byte's highest bit is the highest coefficient.
Bytes doubled(const Bytes& block) {
  Bytes twice(16);
  for (size_t i = 0; i < 16; i++) {
    const int carried = i < 15 ? block[i + 1] >> 7 : block[0] >> 7 != 0 ? 0x87 : 0;
    twice[i] = static_cast<uint8_t>(block[i] << 1 ^ carried);
  }
  return twice;
}

/// Times x in GF(2^128) as IEEE 1619 section 5.2 has it: the last byte's highest bit is the highest
/// coefficient.
Bytes doubled_tweak(const Bytes& tweak) {
  Bytes turned = doubled({tweak.rbegin(), tweak.rend()});
  std::reverse(turned.begin(), turned.end());
  return turned;
}

/// One data unit of 16 bytes or more, IEEE 1619 section 5.3, with keys of any length that AES has.
Bytes xts_unit(View keys, View tweak, View input) {
  const View key = keys.first(keys.size() / 2), tweak_key = keys.last(keys.size() / 2);
  const auto encrypted = [&](View block, const Bytes& mask) {
    Bytes made(block.begin(), block.end());
    add(made, mask);
    made = ecb(key, true, made);
    add(made, mask);
    return made;
  };
  Bytes mask = ecb(tweak_key, true, tweak), ciphertext, last;
  for (size_t at = 0; at + 16 <= input.size(); at += 16) {
    last = encrypted(input.subspan(at, 16), mask);
    ciphertext.insert(ciphertext.end(), last.begin(), last.end());
    mask = doubled_tweak(mask);
  }
  const size_t rest = input.size() % 16;
  if (rest == 0) return ciphertext;
  // Section 5.3.2, ciphertext stealing: the last whole block is encrypted to the unit's last bytes, and what
  // these leave of it fills up the block that stands before them.
  const Bytes before = encrypted(
      Bytes(input.end() - static_cast<ptrdiff_t>(rest), input.end()) + View(last).subspan(rest), mask);
  ciphertext.resize(ciphertext.size() - 16);
  return std::move(ciphertext) + before + View(last).first(rest);
}

/// RFC 5297 section 2.4.
Bytes s2v(View key, const std::vector<Bytes>& strings, View message) {
  Bytes sum = cmac(key, Bytes(16));
  for (const Bytes& string : strings) {
    sum = doubled(sum);
    add(sum, cmac(key, string));
  }
  Bytes last(message.begin(), message.end());
  if (last.size() >= 16) {
    add(last, sum, last.size() - 16);
  } else {
    last.push_back(0x80);
    last.resize(16);
    add(last, doubled(sum));
  }
  return cmac(key, last);
}

/// An element of POLYVAL's field (RFC 8452 section 3): bit i of low is the coefficient of x^i.
struct Element {
  uint64_t low, high;
};

Element element_of(View block) {
  Element made{0, 0};
  for (size_t i = 0; i < 8; i++) {
    made.low |= static_cast<uint64_t>(block[i]) << 8 * i;
    made.high |= static_cast<uint64_t>(block[8 + i]) << 8 * i;
  }
  return made;
}

/// a * b / x^128 modulo x^128 + x^127 + x^126 + x^121 + 1: for each bit of b, the lowest first, an addition
/// and a division by x.
Element dot(Element a, Element b) {
  Element sum{0, 0};
  for (int bit = 0; bit < 128; bit++) {
    const bool is_set = ((bit < 64 ? b.low : b.high) >> bit % 64 & 1) != 0;
    if (is_set) sum = {sum.low ^ a.low, sum.high ^ a.high};
    // As x^128 + x^127 + x^126 + x^121 + 1 = 0, 1 / x is x^127 + x^126 + x^125 + x^120.
    const uint64_t inverse = (sum.low & 1) != 0 ? uint64_t{0xe1} << 56 : 0;
    sum = {sum.low >> 1 | sum.high << 63, sum.high >> 1 ^ inverse};
  }
  return sum;
}

Bytes polyval(Element multiplier, const Bytes& blocks) {
  Element sum{0, 0};
  for (size_t at = 0; at < blocks.size(); at += 16) {
    const Element block = element_of(View(blocks).subspan(at, 16));
    sum = dot({sum.low ^ block.low, sum.high ^ block.high}, multiplier);
  }
  Bytes made(16);
  for (size_t i = 0; i < 16; i++) made[i] = static_cast<uint8_t>((i < 8 ? sum.low : sum.high) >> 8 * (i % 8));
  return made;
}

/// GHASH of SP 800-38D section 6.4, by RFC 8452 appendix A: POLYVAL of everything turned around, under a key
/// that was multiplied by x.
Bytes ghash(const Bytes& key, const Bytes& blocks) {
  const Element h = element_of(Bytes(key.rbegin(), key.rend()));
  const bool carries = h.high >> 63 != 0;
  Element times_x = {h.low << 1, h.high << 1 | h.low >> 63};
  if (carries) times_x = {times_x.low ^ 1, times_x.high ^ uint64_t{0xc2} << 56};
  Bytes turned;
  for (auto block = blocks.begin(); block != blocks.end(); block += 16) {
    turned.insert(turned.end(), std::make_reverse_iterator(block + 16), std::make_reverse_iterator(block));
  }
  const Bytes sum = polyval(times_x, turned);
  return {sum.rbegin(), sum.rend()};
}

/// Bytes of key number `first` and following: section 4's derivation of the message's own keys.
Bytes derived(View key, View nonce, uint8_t first, size_t bytes) {
  Bytes made;
  for (uint8_t number = first; made.size() < bytes; number++) {
    const Bytes half = ecb(key, true, Bytes{number, 0, 0, 0} + nonce);
    made.insert(made.end(), half.begin(), half.begin() + 8);
  }
  return made;
}

Bytes padded(View data) {
  Bytes made(data.begin(), data.end());
  made.resize((made.size() + 15) / 16 * 16);
  return made;
}

void append_bits(Bytes& to, uint64_t bytes) {
  for (int i = 0; i < 8; i++) to.push_back(static_cast<uint8_t>(8 * bytes >> 8 * i));
}

}  // namespace

Sealed eax(View key, View nonce, View aad, View input, size_t tag_bytes) {
  const Bytes counter = omac(key, 0, nonce);
  Sealed sealed{ctr(key, counter, input), counter};
  add(sealed.tag, omac(key, 1, aad));
  add(sealed.tag, omac(key, 2, sealed.ciphertext));
  sealed.tag.resize(tag_bytes);
  return sealed;
}

Sealed gcm_siv(View key, View nonce, View aad, View input) {
  const Bytes mac_key = derived(key, nonce, 0, 16), cipher_key = derived(key, nonce, 2, key.size());
  Bytes hashed = padded(aad) + padded(input);
  append_bits(hashed, aad.size());
  append_bits(hashed, input.size());
  Bytes tag = polyval(element_of(mac_key), hashed);
  add(tag, nonce);
  tag[15] &= 0x7f;
  tag = ecb(cipher_key, true, tag);

  // The counter is the first four bytes, little-endian: not one that EVP counts.
  Bytes counters;
  for (size_t block = 0; 16 * block < input.size(); block++) {
    Bytes counter = tag;
    counter[15] |= 0x80;
    const uint32_t number = static_cast<uint32_t>(element_of(counter).low) + static_cast<uint32_t>(block);
    for (int i = 0; i < 4; i++) counter[i] = static_cast<uint8_t>(number >> 8 * i);
    counters.insert(counters.end(), counter.begin(), counter.end());
  }
  Bytes ciphertext = ecb(cipher_key, true, counters);
  ciphertext.resize(input.size());
  add(ciphertext, input);
  return {ciphertext, tag};
}

Sealed gcm_of_any_nonce(View key, View nonce, View aad, View input, size_t tag_bytes) {
  const Bytes hash_key = ecb(key, true, Bytes(16));
  const auto lengths = [](uint64_t first, uint64_t second) {
    Bytes made;
    for (const uint64_t bytes : {first, second}) {
      for (int i = 7; i >= 0; i--) made.push_back(static_cast<uint8_t>(8 * bytes >> 8 * i));
    }
    return made;
  };
  const Bytes first = ghash(hash_key, padded(nonce) + lengths(0, nonce.size()));
  Bytes counters = first;  // of which the last four bytes count
  while (counters.size() < 16 + input.size()) {
    Bytes next(counters.end() - 16, counters.end());
    for (size_t i = 15; i >= 12 && ++next[i] == 0; i--) {
    }
    counters = counters + next;
  }
  const Bytes stream = ecb(key, true, counters);
  Sealed sealed{Bytes(stream.begin() + 16, stream.begin() + 16 + static_cast<ptrdiff_t>(input.size())),
                Bytes(stream.begin(), stream.begin() + 16)};
  add(sealed.ciphertext, input);
  add(sealed.tag, ghash(hash_key, padded(aad) + padded(sealed.ciphertext) +
                                      lengths(aad.size(), sealed.ciphertext.size())));
  sealed.tag.resize(tag_bytes);
  return sealed;
}

Sealed siv(View keys, const std::vector<Bytes>& strings, View input) {
  const View mac_key = keys.first(keys.size() / 2), cipher_key = keys.last(keys.size() / 2);
  const Bytes tag = s2v(mac_key, strings, input);
  Bytes counter = tag;
  counter[8] &= 0x7f;
  counter[12] &= 0x7f;
  return {ctr(cipher_key, counter, input), tag};
}

Bytes xts_units(View keys, View tweak, uint64_t data_unit, View input) {
  Bytes ciphertext, number(tweak.begin(), tweak.end());
  for (size_t at = 0; at < input.size(); at += data_unit) {
    const View unit = input.subspan(at, std::min<size_t>(data_unit, input.size() - at));
    const bool has_openssl_these_keys = keys.size() != 48;
    const Bytes sealed = has_openssl_these_keys ? xts(keys, number, unit) : xts_unit(keys, number, unit);
    ciphertext.insert(ciphertext.end(), sealed.begin(), sealed.end());
    for (size_t i = 0; i < 16 && ++number[i] == 0; i++) {
    }
  }
  return ciphertext;
}

Bytes cfb1(View key, View iv, View input, unsigned unused_bits) {
  // A bit of ciphertext depends on no bit behind it.
  Bytes ciphertext = crypt("CFB1", key, iv, input);
  if (!ciphertext.empty()) ciphertext.back() &= static_cast<uint8_t>(0xff << unused_bits);
  return ciphertext;
}

}  // namespace warpaes::core::reference
