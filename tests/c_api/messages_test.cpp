// One message of each mode, on every engine that can run here. It must become what OpenSSL makes of it, and
// decrypt to what it was.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "evp_reference.hpp"
#include "mode_rows.hpp"

namespace warpaes::core::testing {
namespace {

constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

/// Does `check` for each mode with a cipher of each engine that has it.
void for_each_mode_and_engine(const auto& check) {
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str(), 2);
    for (const ModeRow& row : mode_rows()) {
      SCOPED_TRACE(engine + ", " + row.name);
      if (TestCipher(context, row.mode, row.example(1).key).status() == WARPAES_OK) check(context, row);
    }
  }
}

/// One call, and what must have come of it.
void expect_right(const TestContext& context, MessageMemory& memory) {
  const TestCipher cipher(context, memory.row.mode, memory.example.key);
  const warpaes_status status = memory.run(cipher.get());
  if (status == WARPAES_ERROR_UNSUPPORTED) return;  // a GPU engine that does not have the direction
  ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
  if (memory.direction == kEncrypt) {
    EXPECT_TRUE(memory.output == memory.answer.output);
    EXPECT_EQ(memory.output_length, memory.row.has_output() ? memory.answer.output.size() : 77u);
  } else if (memory.row.has_output()) {
    Bytes expected = memory.example.text;
    expected.resize(memory.output.size());  // zeros behind what was unpadded
    EXPECT_TRUE(memory.output == expected);
    EXPECT_EQ(memory.output_length, memory.example.text.size());
  }
  EXPECT_EQ(memory.tag, memory.answer.tag);
}

TEST(Messages, AreOpensslsAndBack) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    for (const size_t length : {0, 1, 15, 16, 17, 48, 1000}) {
      for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
        SCOPED_TRACE(length);
        MessageMemory memory(row, row.example(length, length), direction);
        expect_right(context, memory);
      }
    }
  });
}

TEST(Messages, HaveKeysOfAllLengths) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    for (const size_t key_length : row.keys()) {
      for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
        SCOPED_TRACE(key_length);
        Example example = row.example(77);
        example.key.resize(key_length);
        MessageMemory memory(row, example, direction);
        expect_right(context, memory);
      }
    }
  });
}

/// The modes whose oracles take any: CCM, EAX, OCB3, GCM, GMAC and CMAC.
TEST(Messages, HaveNoncesAndTagsOfAllLengths) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    const uint64_t longest = std::min<uint64_t>(row.longest_nonce, 20);
    for (uint64_t nonce = row.shortest_nonce; nonce <= longest; nonce++) {
      SCOPED_TRACE(nonce);
      Example example = row.example(33);
      example.nonce.resize(nonce, 5);
      MessageMemory memory(row, example);
      expect_right(context, memory);
    }
    for (size_t tag = 1; tag <= 16; tag++) {
      if ((row.tag_lengths >> tag & 1) == 0) continue;
      for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
        SCOPED_TRACE(tag);
        Example example = row.example(33);
        example.tag_length = tag;
        MessageMemory memory(row, example, direction);
        expect_right(context, memory);
      }
    }
  });
}

TEST(Messages, InPlace) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    if (!row.has_output()) return;
    for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
      MessageMemory memory(row, row.example(1000), direction);
      std::copy_n(memory.input.begin(), std::min(memory.input.size(), memory.output.size()),
                  memory.output.begin());
      const size_t room = memory.output.size();
      memory.output.resize(std::max(room, memory.input.size()));
      std::copy(memory.input.begin(), memory.input.end(), memory.output.begin());
      memory.message.input = memory.message.output = memory.output.data();
      const TestCipher cipher(context, row.mode, memory.example.key);
      const warpaes_status status = memory.run(cipher.get());
      if (status == WARPAES_ERROR_UNSUPPORTED) continue;
      ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
      Bytes expected = direction == kEncrypt ? memory.answer.output : memory.example.text;
      expected.resize(room);
      memory.output.resize(room);  // unwrapping leaves the last 8 bytes of the input, or clears them
      EXPECT_TRUE(memory.output == expected);
    }
  });
}

