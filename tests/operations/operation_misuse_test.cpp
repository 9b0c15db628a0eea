// Mistakes that a caller can make with operations: each row spoils one thing, and names its status.
#include "mode_rows.hpp"

namespace warpaes::core::testing {
namespace {

constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;
constexpr auto kNull = WARPAES_ERROR_NULL_POINTER, kLength = WARPAES_ERROR_LENGTH,
               kOption = WARPAES_ERROR_OPTION, kTagLength = WARPAES_ERROR_TAG_LENGTH,
               kNonceLength = WARPAES_ERROR_NONCE_LENGTH;

/// What an operation is made of, right until a row spoils it.
struct Creation {
  const warpaes_cipher* cipher;
  warpaes_direction direction;
  warpaes_message message;
  Bytes* memory;
};

struct CreateRow {
  const char* what;
  warpaes_status expected;
  warpaes_mode mode;
  void (*spoil)(Creation& c);
};

const CreateRow kCreateRows[] = {
    {"no cipher", kNull, WARPAES_MODE_CTR, [](Creation& c) { c.cipher = nullptr; }},
    {"no size", kOption, WARPAES_MODE_CTR, [](Creation& c) { c.message.size = 0; }},
    {"reserved", kOption, WARPAES_MODE_CTR, [](Creation& c) { c.message.reserved = 1; }},
    {"no direction", kOption, WARPAES_MODE_CTR, [](Creation& c) { c.direction = 3; }},
    {"no IV", kNull, WARPAES_MODE_CBC, [](Creation& c) { c.message.nonce = nullptr; }},
    {"no additional data", kNull, WARPAES_MODE_GCM, [](Creation& c) { c.message.aad_length = 3; }},
    {"a short IV", kNonceLength, WARPAES_MODE_OFB, [](Creation& c) { c.message.nonce_length = 12; }},
    {"GCM without a nonce", kNonceLength, WARPAES_MODE_GCM, [](Creation& c) { c.message.nonce_length = 0; }},
    {"OCB3, a nonce of 16 bytes", kNonceLength, WARPAES_MODE_OCB3,
     [](Creation& c) { c.message.nonce_length = 16; }},
    {"an IV for ECB", kOption, WARPAES_MODE_ECB, [](Creation& c) { c.message.nonce = c.memory->data(); }},
    {"an IV's length for ECB", kOption, WARPAES_MODE_ECB, [](Creation& c) { c.message.nonce_length = 16; }},
    {"a nonce for CMAC", kOption, WARPAES_MODE_CMAC, [](Creation& c) { c.message.nonce = c.memory->data(); }},
    {"data units for CBC", kOption, WARPAES_MODE_CBC, [](Creation& c) { c.message.data_unit = 16; }},
    {"a tag for CBC", kOption, WARPAES_MODE_CBC, [](Creation& c) { c.message.tag_length = 16; }},
    {"additional data for CTR", kOption, WARPAES_MODE_CTR, [](Creation& c) { c.message.aad_length = 1; }},
    {"additional data for GMAC", kOption, WARPAES_MODE_GMAC,
     [](Creation& c) {
       c.message.aad = c.memory->data();
       c.message.aad_length = 1;
     }},
    {"an input", kOption, WARPAES_MODE_CTR, [](Creation& c) { c.message.input = c.memory->data(); }},
    {"an output", kOption, WARPAES_MODE_CTR, [](Creation& c) { c.message.output = c.memory->data(); }},
    {"a place for the tag", kOption, WARPAES_MODE_GCM, [](Creation& c) { c.message.tag = c.memory->data(); }},
    {"unused bits for CTR", kOption, WARPAES_MODE_CTR, [](Creation& c) { c.message.unused_bits = 1; }},
    {"strings for EAX", kOption, WARPAES_MODE_EAX, [](Creation& c) { c.message.string_count = 1; }},
    {"a CMAC tag of 7 bytes", kTagLength, WARPAES_MODE_CMAC, [](Creation& c) { c.message.tag_length = 7; }},
    {"a CMAC tag of 17 bytes", kTagLength, WARPAES_MODE_CMAC, [](Creation& c) { c.message.tag_length = 17; }},
    {"a GCM tag of 11 bytes", kTagLength, WARPAES_MODE_GCM, [](Creation& c) { c.message.tag_length = 11; }},
    {"an OCB3 tag of 13 bytes", kTagLength, WARPAES_MODE_OCB3,
     [](Creation& c) { c.message.tag_length = 13; }},
    {"XTS without data units", kOption, WARPAES_MODE_XTS, [](Creation& c) { c.message.data_unit = 0; }},
    {"XTS, data units of 15 bytes", kLength, WARPAES_MODE_XTS, [](Creation& c) { c.message.data_unit = 15; }},
    {"XTS, data units over 2^24 bytes", kLength, WARPAES_MODE_XTS,
     [](Creation& c) { c.message.data_unit = (1 << 24) + 1; }},
};

constexpr size_t kDataUnit = 40;

/// A cipher of the mode, and a message without its text.
class Material {
 public:
  Material(const TestContext& context, warpaes_mode mode)
      : example_(row_of(mode).example(0)), cipher_(context, mode, example_.key) {
    message.nonce = example_.nonce.empty() ? nullptr : example_.nonce.data();
    message.nonce_length = example_.nonce.size();
    message.data_unit = mode == WARPAES_MODE_XTS ? kDataUnit : 0;
  }
  const warpaes_cipher* cipher() const { return cipher_.get(); }

