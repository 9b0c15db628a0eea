// Operations of the C++ wrapper: the parts must give the whole message, and misuse must throw.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "warpaes/warpaes.hpp"

namespace {

using warpaes::Cipher;
using warpaes::Direction;
using warpaes::Mode;
using warpaes::Operation;
using Bytes = std::vector<uint8_t>;

class CplusplusOperations : public ::testing::Test {
 protected:
  Cipher cipher(Mode mode) const { return {context_, mode, Bytes(32, 1)}; }

  const warpaes::Context context_{{.engine = "openssl", .threads = 1}};
  const Bytes iv_ = Bytes(16, 9);
  const Bytes message_ = Bytes(37, 5);
};

TEST_F(CplusplusOperations, PartsAreTheWhole) {
  const Cipher cbc = cipher(Mode::cbc_pkcs7);
  Bytes whole(48), parts(48);
  cbc.encrypt({.input = message_, .output = whole, .nonce = iv_});
  Operation encryption(cbc, {.nonce = iv_});
  const std::span in(message_);
  const std::span out(parts);
  EXPECT_EQ(encryption.update_size(20), 16u);
  uint64_t at = encryption.update(in.first(20), out);
  at += encryption.update(in.subspan(20), out.subspan(at));
  EXPECT_EQ(encryption.finish_size(), 16u);
  at += encryption.finish(out.subspan(at)).length();
  EXPECT_EQ(at, 48u);
  EXPECT_EQ(parts, whole);
}

TEST_F(CplusplusOperations, AWrongPaddingIsAVerdict) {
  Operation decryption(cipher(Mode::cbc_pkcs7), {.direction = Direction::decrypt, .nonce = iv_});
  Bytes opened(32);
  const uint64_t written = decryption.update(Bytes(32, 1), opened);
  EXPECT_EQ(decryption.finish(std::span(opened).subspan(written)).status(), WARPAES_ERROR_PADDING);
}

TEST_F(CplusplusOperations, TagsFollowTheLastPart) {
  const Cipher gcm = cipher(Mode::gcm);
  const Bytes nonce(12, 3), aad(5, 4);
  Bytes whole(37), tag(13), parts(37 + 13);
  gcm.encrypt({.input = message_, .output = whole, .nonce = nonce, .aad = aad, .tag = tag});
  Operation encryption(gcm, {.nonce = nonce, .aad = aad, .tag_length = 13});
  const uint64_t written = encryption.update(message_, parts);
  EXPECT_EQ(encryption.finish(std::span(parts).subspan(written)).length(), 13u);
  whole.insert(whole.end(), tag.begin(), tag.end());
  EXPECT_EQ(parts, whole);
}

TEST_F(CplusplusOperations, DecryptionInPartsIsVerifiedAtItsEnd) {
  const Cipher gcm = cipher(Mode::gcm);
  const Bytes nonce(12, 3);
  Bytes sealed(37), tag(16), opened(37);
  gcm.encrypt({.input = message_, .output = sealed, .nonce = nonce, .tag = tag});
  Operation right = Operation::unverified(gcm, {.nonce = nonce});
  EXPECT_EQ(right.update(sealed, opened), 37u);
  EXPECT_TRUE(right.verify(tag, {}));
  EXPECT_EQ(opened, message_);
  tag[3] ^= 1;
  Operation wrong = Operation::unverified(gcm, {.nonce = nonce});
  EXPECT_EQ(wrong.update(sealed, opened), 37u);
  EXPECT_EQ(wrong.verify(tag, {}).status(), WARPAES_ERROR_AUTHENTICATION);
}

TEST_F(CplusplusOperations, XtsAndCmacTakeTheirOwnFields) {
  Bytes keys(32, 1);
  keys.resize(64, 2);
  const Cipher two_keys(context_, Mode::xts, keys);
  Operation xts(two_keys, {.nonce = iv_, .data_unit = 20});
  Bytes units(37), expected(37);
  const uint64_t written = xts.update(message_, units);
  EXPECT_EQ(written, 20u);
  EXPECT_EQ(xts.finish(std::span(units).subspan(written)).length(), 17u);
  two_keys.encrypt({.input = message_, .output = expected, .nonce = iv_, .data_unit = 20});
  EXPECT_EQ(units, expected);

  Operation cmac(cipher(Mode::cmac), {.tag_length = 12});
  cmac.update(message_, {});
  Bytes tag(12), expected_tag(12);
  EXPECT_EQ(cmac.finish(tag).length(), 12u);
  cipher(Mode::cmac).encrypt({.input = message_, .tag = expected_tag});
  EXPECT_EQ(tag, expected_tag);
}

TEST_F(CplusplusOperations, CopiesOfCmacOutliveTheFirst) {
  Bytes expected(16), tag(16);
  cipher(Mode::cmac).encrypt({.input = message_, .tag = expected});
  const auto begun = [&] {
    Operation first(cipher(Mode::cmac), {});
    first.update(std::span(message_).first(20), {});
    return first.copy();
  };
  Operation second = begun();
  second.update(std::span(message_).subspan(20), {});
  EXPECT_EQ(second.finish(tag).length(), 16u);
  EXPECT_EQ(tag, expected);
  EXPECT_THROW((void)second.copy(), warpaes::Error) << "it is over";
  EXPECT_THROW((void)Operation(cipher(Mode::ctr), {.nonce = iv_}).copy(), warpaes::Error);
}

TEST_F(CplusplusOperations, SeekAndErrors) {
  Operation ctr(cipher(Mode::ctr), {.nonce = iv_});
  Bytes whole(37), part(5);
  cipher(Mode::ctr).encrypt({.input = message_, .output = whole, .nonce = iv_});
  ctr.seek(30);
  ctr.update(std::span(message_).subspan(30, 5), part);
  EXPECT_EQ(part, Bytes(whole.begin() + 30, whole.begin() + 35));
  EXPECT_THROW(ctr.update(message_, part), warpaes::Error) << "too little room";
  try {
    (void)ctr.finish({});
    FAIL();
  } catch (const warpaes::Error& error) {
    EXPECT_EQ(error.status(), WARPAES_ERROR_STATE);
  }
  EXPECT_THROW(Operation(cipher(Mode::gcm), {.direction = Direction::decrypt, .nonce = Bytes(12)}),
               warpaes::Error);
}

}  // namespace