TEST(Messages, HaveTagsOf16BytesUnlessSaidOtherwise) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    if (!row.has_tag()) return;
    for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
      MessageMemory memory(row, row.example(20), direction);
      memory.message.tag_length = 0;
      expect_right(context, memory);
    }
  });
}

/// Whatever is changed in a message, decryption refuses it, and hands out zeros. CMAC and GMAC check tags.
TEST(Messages, DamageIsNoticed) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    if (!row.authenticates()) return;
    const TestCipher cipher(context, row.mode, row.example(1).key);
    const auto expect_refused = [&](MessageMemory& memory) {
      EXPECT_EQ(memory.run(cipher.get()), WARPAES_ERROR_AUTHENTICATION);
      EXPECT_EQ(memory.output, Bytes(memory.output.size(), 0));
      EXPECT_EQ(memory.output_length, row.has_output() ? 0u : 77u);
      EXPECT_STRNE(warpaes_last_error(), "");
    };
    const auto each_byte = [&](Bytes MessageMemory::* field, const char* what) {
      const size_t count = (MessageMemory(row, row.example(40), kDecrypt).*field).size();
      for (size_t at = 0; at < count; at += 5) {
        SCOPED_TRACE(what + std::to_string(at));
        MessageMemory memory(row, row.example(40), kDecrypt);
        (memory.*field)[at] ^= 1;
        expect_refused(memory);
      }
    };
    each_byte(&MessageMemory::input, "input byte ");
    each_byte(&MessageMemory::tag, "tag byte ");
    if (row.has_nonce() && row.needs_nonce()) {
      MessageMemory memory(row, row.example(40), kDecrypt);
      memory.example.nonce[3] ^= 1;
      expect_refused(memory);
    }
    if (row.has_aad()) {
      MessageMemory memory(row, row.example(40), kDecrypt);
      memory.message.aad_length--;
      expect_refused(memory);
    }
  });
}

TEST(Messages, WrongPaddingIsNoticed) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    if (!row.has_pkcs7()) return;
    MessageMemory memory(row, row.example(31), kDecrypt);
    memory.input = wrongly_padded(row, memory.example, 32);
    memory.message.input = memory.input.data();
    const TestCipher cipher(context, row.mode, memory.example.key);
    EXPECT_EQ(memory.run(cipher.get()), WARPAES_ERROR_PADDING);
    EXPECT_EQ(memory.output, Bytes(32, 0));
    EXPECT_EQ(memory.output_length, 0u);
  });
}

/// A null pointer with nothing behind it is no mistake, wherever it stands.
TEST(Messages, NothingNeedsNoMemory) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    if (!row.has_empty()) return;
    for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
      if (row.has_pkcs7() && direction == kDecrypt) continue;  // a block of padding at least
      Example example = row.example(0);
      example.aad.clear();
      example.text.clear();
      MessageMemory memory(row, example, direction);
      memory.message.input = memory.message.aad = nullptr;
      if (memory.output.empty()) memory.message.output = nullptr;
      expect_right(context, memory);
    }
  });
}

/// More room than is needed is left alone; where the length is not wanted, it need not be.
TEST(Messages, RoomBehindTheOutputIsLeftAlone) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    if (!row.has_output()) return;
    for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
      MessageMemory memory(row, row.example(50), direction);
      const size_t needed = memory.output.size();
      memory.output.resize(needed + 40, kUntouched);
      memory.message.output = memory.output.data();
      memory.message.output_capacity = memory.output.size();
      if (direction == kEncrypt || !row.unpads()) memory.message.output_length = nullptr;
      const TestCipher cipher(context, row.mode, memory.example.key);
      const warpaes_status status = memory.run(cipher.get());
      if (status == WARPAES_ERROR_UNSUPPORTED) continue;
      ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(slice(memory.output, needed, 40), Bytes(40, kUntouched));
    }
  });
}