  warpaes_message message = sized<warpaes_message>();

 private:
  Example example_;
  TestCipher cipher_;
};

class OperationMisuse : public ::testing::Test {
 protected:
  TestContext context_{"openssl"};
};

TEST_F(OperationMisuse, CreatingRefusesEachRow) {
  Bytes memory(64);
  for (const CreateRow& row : kCreateRows) {
    SCOPED_TRACE(row.what);
    const Material material(context_, row.mode);
    Creation given = {material.cipher(), kEncrypt, material.message, &memory};
    {
      const TestOperation unspoilt(given.cipher, given.direction, given.message);
      ASSERT_EQ(unspoilt.status(), WARPAES_OK) << warpaes_last_error();
    }
    row.spoil(given);
    auto* operation = reinterpret_cast<warpaes_operation*>(1);
    EXPECT_STREQ(warpaes_status_name(
                     warpaes_operation_create(given.cipher, given.direction, &given.message, &operation)),
                 warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_EQ(operation, nullptr);
  }
  const Material right(context_, WARPAES_MODE_CTR);
  warpaes_operation* operation = nullptr;
  EXPECT_EQ(warpaes_operation_create(right.cipher(), kEncrypt, nullptr, &operation), kNull);
  EXPECT_EQ(warpaes_operation_create(right.cipher(), kEncrypt, &right.message, nullptr), kNull);
  const TestCipher keyless(context_, WARPAES_MODE_CTR, {});
  EXPECT_EQ(warpaes_operation_create(keyless.get(), kEncrypt, &right.message, &operation),
            WARPAES_ERROR_STATE);
}

/// Operations have a direction more than messages.
TEST_F(OperationMisuse, NoDirectionIsRefusedWithoutNamingTwoOfThree) {
  const Material right(context_, WARPAES_MODE_CTR);
  warpaes_operation* operation = nullptr;
  EXPECT_EQ(warpaes_operation_create(right.cipher(), 3, &right.message, &operation), kOption);
  EXPECT_STREQ(warpaes_last_error(), "direction is none of the constants of warpaes_direction");
}

/// Which modes can be done in parts, in which direction, and how much finish() may write.
TEST_F(OperationMisuse, WhatCannotBeDoneInPartsIsRefused) {
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    const Material material(context_, row.mode);
    const bool never = row.wraps_keys() || row.mode == WARPAES_MODE_CCM || row.mode == WARPAES_MODE_GCM_SIV ||
                       row.mode == WARPAES_MODE_SIV;
    const TestOperation encrypting(material.cipher(), kEncrypt, material.message),
        decrypting(material.cipher(), kDecrypt, material.message);
    EXPECT_EQ(encrypting.status(), never ? WARPAES_ERROR_MODE : WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(decrypting.status() == WARPAES_OK, !row.authenticates());
    if (!never && row.authenticates()) {
      EXPECT_TRUE(decrypting.status() == WARPAES_ERROR_OPTION || decrypting.status() == WARPAES_ERROR_MODE);
    }
    if (never) continue;
    const bool steals = row.shortest == 16 && row.mode != WARPAES_MODE_XTS;
    const uint64_t most = row.has_pkcs7()                 ? 16
                          : steals                        ? 32
                          : row.mode == WARPAES_MODE_XTS  ? kDataUnit - 1
                          : row.mode == WARPAES_MODE_OCB3 ? 16 + 15
                                                          : row.recommended_tag();
    uint64_t size = 0;
    EXPECT_EQ(warpaes_operation_size(encrypting.get(), 0, nullptr, &size), WARPAES_OK);
    EXPECT_LE(size, most);
    EXPECT_TRUE(size == most || steals || row.mode == WARPAES_MODE_XTS || row.mode == WARPAES_MODE_OCB3)
        << size << " of nothing held yet";
  }
}

/// An operation with 5 bytes behind it, memory, and what an update or finish says to it.
struct Use {
  warpaes_operation* operation;
  Bytes memory = Bytes(256, kUntouched);
  uint64_t written = 7;
  warpaes_status update(size_t from, uint64_t length, size_t to, uint64_t room) {
    return warpaes_operation_update(operation, memory.data() + from, length, memory.data() + to, room,
                                    &written);
  }
  warpaes_status finish(uint64_t room) {
    return warpaes_operation_finish(operation, memory.data(), room, &written);
  }
  /// Data errors set to zero what the call may have written: no more than the room, and nothing else.
  warpaes_status finish_zeroed(uint64_t room) {
    const warpaes_status status = finish(room);
    for (size_t i = 0; i < room; i++) EXPECT_TRUE(memory[i] == 0 || memory[i] == kUntouched) << i;
    std::fill_n(memory.begin(), room, kUntouched);
    return status;
  }
};

struct UseRow {
  const char* what;
  warpaes_status expected;
  warpaes_mode mode;
  warpaes_direction direction;
  warpaes_status (*use)(Use& use);
};

const UseRow kUseRows[] = {
    {"no input", kNull, WARPAES_MODE_CTR, kEncrypt,
     [](Use& u) {
       return warpaes_operation_update(u.operation, nullptr, 5, u.memory.data(), 5, &u.written);
     }},
    {"no output", kNull, WARPAES_MODE_CTR, kEncrypt,
     [](Use& u) {
       return warpaes_operation_update(u.operation, u.memory.data(), 5, nullptr, 5, &u.written);
     }},
    {"too little room", WARPAES_ERROR_BUFFER_SIZE, WARPAES_MODE_CTR, kEncrypt,
     [](Use& u) { return u.update(0, 64, 64, 63); }},
    {"too little room for what was held too", WARPAES_ERROR_BUFFER_SIZE, WARPAES_MODE_CBC, kEncrypt,
     [](Use& u) { return u.update(0, 27, 64, 31); }},
    {"output a byte behind the input", WARPAES_ERROR_OVERLAP, WARPAES_MODE_OFB, kEncrypt,
     [](Use& u) { return u.update(0, 32, 1, 32); }},
    {"output a byte before the input", WARPAES_ERROR_OVERLAP, WARPAES_MODE_CBC, kDecrypt,
     [](Use& u) { return u.update(1, 32, 0, 32); }},
    {"the last byte of what was held too is the input's first", WARPAES_ERROR_OVERLAP, WARPAES_MODE_ECB,
     kEncrypt, [](Use& u) { return u.update(31, 27, 0, 64); }},
    {"beyond the address space", kLength, WARPAES_MODE_CTR, kEncrypt,
     [](Use& u) { return u.update(0, UINT64_MAX, 0, UINT64_MAX); }},
    {"with what was held, beyond 64 bits", kLength, WARPAES_MODE_ECB, kEncrypt,
     [](Use& u) { return u.update(0, UINT64_MAX - 3, 0, UINT64_MAX); }},
    {"ECB, part of a block", kLength, WARPAES_MODE_ECB, kEncrypt, [](Use& u) { return u.finish(0); }},
    {"CBC, part of a block", kLength, WARPAES_MODE_CBC, kDecrypt, [](Use& u) { return u.finish(0); }},
    {"PKCS#7, part of a block", kLength, WARPAES_MODE_CBC_PKCS7, kDecrypt,
     [](Use& u) { return u.finish_zeroed(16); }},
    {"ECB with PKCS#7, part of a block", kLength, WARPAES_MODE_ECB_PKCS7, kDecrypt,
     [](Use& u) { return u.finish_zeroed(16); }},
    {"PKCS#7, too little room for the padding", WARPAES_ERROR_BUFFER_SIZE, WARPAES_MODE_CBC_PKCS7, kEncrypt,
     [](Use& u) { return u.finish(15); }},
    {"PKCS#7, wrong padding", WARPAES_ERROR_PADDING, WARPAES_MODE_CBC_PKCS7, kDecrypt,
     [](Use& u) {
       EXPECT_EQ(u.update(0, 27, 64, 16), WARPAES_OK);
       std::fill(u.memory.begin(), u.memory.end(), kUntouched);
       return u.finish_zeroed(16);
     }},
    {"CTS under a block", kLength, WARPAES_MODE_CBC_CS3, kEncrypt,
     [](Use& u) { return u.finish_zeroed(32); }},
    {"XTS, a data unit under a block", kLength, WARPAES_MODE_XTS, kEncrypt,
     [](Use& u) { return u.finish_zeroed(40); }},
    {"CMAC, too little room for the tag", WARPAES_ERROR_BUFFER_SIZE, WARPAES_MODE_CMAC, kEncrypt,
     [](Use& u) { return u.finish(15); }},
    {"seek in OFB", WARPAES_ERROR_MODE, WARPAES_MODE_OFB, kEncrypt,
     [](Use& u) {
       u.written = 0;
       return warpaes_operation_seek(u.operation, 0);
     }},
    {"update after finish", WARPAES_ERROR_STATE, WARPAES_MODE_CTR, kEncrypt,
     [](Use& u) {
       EXPECT_EQ(u.finish(0), WARPAES_OK);
       return u.update(0, 5, 64, 64);
     }},
    {"finish after finish", WARPAES_ERROR_STATE, WARPAES_MODE_CTR, kEncrypt,
     [](Use& u) {
       EXPECT_EQ(u.finish(0), WARPAES_OK);
       return u.finish(0);
     }},
};

TEST_F(OperationMisuse, UsesAreRefusedAndEndTheOperation) {
  for (const UseRow& row : kUseRows) {
    SCOPED_TRACE(row.what);
    const Material material(context_, row.mode);
    const TestOperation operation(material.cipher(), row.direction, material.message);
    Bytes some(5, 1), ready(5);
    uint64_t written = 0, update = 77, finish = 77;
    uint8_t* const to = row_of(row.mode).has_output() ? ready.data() : nullptr;
    ASSERT_EQ(warpaes_operation_update(operation.get(), some.data(), 5, to, 5, &written), WARPAES_OK);
    Use use{operation.get()};
    EXPECT_STREQ(warpaes_status_name(row.use(use)), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_EQ(use.written, 0u);
    EXPECT_EQ(use.memory, Bytes(use.memory.size(), kUntouched));
    EXPECT_EQ(use.update(0, 5, 64, 64), WARPAES_ERROR_STATE);
    EXPECT_EQ(use.finish(64), WARPAES_ERROR_STATE);
    EXPECT_EQ(warpaes_operation_size(operation.get(), 5, &update, &finish), WARPAES_ERROR_STATE);
    EXPECT_EQ(update + finish, 0u);
    EXPECT_EQ(warpaes_operation_seek(operation.get(), 0), WARPAES_ERROR_STATE);
  }
}

/// Decryption before the tag is known: which modes have it.
TEST_F(OperationMisuse, OnlyModesWithATagAreUnverified) {
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    const Material material(context_, row.mode);
    const TestOperation encrypting(material.cipher(), kEncrypt, material.message),
        unverified(material.cipher(), material.message);
    const bool has_parts = encrypting.status() == WARPAES_OK;
    EXPECT_EQ(unverified.status(), !has_parts                          ? WARPAES_ERROR_MODE
                                   : row.has_tag() && row.has_output() ? WARPAES_OK
                                                                       : kOption)
        << warpaes_last_error();
  }
}

/// Nothing that is held back leaves an operation whose tag is wrong: zeros are there. Its end tells no tag.
TEST_F(OperationMisuse, UnverifiedOperationsEndByTheirTagOnly) {
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_EAX, WARPAES_MODE_OCB3}) {
    const bool is_ocb3 = mode == WARPAES_MODE_OCB3;  // which holds back 5 of the 21 bytes
    const Material material(context_, mode);
    const Bytes sealed(21, 3), tag(16, 1);
    const auto begin = [&](auto use) {
      const TestOperation operation(material.cipher(), material.message);
      Bytes out(21);
      uint64_t written = 0;
      EXPECT_EQ(warpaes_operation_update(operation.get(), sealed.data(), 21, out.data(), 21, &written),
                WARPAES_OK);
      Bytes rest(48, kUntouched), expected = rest;
      written = 7;
      const warpaes_status status = use(operation.get(), rest, written);
      if (is_ocb3 && status == WARPAES_ERROR_AUTHENTICATION) std::fill_n(expected.begin(), 5, uint8_t{0});
      EXPECT_EQ(written, 0u);
      EXPECT_EQ(rest, expected);
      EXPECT_EQ(warpaes_operation_verify(operation.get(), tag.data(), 16, rest.data(), 48, &written),
                WARPAES_ERROR_STATE);
      return status;
    };
    // Of the tag at that place; null: where what is left of the plaintext goes, which only OCB3 has.
    const auto verify = [&](const uint8_t* of, size_t length) {
      return begin([&](auto* o, Bytes& rest, uint64_t& written) {
        return warpaes_operation_verify(o, of ? of : rest.data(), length, rest.data(), 48, &written);
      });
    };
    EXPECT_EQ(verify(tag.data(), 16), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(verify(tag.data(), 15), kTagLength);
    EXPECT_EQ(verify(nullptr, 16), is_ocb3 ? WARPAES_ERROR_OVERLAP : WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(begin([&](auto* o, Bytes& rest, uint64_t& written) {
                return warpaes_operation_finish(o, rest.data(), 48, &written);
              }),
              kOption);
  }
  const Material material(context_, WARPAES_MODE_GCM);
  const TestOperation sealing(material.cipher(), kEncrypt, material.message);
  Bytes tag(16);
  uint64_t written = 0;
  EXPECT_EQ(warpaes_operation_verify(sealing.get(), nullptr, 16, nullptr, 0, &written), kNull);
  EXPECT_EQ(warpaes_operation_verify(sealing.get(), tag.data(), 16, nullptr, 0, &written), kOption);
  constexpr warpaes_direction kUnverified = WARPAES_DIRECTION_DECRYPT_UNVERIFIED;
  warpaes_operation* none = nullptr;
  EXPECT_EQ(warpaes_operation_create(nullptr, kUnverified, &material.message, &none), kNull);
  EXPECT_EQ(warpaes_operation_create(material.cipher(), kUnverified, nullptr, &none), kNull);
  EXPECT_EQ(warpaes_operation_create(material.cipher(), kUnverified, &material.message, nullptr), kNull);
}

/// CMAC alone is copied: in the other modes two messages would have one nonce. Nothing happens to what is
/// not.
TEST_F(OperationMisuse, OnlyCmacIsCopied) {
  for (const ModeRow& row : mode_rows()) {
    SCOPED_TRACE(row.name);
    const Material material(context_, row.mode);
    const TestOperation operation(material.cipher(), kEncrypt, material.message);
    if (operation.status() != WARPAES_OK) continue;
    auto* copy = reinterpret_cast<warpaes_operation*>(1);
    const bool copied = row.mode == WARPAES_MODE_CMAC;
    EXPECT_EQ(warpaes_operation_copy(operation.get(), &copy), copied ? WARPAES_OK : WARPAES_ERROR_MODE);
    EXPECT_EQ(copy != nullptr, copied);
    warpaes_operation_destroy(copy);
    uint64_t size = 0;
    EXPECT_EQ(warpaes_operation_size(operation.get(), 5, &size, nullptr), WARPAES_OK);
  }
  const Material material(context_, WARPAES_MODE_CMAC);
  const TestOperation operation(material.cipher(), kEncrypt, material.message);
  auto* copy = reinterpret_cast<warpaes_operation*>(1);
  EXPECT_EQ(warpaes_operation_copy(nullptr, &copy), kNull);
  EXPECT_EQ(copy, nullptr);
  EXPECT_EQ(warpaes_operation_copy(operation.get(), nullptr), kNull);
  Use use{operation.get()};
  ASSERT_EQ(use.finish(16), WARPAES_OK);
  EXPECT_EQ(warpaes_operation_copy(operation.get(), &copy), WARPAES_ERROR_STATE);
  EXPECT_EQ(copy, nullptr);
}

TEST_F(OperationMisuse, NullsAreRefused) {
  const Material material(context_, WARPAES_MODE_CTR);
  const TestOperation operation(material.cipher(), kEncrypt, material.message);
  uint64_t written = 0;
  uint8_t byte = 0;
  EXPECT_EQ(warpaes_operation_update(nullptr, &byte, 1, &byte, 1, &written), kNull);
  EXPECT_EQ(warpaes_operation_update(operation.get(), &byte, 1, &byte, 1, nullptr), kNull);
  EXPECT_EQ(warpaes_operation_finish(nullptr, &byte, 1, &written), kNull);
  EXPECT_EQ(warpaes_operation_seek(nullptr, 1), kNull);
  EXPECT_EQ(warpaes_operation_size(operation.get(), 1, nullptr, nullptr), kNull);
  EXPECT_EQ(warpaes_operation_size(nullptr, 0, nullptr, &written), kNull);
  warpaes_operation_destroy(nullptr);
}

/// Of modes that have an empty message; those with tags write the tag of one.
TEST_F(OperationMisuse, NothingToDoNeedsNoMemory) {
  for (const ModeRow& row : mode_rows()) {
    const Material material(context_, row.mode);
    const TestOperation operation(material.cipher(), kEncrypt, material.message);
    if (operation.status() != WARPAES_OK || (row.shortest > 0 && row.mode != WARPAES_MODE_XTS)) continue;
    SCOPED_TRACE(row.name);
    uint64_t written = 7;
    EXPECT_EQ(warpaes_operation_update(operation.get(), nullptr, 0, nullptr, 0, &written), WARPAES_OK);
    EXPECT_EQ(written, 0u);
    Bytes end(48);
    const bool writes = row.has_tag() || row.has_pkcs7();
    EXPECT_EQ(
        warpaes_operation_finish(operation.get(), writes ? end.data() : nullptr, writes ? 48 : 0, &written),
        WARPAES_OK);
    EXPECT_EQ(written, writes ? 16u : 0u);
  }
}

TEST_F(OperationMisuse, TheLimitsOfTheModeCount) {
  const Material material(context_, WARPAES_MODE_GMAC);
  const TestOperation gmac(material.cipher(), kEncrypt, material.message);
  uint64_t written = 0;
  const uint8_t byte = 0;  // the length is refused before anything is read
  EXPECT_EQ(warpaes_operation_update(gmac.get(), &byte, uint64_t{1} << 61, nullptr, 0, &written), kLength);
  EXPECT_EQ(warpaes_operation_update(gmac.get(), &byte, 1, nullptr, 0, &written), WARPAES_ERROR_STATE);
}

}  // namespace
}  // namespace warpaes::core::testing
