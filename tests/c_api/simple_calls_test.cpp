// Tests the one-line calls of simple.h with the standards' examples. simple_calls_in_c99.c compiles them as
// C.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "warpaes/simple.h"
#include "warpaes/warpaes.hpp"

namespace {

using warpaes::Cipher;
using warpaes::Context;
using warpaes::Mode;
using Bytes = std::vector<uint8_t>;
using Block = std::array<uint8_t, 16>;

Bytes bytes(const std::string& hexadecimal) {
  Bytes all;
  for (size_t i = 0; i < hexadecimal.size(); i += 2) {
    all.push_back(static_cast<uint8_t>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16)));
  }
  return all;
}

Block counting_from(uint8_t first) {
  Block block;
  for (uint8_t& byte : block) byte = first++;
  return block;
}

/// SP 800-38A's key and first block of plaintext, which SP 800-38B has too.
const Bytes kKey = bytes("2b7e151628aed2a6abf7158809cf4f3c");
const Bytes kBlock = bytes("6bc1bee22e409f96e93d7e117393172a");

Cipher cipher(Mode mode, const Bytes& key) { return {Context({.engine = "portable"}), mode, key}; }

TEST(SimpleCalls, Gcm) {  // test case 2 of the GCM specification by McGrew and Viega
  const Cipher gcm = cipher(Mode::gcm, Bytes(16));
  const Bytes nonce(12);
  Bytes data(16);
  Block tag;
  ASSERT_EQ(
      warpaes_gcm_encrypt(gcm.get(), nonce.data(), nullptr, 0, data.data(), 16, data.data(), tag.data()),
      WARPAES_OK);
  EXPECT_EQ(data, bytes("0388dace60b6a392f328c2b971b2fe78"));
  EXPECT_EQ(Bytes(tag.begin(), tag.end()), bytes("ab6e47d42cec13bdf53a67b21257bddf"));
  const auto decrypt = [&](const char* aad, uint64_t aad_length) {
    return warpaes_gcm_decrypt(gcm.get(), nonce.data(), aad, aad_length, data.data(), 16, data.data(),
                               tag.data());
  };
  const Bytes ciphertext = data;
  EXPECT_EQ(decrypt("x", 1), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(data, Bytes(16));
  data = ciphertext;
  EXPECT_EQ(decrypt(nullptr, 0), WARPAES_OK);
  EXPECT_EQ(data, Bytes(16));
}

TEST(SimpleCalls, CtrAndCbc) {  // SP 800-38A F.5.1 and F.2.1
  Bytes data(16);
  const Block counter = counting_from(0xf0), iv = counting_from(0);
  ASSERT_EQ(warpaes_ctr_crypt(cipher(Mode::ctr, kKey).get(), counter.data(), kBlock.data(), 16, data.data()),
            WARPAES_OK);
  EXPECT_EQ(data, bytes("874d6191b620e3261bef6864990db6ce"));
  const Cipher cbc = cipher(Mode::cbc, kKey);
  ASSERT_EQ(warpaes_cbc_encrypt(cbc.get(), iv.data(), kBlock.data(), 16, data.data()), WARPAES_OK);
  EXPECT_EQ(data, bytes("7649abac8119b246cee98e9b12e9197d"));
  ASSERT_EQ(warpaes_cbc_decrypt(cbc.get(), iv.data(), data.data(), 16, data.data()), WARPAES_OK);
  EXPECT_EQ(data, kBlock);
}

TEST(SimpleCalls, CbcWithPadding) {
  const Cipher cbc = cipher(Mode::cbc_pkcs7, kKey);
  const Block iv = counting_from(0);
  for (const size_t length : {0, 1, 15, 16, 17}) {
    const Bytes plaintext(length, 7);
    Bytes ciphertext(length / 16 * 16 + 16), opened(ciphertext.size());
    uint64_t written = 99;
    ASSERT_EQ(warpaes_cbc_pkcs7_encrypt(cbc.get(), iv.data(), plaintext.data(), length, ciphertext.data()),
              WARPAES_OK);
    ASSERT_EQ(warpaes_cbc_pkcs7_decrypt(cbc.get(), iv.data(), ciphertext.data(), ciphertext.size(),
                                        opened.data(), &written),
              WARPAES_OK);
    EXPECT_EQ(written, length);
    opened.resize(length);
    EXPECT_EQ(opened, plaintext);
  }
}

TEST(SimpleCalls, Xts) {  // IEEE 1619 annex B, vector 2
  Bytes keys(16, 0x11);
  keys.resize(32, 0x22);
  const Cipher xts = cipher(Mode::xts, keys);
  Bytes data(32, 0x44);
  ASSERT_EQ(warpaes_xts_encrypt(xts.get(), 0x3333333333, 32, data.data(), 32, data.data()), WARPAES_OK);
  EXPECT_EQ(data, bytes("c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"));
  ASSERT_EQ(warpaes_xts_decrypt(xts.get(), 0x3333333333, 32, data.data(), 32, data.data()), WARPAES_OK);
  EXPECT_EQ(data, Bytes(32, 0x44));

  // The unit after 0x0101 has the tweak 02 01 00 …
  Bytes two(64, 0x44);
  ASSERT_EQ(warpaes_xts_encrypt(xts.get(), 0x0101, 32, two.data(), 64, two.data()), WARPAES_OK);
  EXPECT_EQ(Bytes(two.begin() + 32, two.end()),
            bytes("b2af11b635b3c2661a478b8b97be1b24c0c5040d71023b8e6621804c99235b59"));
}

TEST(SimpleCalls, Cmac) {  // SP 800-38B D.1, example 2
  const Cipher cmac = cipher(Mode::cmac, kKey);
  Block tag;
  ASSERT_EQ(warpaes_cmac(cmac.get(), kBlock.data(), 16, tag.data()), WARPAES_OK);
  EXPECT_EQ(Bytes(tag.begin(), tag.end()), bytes("070a16b46b4d4144f79bdd9dd04a287c"));
  EXPECT_EQ(warpaes_cmac_verify(cmac.get(), kBlock.data(), 16, tag.data()), WARPAES_OK);
  EXPECT_EQ(warpaes_cmac_verify(cmac.get(), kBlock.data(), 15, tag.data()), WARPAES_ERROR_AUTHENTICATION);
}

TEST(SimpleCalls, KeyWrap) {  // RFC 3394 4.1
  const Block key_encryption_key = counting_from(0);
  const Cipher kw = cipher(Mode::kw, {key_encryption_key.begin(), key_encryption_key.end()});
  const Bytes key = bytes("00112233445566778899aabbccddeeff");
  Bytes wrapped(24), unwrapped(16);
  ASSERT_EQ(warpaes_kw_wrap(kw.get(), key.data(), 16, wrapped.data()), WARPAES_OK);
  EXPECT_EQ(wrapped, bytes("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"));
  ASSERT_EQ(warpaes_kw_unwrap(kw.get(), wrapped.data(), 24, unwrapped.data()), WARPAES_OK);
  EXPECT_EQ(unwrapped, key);
  wrapped[0] ^= 1;
  EXPECT_EQ(warpaes_kw_unwrap(kw.get(), wrapped.data(), 24, unwrapped.data()), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(warpaes_kw_unwrap(kw.get(), wrapped.data(), 7, unwrapped.data()), WARPAES_ERROR_LENGTH);
}

TEST(SimpleCalls, RefuseCiphersOfOtherModes) {
  const Cipher cbc = cipher(Mode::cbc, kKey);
  Bytes data = kBlock;
  const Block counter{};
  EXPECT_EQ(warpaes_ctr_crypt(cbc.get(), counter.data(), data.data(), 16, data.data()), WARPAES_ERROR_MODE);
  EXPECT_EQ(warpaes_ctr_crypt(nullptr, counter.data(), data.data(), 16, data.data()),
            WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(data, kBlock);
}

TEST(SimpleCalls, RefuseWhatIsNull) {
  const Cipher gcm = cipher(Mode::gcm, kKey), cmac = cipher(Mode::cmac, kKey);
  Bytes data = kBlock;
  const Block tag = {};
  const auto decrypt = [&](const uint8_t* nonce, const uint8_t* tag_or_null) {
    return warpaes_gcm_decrypt(gcm.get(), nonce, nullptr, 0, data.data(), 16, data.data(), tag_or_null);
  };
  EXPECT_EQ(decrypt(nullptr, tag.data()), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(decrypt(tag.data(), nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_cmac_verify(cmac.get(), data.data(), 16, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(data, kBlock);
}

TEST(SimpleCalls, CounterOfRfc3686) {  // section 6, test vector 2
  Block counter;
  warpaes_ctr_rfc3686_counter(bytes("006cb6db").data(), bytes("c0543b59da48d90b").data(), counter.data());
  EXPECT_EQ(Bytes(counter.begin(), counter.end()), bytes("006cb6dbc0543b59da48d90b00000001"));
}

}  // namespace
