#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "warpaes/warpaes.hpp"

namespace {

using Bytes = std::vector<uint8_t>;
using IvBytes = std::array<uint8_t, 16>;

const IvBytes kIv{1, 2, 3};

class CplusplusOperations : public ::testing::Test {
 protected:
  const warpaes::Context context_{{.engine = "openssl", .threads = 1}};
  const warpaes::Key key_{context_, Bytes(32, 1)}, tweak_key_{context_, Bytes(32, 2)};
  const Bytes message_ = Bytes(37, 5);
};

TEST_F(CplusplusOperations, PartsAreTheWhole) {
  Bytes whole(48), parts(48);
  warpaes::cbc_pkcs7_encrypt(key_, kIv, message_, whole);
  warpaes::Operation operation(key_, {.mode = WARPAES_MODE_CBC_PKCS7, .iv = kIv});
  EXPECT_EQ(operation.update_bytes(20), 16u);
  uint64_t at = operation.update({message_.data(), 20}, parts);
  at += operation.update({message_.data() + 20, 17}, {parts.data() + at, parts.size() - at});
  EXPECT_EQ(operation.finish_bytes(), 16u);
  at += operation.finish({parts.data() + at, parts.size() - at});
  EXPECT_EQ(at, 48u);
  EXPECT_EQ(parts, whole);
  Bytes opened(48);
  EXPECT_EQ(warpaes::cbc_pkcs7_decrypt(key_, kIv, whole, opened), 37u);
  opened.resize(37);
  EXPECT_EQ(opened, message_);
}

TEST_F(CplusplusOperations, XtsAndCmacTakeTheirOwnFields) {
  warpaes::Operation xts(
      key_, {.mode = WARPAES_MODE_XTS, .iv = kIv, .tweak_key = &tweak_key_, .data_unit_bytes = 20});
  Bytes units(37), expected(37);
  const uint64_t written = xts.update(message_, units);
  EXPECT_EQ(written, 20u);
  EXPECT_EQ(xts.finish({units.data() + written, 17}), 17u);
  warpaes::Xts(key_, tweak_key_).encrypt(kIv, 20, message_, expected);
  EXPECT_EQ(units, expected);

  warpaes::Operation cmac(key_, {.mode = WARPAES_MODE_CMAC, .tag_bytes = 12});
  cmac.update(message_, {});
  Bytes tag(12), expected_tag(12);
  EXPECT_EQ(cmac.finish(tag), 12u);
  key_.cmac(message_, expected_tag);
  EXPECT_EQ(tag, expected_tag);
}

TEST_F(CplusplusOperations, SeekAndErrors) {
  warpaes::Operation ctr(key_, {.mode = WARPAES_MODE_CTR, .iv = kIv});
  Bytes whole(37), part(5);
  key_.ctr_crypt(kIv, message_, whole);
  ctr.seek(30);
  ctr.update({message_.data() + 30, 5}, part);
  EXPECT_EQ(part, Bytes(whole.begin() + 30, whole.begin() + 35));
  EXPECT_THROW(ctr.update(message_, part), warpaes::Error);
  try {
    ctr.finish({});
    FAIL();
  } catch (const warpaes::Error& error) {
    EXPECT_EQ(error.status(), WARPAES_ERROR_STATE);
  }
}

TEST_F(CplusplusOperations, BlockModesThereAndBack) {
  Bytes sealed(37), opened(37);
  warpaes::cbc_cts_encrypt(key_, WARPAES_CS3, kIv, message_, sealed);
  warpaes::cbc_cts_decrypt(key_, WARPAES_CS3, kIv, sealed, opened);
  EXPECT_EQ(opened, message_);
  warpaes::cfb8_encrypt(key_, kIv, message_, sealed);
  warpaes::cfb8_decrypt(key_, kIv, sealed, opened);
  EXPECT_EQ(opened, message_);
  warpaes::cfb1_encrypt(key_, kIv, message_, sealed);
  warpaes::cfb1_decrypt(key_, kIv, sealed, opened);
  EXPECT_EQ(opened, message_);
  EXPECT_THROW(warpaes::cbc_pkcs7_encrypt(key_, kIv, message_, sealed), warpaes::Error);
  const std::array<uint8_t, 4> nonce{9};
  const std::array<uint8_t, 8> iv{8};
  EXPECT_EQ(warpaes::ctr_rfc3686_counter(nonce, iv)[15], 1);
}

TEST_F(CplusplusOperations, KeysAreWrappedAndUnwrapped) {
  Bytes wrapped(48), padded(40), unwrapped(40);
  EXPECT_THROW(warpaes::kw_wrap(key_, Bytes(32), wrapped), warpaes::Error) << "8 bytes too long";
  wrapped.resize(40);
  warpaes::kw_wrap(key_, Bytes(32, 7), wrapped);
  unwrapped.resize(32);
  EXPECT_EQ(warpaes::kw_unwrap(key_, wrapped, unwrapped), warpaes::Authenticity::right);
  EXPECT_EQ(unwrapped, Bytes(32, 7));
  wrapped[3] ^= 1;
  EXPECT_EQ(warpaes::kw_unwrap(key_, wrapped, unwrapped), warpaes::Authenticity::wrong_tag);
  EXPECT_EQ(unwrapped, Bytes(32, 0));

  warpaes::kwp_wrap(key_, Bytes(31, 7), padded);
  uint64_t bytes = 0;
  EXPECT_EQ(warpaes::kwp_unwrap(key_, padded, unwrapped, bytes), warpaes::Authenticity::right);
  EXPECT_EQ(bytes, 31u);
}

}  // namespace