TEST(Messages, CmacHasRfc4493sTags) {
  const Bytes key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                     0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  const Bytes of_nothing = {0xbb, 0x1d, 0x69, 0x29, 0xe9, 0x59, 0x37, 0x28,
                            0x7f, 0xa3, 0x7d, 0x12, 0x9b, 0x75, 0x67, 0x46};
  const ModeRow& row = row_of(WARPAES_MODE_CMAC);
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str());
    MessageMemory memory(row, {key, {}, {}, {}, 16});
    ASSERT_EQ(memory.answer.tag, of_nothing);
    if (TestCipher(context, row.mode, key).status() == WARPAES_OK) expect_right(context, memory);
    for (const size_t length : {4096, 4097, 100'000}) {
      MessageMemory longer(row, {key, {}, {}, counting(length), 8});
      if (TestCipher(context, row.mode, key).status() == WARPAES_OK) expect_right(context, longer);
    }
  }
}

/// Data units of one length that follow each other, the last of which may be shorter.
TEST(Messages, OfXtsHaveDataUnits) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    if (row.mode != WARPAES_MODE_XTS) return;
    for (const size_t unit : {16, 32, 40, 512}) {
      for (const size_t length : {unit, 3 * unit, 2 * unit + 16}) {
        for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
          SCOPED_TRACE(std::to_string(length) + " in units of " + std::to_string(unit));
          MessageMemory memory(row, row.example(length), direction);
          memory.answer.output = xts_of_units(memory.example, unit);
          if (direction == kDecrypt) memory.input = memory.answer.output;
          memory.message.input = memory.input.data();
          memory.message.data_unit = unit;
          expect_right(context, memory);
        }
      }
    }
  });
}

/// Bits beyond the message are neither read nor let out, and the bits before are those of whole bytes.
TEST(Messages, OfCfb1MayEndWithinAByte) {
  for_each_mode_and_engine([](const TestContext& context, const ModeRow& row) {
    if (row.mode != WARPAES_MODE_CFB1) return;
    const auto kept = [](Bytes text, uint32_t unused) {
      text.back() &= static_cast<uint8_t>(0xff << unused);
      return text;
    };
    for (const size_t length : {1, 2, 16, 17, 40}) {
      for (uint32_t unused = 0; unused < 8; unused++) {
        for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
          SCOPED_TRACE(std::to_string(length) + " bytes less " + std::to_string(unused) + " bits");
          MessageMemory memory(row, row.example(length), direction);
          memory.input.back() ^= static_cast<uint8_t>((1u << unused) - 1);  // not read
          memory.answer.output = kept(memory.answer.output, unused);
          memory.example.text = kept(memory.example.text, unused);
          memory.message.unused_bits = unused;
          expect_right(context, memory);
        }
      }
    }
  });
}

/// RFC 5297's associated strings: where one ends and the next begins is authenticated.
TEST(Messages, OfSivHaveAssociatedStrings) {
  const ModeRow& row = row_of(WARPAES_MODE_SIV);
  for_each_mode_and_engine([&row](const TestContext& context, const ModeRow& tested) {
    if (tested.mode != row.mode) return;
    for (const size_t nonce_length : {0, 12, 16}) {
      for (const size_t count : {1, 2, 3, 125}) {
        std::vector<Bytes> strings;
        for (size_t i = 0; i < count; i++) strings.push_back(counting(i % 3 == 1 ? 0 : 5 * i % 37, i));
        std::vector<warpaes_bytes> given;
        for (const Bytes& each : strings) given.push_back({each.data(), each.size()});
        for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
          SCOPED_TRACE(std::to_string(count) + " strings, a nonce of " + std::to_string(nonce_length));
          Example example = row.example(45);
          example.aad.clear();
          example.nonce = counting(nonce_length, 3);
          std::vector<Bytes> all = strings;
          if (nonce_length > 0) all.push_back(example.nonce);
          MessageMemory memory(row, example, direction);
          memory.answer = siv_of_strings(example.key, all, example.text);
          if (direction == kDecrypt) memory.input = memory.answer.output, memory.tag = memory.answer.tag;
          memory.message.input = memory.input.data();
          memory.message.tag = memory.tag.data();
          memory.message.strings = given.data();
          memory.message.string_count = given.size();
          expect_right(context, memory);
        }
      }
    }
  });
}

