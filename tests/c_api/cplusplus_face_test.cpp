// Tests the C++ wrapper: what it refuses to compile, what its objects keep alive, and that its calls do what
// the C interface does.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "warpaes/warpaes.hpp"

namespace {

using warpaes::Cipher;
using warpaes::Context;
using warpaes::Direction;
using warpaes::Mode;
using Bytes = std::vector<uint8_t>;

// Views are made of memory that lives, and written only where that makes sense.
static_assert(std::is_constructible_v<warpaes::Input, std::span<const std::byte>>);
static_assert(std::is_constructible_v<warpaes::Input, const std::array<uint8_t, 3>&>);
static_assert(std::is_constructible_v<warpaes::Input, const std::string&>);
static_assert(!std::is_constructible_v<warpaes::Input, const char (&)[4]>, "a literal has a final zero");
static_assert(!std::is_constructible_v<warpaes::Input, const volatile uint8_t (&)[4]>,
              "it changes meanwhile");
static_assert(std::is_constructible_v<warpaes::Output, Bytes&>);
static_assert(std::is_constructible_v<warpaes::Output, std::span<uint8_t>>);
static_assert(!std::is_constructible_v<warpaes::Output, const Bytes&>);
static_assert(!std::is_constructible_v<warpaes::Output, Bytes>, "would write into a temporary object");
static_assert(!std::is_constructible_v<warpaes::Output, std::string>);

// A handle is shared or moved, and cannot be there twice without being shared.
static_assert(std::is_copy_constructible_v<Context> && std::is_copy_constructible_v<Cipher>);
static_assert(std::is_nothrow_move_constructible_v<Context> && std::is_nothrow_move_constructible_v<Cipher>);
static_assert(!std::is_copy_constructible_v<warpaes::Operation> &&
              !std::is_copy_constructible_v<warpaes::HostBuffer>);
static_assert(std::is_nothrow_move_constructible_v<warpaes::Operation> &&
              std::is_nothrow_move_constructible_v<warpaes::HostBuffer>);

// Numbers of one kind do not pass for another: a direction is no mode.
static_assert(!std::is_constructible_v<Cipher, const Context&, Direction, const Bytes&>);
static_assert(!std::is_convertible_v<warpaes::Verdict, bool>, "only where it is asked for");

Context portable() { return Context({.engine = "portable", .threads = 1}); }

TEST(CplusplusFace, GcmThereAndBack) {
  const Cipher gcm(Context(), Mode::gcm, Bytes(32, 1));
  const Bytes nonce(12, 2), aad(7, 3), plaintext(100, 4);
  Bytes ciphertext(100), opened(100);
  std::array<std::byte, 16> tag;
  EXPECT_EQ(gcm.encrypt({.input = plaintext, .output = ciphertext, .nonce = nonce, .aad = aad, .tag = tag}),
            100u);
  const auto decrypt = [&] {
    return gcm.decrypt({.input = ciphertext, .output = opened, .nonce = nonce, .aad = aad, .tag = tag});
  };
  EXPECT_EQ(decrypt().length(), 100u);
  EXPECT_EQ(opened, plaintext);
  tag[0] ^= std::byte{1};
  const warpaes::Verdict verdict = decrypt();
  EXPECT_FALSE(verdict);
  EXPECT_EQ(verdict.status(), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_THROW((void)verdict.length(), warpaes::Error);
  EXPECT_EQ(opened, Bytes(100, 0));
}

/// As of a call in C: the program has asked for it there.
TEST(CplusplusFace, LengthsAreWrittenWhereAMessageWantsThem) {
  const Cipher cbc(portable(), Mode::cbc_pkcs7, Bytes(16, 1));
  const Bytes iv(16, 2), plaintext(20, 3);
  Bytes ciphertext(32), opened(32);
  uint64_t length = 99;
  EXPECT_EQ(cbc.encrypt({.input = plaintext, .output = ciphertext, .output_length = &length, .nonce = iv}),
            32u);
  EXPECT_EQ(length, 32u);
  const auto decrypt = [&] {
    return cbc.decrypt({.input = ciphertext, .output = opened, .output_length = &length, .nonce = iv});
  };
  EXPECT_EQ(decrypt().length(), 20u);
  EXPECT_EQ(length, 20u);
  ciphertext[15] ^= 1;
  ciphertext[31] ^= 1;
  EXPECT_FALSE(decrypt());
  EXPECT_EQ(length, 0u);
}

/// The sanitizers look on: each object was made with temporary ones.
TEST(CplusplusFace, ObjectsKeepAliveWhatTheyWereMadeWith) {
  std::optional<Cipher> made;
  made.emplace(portable(), Mode::ctr, Bytes(16, 1));
  Cipher ctr = *made;
  made.reset();
  warpaes::Operation operation(Cipher(portable(), Mode::ctr, Bytes(16, 1)), {.nonce = Bytes(16)});
  Bytes whole(48, 5), parts(48, 5);
  ctr.encrypt({.input = whole, .output = whole, .nonce = Bytes(16)});
  ctr = Cipher(portable(), Mode::cmac, Bytes(16, 1));
  EXPECT_EQ(operation.update(parts, parts), 48u);
  EXPECT_EQ(parts, whole);
  warpaes::HostBuffer buffer(Context({.engine = "portable"}), 100);
  buffer[99] = 1;
  EXPECT_EQ(buffer.size(), 100u);
}

TEST(CplusplusFace, HostBuffersAreInputAndOutput) {
  const Context context = portable();
  const Cipher ctr(context, Mode::ctr, Bytes(16, 1));
  warpaes::HostBuffer buffer(context, 48);
  Bytes expected(48);
  ctr.encrypt({.input = expected, .output = expected, .nonce = Bytes(16)});
  ctr.encrypt({.input = buffer, .output = buffer, .nonce = Bytes(16)});
  EXPECT_EQ(Bytes(buffer.begin(), buffer.end()), expected);
}

TEST(CplusplusFace, SealedMessages) {
  Cipher eax(portable(), Mode::eax, Bytes(32, 1));
  const Bytes aad(7, 3), plaintext(100, 4);
  Bytes sealed(warpaes::sealed_size(eax.mode(), plaintext.size())), opened(100);
  EXPECT_EQ(eax.seal(aad, plaintext, sealed), sealed.size());
  EXPECT_EQ(eax.open(aad, sealed, opened).length(), 100u);
  EXPECT_EQ(opened, plaintext);
  EXPECT_FALSE(eax.open({}, sealed, opened));
  EXPECT_EQ(opened, Bytes(100, 0));
  EXPECT_EQ(eax.add_nonces(5), 6u);
}

TEST(CplusplusFace, PaddingIsTakenOff) {
  const Cipher cbc(portable(), Mode::cbc_pkcs7, Bytes(24, 1));
  const Bytes iv(16, 7), plaintext(37, 5);
  Bytes ciphertext(warpaes::output_size(cbc.mode(), Direction::encrypt, 37)), opened(48);
  EXPECT_EQ(cbc.encrypt({.input = plaintext, .output = ciphertext, .nonce = iv}), 48u);
  EXPECT_EQ(cbc.decrypt({.input = ciphertext, .output = opened, .nonce = iv}).length(), 37u);
  opened.resize(37);
  EXPECT_EQ(opened, plaintext);
  ciphertext[31] ^= 0x80;  // the last byte of the last block becomes 0x8b: no padding
  opened.resize(48);
  const warpaes::Verdict verdict = cbc.decrypt({.input = ciphertext, .output = opened, .nonce = iv});
  EXPECT_EQ(verdict.status(), WARPAES_ERROR_PADDING);
  EXPECT_EQ(opened, Bytes(48, 0));
}

TEST(CplusplusFace, XtsInDataUnits) {
  Bytes keys(32, 1);
  EXPECT_THROW(Cipher(portable(), Mode::xts, keys), warpaes::Error) << "equal halves";
  keys[0] = 2;
  const Cipher xts(portable(), Mode::xts, keys);
  const Bytes number(16), plaintext(50, 5);
  Bytes data = plaintext;
  xts.encrypt({.input = data, .output = data, .nonce = number, .data_unit = 32});
  EXPECT_NE(data, plaintext);
  EXPECT_TRUE(xts.decrypt({.input = data, .output = data, .nonce = number, .data_unit = 32}));
  EXPECT_EQ(data, plaintext);
}

TEST(CplusplusFace, SivWithStrings) {
  const Cipher siv(portable(), Mode::siv, Bytes(32, 1));
  const Bytes first(5, 1), second(6, 2), plaintext(40, 3);
  const std::array<warpaes_bytes, 2> strings = {warpaes::Input(first), warpaes::Input(second)};
  const std::array<warpaes_bytes, 2> swapped = {strings[1], strings[0]};
  Bytes data = plaintext, tag(16);
  siv.encrypt({.input = data, .output = data, .tag = tag, .strings = strings});
  Bytes opened(40);
  EXPECT_FALSE(siv.decrypt({.input = data, .output = opened, .tag = tag, .strings = swapped}));
  EXPECT_TRUE(siv.decrypt({.input = data, .output = opened, .tag = tag, .strings = strings}));
  EXPECT_EQ(opened, plaintext);
}

/// A vector without strings has memory or none, by chance.
TEST(CplusplusFace, SivWithoutStringsIsAnotherThanWithAnEmptyOne) {
  const Cipher siv(portable(), Mode::siv, Bytes(32, 1));
  const Bytes plaintext(40, 3);
  const auto tag_with = [&](warpaes::Message message) {
    Bytes output(40), tag(16);
    message.input = plaintext;
    message.output = output;
    message.tag = tag;
    siv.encrypt(message);
    return tag;
  };
  std::vector<warpaes_bytes> cleared = {warpaes::Input(plaintext)};
  cleared.clear();
  const std::vector<warpaes_bytes> none, empty = {{nullptr, 0}};
  EXPECT_EQ(tag_with({.strings = none}), tag_with({.strings = cleared}));
  EXPECT_EQ(tag_with({.strings = empty}), tag_with({}));
  EXPECT_NE(tag_with({.strings = none}), tag_with({.strings = empty}));
}

/// An empty std::string has an address all the same.
TEST(CplusplusFace, WhatIsEmptyIsAsGoodAsNotGiven) {
  const std::string nothing;
  const Cipher siv(portable(), Mode::siv, Bytes(32, 1)), ctr(portable(), Mode::ctr, Bytes(16, 1));
  Bytes one(20, 4), other(20, 4);
  std::array<uint8_t, 16> tag_of_one, tag_of_other;
  siv.encrypt({.input = one, .output = one, .nonce = nothing, .aad = nothing, .tag = tag_of_one});
  siv.encrypt({.input = other, .output = other, .tag = tag_of_other});
  EXPECT_EQ(tag_of_one, tag_of_other);
  EXPECT_EQ(ctr.encrypt({.input = one, .output = one, .nonce = Bytes(16), .aad = nothing}), 20u);
}

/// The library takes a tag length of 0 for 16 bytes, which memory of no bytes does not have.
TEST(CplusplusFace, ATagWithoutBytesIsNotWritten) {
  const Cipher gcm(portable(), Mode::gcm, Bytes(16, 1)), cmac(portable(), Mode::cmac, Bytes(16, 1));
  const Bytes nonce(12), text(20, 4);
  Bytes output(20), reserved, around(32, 0xee);
  reserved.reserve(4);
  const std::span<uint8_t> none = std::span(around).subspan(8, 0);
  const auto expect_refused = [](const auto& call) {
    try {
      call();
      ADD_FAILURE();
    } catch (const warpaes::Error& error) {
      EXPECT_EQ(error.status(), WARPAES_ERROR_NULL_POINTER) << error.what();
    }
  };
  for (const warpaes::Output& tag :
       {warpaes::Output(reserved), warpaes::Output(none), warpaes::Output(around.data() + 8, 0)}) {
    expect_refused([&] { gcm.encrypt({.input = text, .output = output, .nonce = nonce, .tag = tag}); });
    expect_refused([&] { cmac.encrypt({.input = text, .tag = tag}); });
    expect_refused([&] { (void)cmac.decrypt({.input = text, .tag = tag}); });
  }
  EXPECT_EQ(around, Bytes(32, 0xee));
}

TEST(CplusplusFace, MacsAreMadeAndChecked) {
  const Cipher cmac(portable(), Mode::cmac, Bytes(16, 1));
  const Bytes message(100, 3);
  Bytes tag(12);
  EXPECT_EQ(cmac.encrypt({.input = message, .tag = tag}), 0u);
  EXPECT_TRUE(cmac.decrypt({.input = message, .tag = tag}));
  tag[11] ^= 1;
  EXPECT_FALSE(cmac.decrypt({.input = message, .tag = tag}));
}

TEST(CplusplusFace, KeysAreWrapped) {
  const Cipher kwp(portable(), Mode::kwp, Bytes(16, 1));
  const Bytes key(31, 7);
  Bytes wrapped(40), unwrapped(32);
  EXPECT_EQ(kwp.encrypt({.input = key, .output = wrapped}), 40u);
  EXPECT_EQ(kwp.decrypt({.input = wrapped, .output = unwrapped}).length(), 31u);
  unwrapped.resize(31);
  EXPECT_EQ(unwrapped, key);
}

TEST(CplusplusFace, DeviceCallsNeedAGpuEngine) {
  const Cipher gcm(portable(), Mode::gcm, Bytes(16, 1));
  Bytes data(32), tag(16);
  const Bytes nonce(12);
  int32_t status = 0;
  EXPECT_THROW((void)gcm.workspace_size(Direction::encrypt, 1, 32), warpaes::Error);
  EXPECT_THROW(gcm.encrypt_device({.input = data, .output = data, .nonce = nonce, .tag = tag}, {}, nullptr),
               warpaes::Error);
  EXPECT_THROW(
      gcm.decrypt_device({.input = data, .output = data, .nonce = nonce, .tag = tag, .status = &status}, {},
                         nullptr),
      warpaes::Error);
}

TEST(CplusplusFace, MisuseIsThrown) {
  const Context context;
  try {
    const Cipher cipher(context, Mode::gcm, Bytes(5));
    FAIL();
  } catch (const warpaes::Error& error) {
    EXPECT_EQ(error.status(), WARPAES_ERROR_KEY_LENGTH);
    EXPECT_STREQ(error.name(), "WARPAES_ERROR_KEY_LENGTH");
    EXPECT_STRNE(error.what(), "");
  }
  EXPECT_THROW(Cipher(context, Mode::gcm, Bytes()), warpaes::Error) << "a key that was forgotten";
  const Cipher ecb(context, Mode::ecb, Bytes(16));
  Bytes input(32), output(16);
  EXPECT_THROW(ecb.encrypt({.input = input, .output = output}), warpaes::Error) << "too little room";
  EXPECT_THROW(Context({.engine = "none"}), warpaes::Error);
}

TEST(CplusplusFace, ListsOfEnginesDevicesAndModes) {
  EXPECT_EQ(portable().engine(1000), "portable");
  EXPECT_EQ(
      Cipher(Context({.engine = "portable/fips197"}), Mode::ctr, Bytes(16)).engine(Direction::encrypt, 9),
      "portable/fips197");
  std::set<std::string> names;
  for (const warpaes::EngineInfo& engine : warpaes::engines()) names.insert(engine.name);
  EXPECT_EQ(names, (std::set<std::string>{"cuda", "openssl", "portable"}));
  uint32_t devices = 0;
  while (warpaes_device_get(devices, nullptr) == WARPAES_OK) devices++;
  EXPECT_EQ(warpaes::device_count(), devices);
  EXPECT_EQ(warpaes::devices().size(), devices);
  EXPECT_EQ(warpaes::modes().size(), static_cast<size_t>(Mode::kwp)) << "a mode is missing in mode.hpp";
  for (const Mode mode : warpaes::modes()) EXPECT_STRNE(warpaes::mode_info(mode).name, "");
  EXPECT_STREQ(warpaes::mode_info(Mode::cbc_cs3).name, "CBC-CS3");
}

TEST(CplusplusFace, SizesOfSealedMessages) {
  EXPECT_EQ(warpaes::sealed_size(Mode::ccm, (1 << 24) - 1), (1 << 24) - 1 + 12 + 16);
  const std::tuple<Mode, uint64_t, warpaes_status> refused[] = {{Mode::ccm, 1 << 24, WARPAES_ERROR_LENGTH},
                                                                {Mode::eax, UINT64_MAX, WARPAES_ERROR_LENGTH},
                                                                {Mode::ctr, 16, WARPAES_ERROR_MODE}};
  for (const auto& [mode, length, status] : refused) {
    try {
      ADD_FAILURE() << warpaes::sealed_size(mode, length) << " bytes in place of " << status;
    } catch (const warpaes::Error& error) {
      EXPECT_EQ(error.status(), status);
    }
  }
}

TEST(CplusplusFace, DerivedKeys) {
  // RFC 5869 A.1; RFC 7914 section 11 (PBKDF2-HMAC-SHA-256) and 12 (scrypt), their first bytes.
  Bytes salt(13), info(10), key(4);
  for (size_t i = 0; i < salt.size(); i++) salt[i] = static_cast<uint8_t>(i);
  for (size_t i = 0; i < info.size(); i++) info[i] = static_cast<uint8_t>(0xf0 + i);
  warpaes::hkdf(Bytes(22, 0x0b), {.salt = salt, .info = info}, key);
  EXPECT_EQ(key, (Bytes{0x3c, 0xb2, 0x5f, 0x25}));
  warpaes::pbkdf2(std::string("passwd"), std::string("salt"), {.iterations = 1}, key);
  EXPECT_EQ(key, (Bytes{0x55, 0xac, 0x04, 0x6e}));
  warpaes::scrypt(std::string("password"), std::string("NaCl"), {.cost = 1024, .block_size = 8, .lanes = 16},
                  key);
  EXPECT_EQ(key, (Bytes{0xfd, 0xba, 0xbe, 0x1c}));
  Bytes random(32);
  warpaes::random(random);
  EXPECT_NE(random, Bytes(32));
}

}  // namespace