TEST(Messages, OfSivTell126StringsFrom125AndFromOne) {
  const TestContext context("openssl");
  const ModeRow& row = row_of(WARPAES_MODE_SIV);
  const Bytes text = counting(9), piece = counting(3);
  const std::vector<warpaes_bytes> strings(126, {piece.data(), piece.size()});
  Example example = row.example(9);
  example.aad.clear();
  MessageMemory memory(row, example);
  memory.message.strings = strings.data();
  memory.message.string_count = strings.size();
  memory.answer = siv_of_strings(example.key, std::vector<Bytes>(126, piece), example.text);
  expect_right(context, memory);
  const TestCipher cipher(context, row.mode, example.key);
  MessageMemory opened(row, example, kDecrypt);
  opened.input = memory.output;
  opened.tag = memory.tag;
  opened.message.input = opened.input.data();
  opened.message.tag = opened.tag.data();
  opened.message.strings = strings.data();
  opened.message.string_count = 125;
  EXPECT_EQ(opened.run(cipher.get()), WARPAES_ERROR_AUTHENTICATION);
  Bytes joined;
  for (int i = 0; i < 126; i++) joined.insert(joined.end(), piece.begin(), piece.end());
  opened.message.strings = nullptr;
  opened.message.string_count = 0;
  opened.message.aad = joined.data();
  opened.message.aad_length = joined.size();
  EXPECT_EQ(opened.run(cipher.get()), WARPAES_ERROR_AUTHENTICATION);
}

/// A cipher without a key is for batches whose messages bring theirs.
TEST(Messages, AreNeverEncryptedByACipherWithoutAKey) {
  const TestContext context("openssl");
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    const TestCipher keyless(context, row.mode, {});
    for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
      MessageMemory memory(row, row.example(16), direction);
      const Bytes output = memory.output, tag = memory.tag;
      EXPECT_EQ(memory.run(keyless.get()), WARPAES_ERROR_STATE) << warpaes_last_error();
      EXPECT_EQ(memory.output, output);
      EXPECT_EQ(memory.tag, tag);
    }
  }
}

/// What a forced GPU engine without a mode says; the others have all.
/// The place of the new object may be in what it is made of.
TEST(Messages, AreOfTheKeyThatAlsoHasRoomForTheCipher) {
  const TestContext context("openssl", 1);
  const Bytes key = counting(16);
  const TestCipher expected(context, WARPAES_MODE_ECB, key);
  union {
    uint8_t key[16];
    warpaes_cipher* cipher;
  } room;
  std::ranges::copy(key, room.key);
  ASSERT_EQ(warpaes_cipher_create(context.get(), WARPAES_MODE_ECB, room.key, sizeof room.key, &room.cipher),
            WARPAES_OK);
  warpaes_cipher* const cipher = room.cipher;
  std::array<Bytes, 2> outputs{Bytes(16), Bytes(16)};
  for (const auto& [by, output] : {std::pair(cipher, &outputs[0]), std::pair(expected.get(), &outputs[1])}) {
    auto message = sized<warpaes_message>();
    message.input = key.data();
    message.length = message.output_capacity = 16;
    message.output = output->data();
    EXPECT_EQ(warpaes_encrypt(by, &message), WARPAES_OK) << warpaes_last_error();
  }
  EXPECT_EQ(outputs[0], outputs[1]);
  warpaes_cipher_destroy(cipher);
}

TEST(Messages, AreMadeByEveryEngineOfTheCpu) {
  for (const warpaes_engine_info& info : all_engines()) {
    if (info.available == 0) continue;
    const std::string name = std::string(info.name) + "/" + info.kernel;
    const TestContext context(name.c_str());
    for (const ModeRow& row : mode_rows()) {
      SCOPED_TRACE(name + ", " + row.name);
      const TestCipher cipher(context, row.mode, row.example(1).key);
      EXPECT_TRUE(info.on_device == 1 || cipher.status() == WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(cipher.get() == nullptr, cipher.status() != WARPAES_OK);
    }
  }
}

}  // namespace
}  // namespace warpaes::core::testing
