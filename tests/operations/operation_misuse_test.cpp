// What a caller can do wrong with operations, as tables: each row spoils one thing, and names the status
// that it must give.
#include "operation_rows.hpp"

namespace warpaes::testing {
namespace {

constexpr uint8_t kUntouched = 0x5a;

struct CreateRow {
  const char* what;
  warpaes_status expected;
  warpaes_mode mode;
  void (*spoil)(warpaes_operation_options& options, const warpaes_key*& key, const warpaes_key* other);
};

using Options = warpaes_operation_options;
using KeyPointer = const warpaes_key*;

const CreateRow kCreateRows[] = {
    {"no key", WARPAES_ERROR_NULL_POINTER, WARPAES_MODE_CTR,
     [](Options&, KeyPointer& key, KeyPointer) { key = nullptr; }},
    {"another size", WARPAES_ERROR_OPTION, WARPAES_MODE_CTR,
     [](Options& o, KeyPointer&, KeyPointer) { o.size--; }},
    {"a reserved bit", WARPAES_ERROR_OPTION, WARPAES_MODE_CTR,
     [](Options& o, KeyPointer&, KeyPointer) { o.reserved[7] = 1; }},
    {"no mode", WARPAES_ERROR_OPTION, WARPAES_MODE_CTR,
     [](Options& o, KeyPointer&, KeyPointer) { o.mode = WARPAES_MODE_NONE; }},
    {"a mode that there is not", WARPAES_ERROR_OPTION, WARPAES_MODE_CTR,
     [](Options& o, KeyPointer&, KeyPointer) { o.mode = static_cast<warpaes_mode>(99); }},
    {"no direction", WARPAES_ERROR_OPTION, WARPAES_MODE_CTR,
     [](Options& o, KeyPointer&, KeyPointer) { o.direction = static_cast<warpaes_direction>(2); }},
    {"no IV", WARPAES_ERROR_NULL_POINTER, WARPAES_MODE_CBC,
     [](Options& o, KeyPointer&, KeyPointer) { o.iv = nullptr; }},
    {"a short IV", WARPAES_ERROR_NONCE_LENGTH, WARPAES_MODE_OFB,
     [](Options& o, KeyPointer&, KeyPointer) { o.iv_bytes = 12; }},
    {"an IV for ECB", WARPAES_ERROR_NONCE_LENGTH, WARPAES_MODE_ECB,
     [](Options& o, KeyPointer&, KeyPointer) { o.iv_bytes = 16; }},
    {"a tweak key for CBC", WARPAES_ERROR_OPTION, WARPAES_MODE_CBC,
     [](Options& o, KeyPointer& key, KeyPointer) { o.tweak_key = key; }},
    {"data units for CBC", WARPAES_ERROR_OPTION, WARPAES_MODE_CBC,
     [](Options& o, KeyPointer&, KeyPointer) { o.data_unit_bytes = 16; }},
    {"a tag for CBC", WARPAES_ERROR_OPTION, WARPAES_MODE_CBC,
     [](Options& o, KeyPointer&, KeyPointer) { o.tag_bytes = 16; }},
    {"CMAC the other way", WARPAES_ERROR_OPTION, WARPAES_MODE_CMAC,
     [](Options& o, KeyPointer&, KeyPointer) { o.direction = WARPAES_DECRYPT; }},
    {"a CMAC tag of 7 bytes", WARPAES_ERROR_TAG_LENGTH, WARPAES_MODE_CMAC,
     [](Options& o, KeyPointer&, KeyPointer) { o.tag_bytes = 7; }},
    {"a CMAC tag of 17 bytes", WARPAES_ERROR_TAG_LENGTH, WARPAES_MODE_CMAC,
     [](Options& o, KeyPointer&, KeyPointer) { o.tag_bytes = 17; }},
    {"XTS without a tweak key", WARPAES_ERROR_NULL_POINTER, WARPAES_MODE_XTS,
     [](Options& o, KeyPointer&, KeyPointer) { o.tweak_key = nullptr; }},
    {"XTS with equal keys", WARPAES_ERROR_XTS_KEYS, WARPAES_MODE_XTS,
     [](Options& o, KeyPointer& key, KeyPointer) { o.tweak_key = key; }},
    {"XTS with keys of two sizes", WARPAES_ERROR_XTS_KEYS, WARPAES_MODE_XTS,
     [](Options& o, KeyPointer&, KeyPointer other) { o.tweak_key = other; }},
    {"XTS, data units of 15 bytes", WARPAES_ERROR_LENGTH, WARPAES_MODE_XTS,
     [](Options& o, KeyPointer&, KeyPointer) { o.data_unit_bytes = 15; }},
    {"XTS, data units over 2^24 bytes", WARPAES_ERROR_LENGTH, WARPAES_MODE_XTS,
     [](Options& o, KeyPointer&, KeyPointer) { o.data_unit_bytes = (1 << 24) + 1; }},
};

class OperationMisuse : public ::testing::Test {
 protected:
  TestContext context_{"openssl"};
  TestKey key_{context_, Bytes(16, 1)}, tweak_key_{context_, Bytes(16, 2)}, longer_{context_, Bytes(32, 3)};
  Bytes iv_ = Bytes(16, 4);

  Options options(warpaes_mode mode, warpaes_direction direction = WARPAES_ENCRYPT) const {
    Options made = {};
    made.size = sizeof made;
    made.mode = mode;
    made.direction = direction;
    made.iv = iv_.data();
    made.iv_bytes =
        mode == WARPAES_MODE_ECB || mode == WARPAES_MODE_ECB_PKCS7 || mode == WARPAES_MODE_CMAC ? 0 : 16;
    made.tweak_key = mode == WARPAES_MODE_XTS ? tweak_key_.get() : nullptr;
    made.data_unit_bytes = mode == WARPAES_MODE_XTS ? 40 : 0;
    made.tag_bytes = mode == WARPAES_MODE_CMAC ? 16 : 0;
    return made;
  }
};

TEST_F(OperationMisuse, CreatingRefusesEachRow) {
  for (const CreateRow& row : kCreateRows) {
    SCOPED_TRACE(row.what);
    Options given = options(row.mode);
    const warpaes_key* key = key_.get();
    {
      const TestOperation unspoilt(key, given);
      ASSERT_EQ(unspoilt.status(), WARPAES_OK) << warpaes_last_error();
    }
    row.spoil(given, key, longer_.get());
    auto* operation = reinterpret_cast<warpaes_operation*>(1);
    EXPECT_STREQ(warpaes_status_name(warpaes_operation_create(key, &given, &operation)),
                 warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_EQ(operation, nullptr);
  }
  warpaes_operation* operation = nullptr;
  EXPECT_EQ(warpaes_operation_create(key_.get(), nullptr, &operation), WARPAES_ERROR_NULL_POINTER);
  const Options given = options(WARPAES_MODE_CTR);
  EXPECT_EQ(warpaes_operation_create(key_.get(), &given, nullptr), WARPAES_ERROR_NULL_POINTER);
}

/// An operation with 5 bytes behind it, memory, and what an update or finish says to it.
struct Use {
  warpaes_operation* operation;
  Bytes memory = Bytes(256, kUntouched);
  uint64_t written = 7;
  warpaes_status update(size_t from, uint64_t bytes, size_t to, uint64_t room) {
    return warpaes_operation_update(operation, memory.data() + from, bytes, memory.data() + to, room,
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
    {"no input", WARPAES_ERROR_NULL_POINTER, WARPAES_MODE_CTR, WARPAES_ENCRYPT,
     [](Use& u) {
       return warpaes_operation_update(u.operation, nullptr, 5, u.memory.data(), 5, &u.written);
     }},
    {"no output", WARPAES_ERROR_NULL_POINTER, WARPAES_MODE_CTR, WARPAES_ENCRYPT,
     [](Use& u) {
       return warpaes_operation_update(u.operation, u.memory.data(), 5, nullptr, 5, &u.written);
     }},
    {"too little room", WARPAES_ERROR_BUFFER_SIZE, WARPAES_MODE_CTR, WARPAES_ENCRYPT,
     [](Use& u) { return u.update(0, 64, 64, 63); }},
    {"too little room for what was held too", WARPAES_ERROR_BUFFER_SIZE, WARPAES_MODE_CBC, WARPAES_ENCRYPT,
     [](Use& u) { return u.update(0, 27, 64, 31); }},
    {"output a byte behind the input", WARPAES_ERROR_OVERLAP, WARPAES_MODE_OFB, WARPAES_ENCRYPT,
     [](Use& u) { return u.update(0, 32, 1, 32); }},
    {"output a byte before the input", WARPAES_ERROR_OVERLAP, WARPAES_MODE_CBC, WARPAES_DECRYPT,
     [](Use& u) { return u.update(1, 32, 0, 32); }},
    {"the last byte of what was held too is the input's first", WARPAES_ERROR_OVERLAP, WARPAES_MODE_ECB,
     WARPAES_ENCRYPT, [](Use& u) { return u.update(31, 27, 0, 64); }},
    {"beyond the address space", WARPAES_ERROR_LENGTH, WARPAES_MODE_CTR, WARPAES_ENCRYPT,
     [](Use& u) { return u.update(0, UINT64_MAX, 0, UINT64_MAX); }},
    {"with what was held, beyond 64 bits", WARPAES_ERROR_LENGTH, WARPAES_MODE_ECB, WARPAES_ENCRYPT,
     [](Use& u) { return u.update(0, UINT64_MAX - 3, 0, UINT64_MAX); }},
    {"ECB, part of a block", WARPAES_ERROR_LENGTH, WARPAES_MODE_ECB, WARPAES_ENCRYPT,
     [](Use& u) { return u.finish(0); }},
    {"CBC, part of a block", WARPAES_ERROR_LENGTH, WARPAES_MODE_CBC, WARPAES_DECRYPT,
     [](Use& u) { return u.finish(0); }},
    {"PKCS#7, part of a block", WARPAES_ERROR_LENGTH, WARPAES_MODE_CBC_PKCS7, WARPAES_DECRYPT,
     [](Use& u) { return u.finish_zeroed(16); }},
    {"ECB with PKCS#7, part of a block", WARPAES_ERROR_LENGTH, WARPAES_MODE_ECB_PKCS7, WARPAES_DECRYPT,
     [](Use& u) { return u.finish_zeroed(16); }},
    {"PKCS#7, too little room for the padding", WARPAES_ERROR_BUFFER_SIZE, WARPAES_MODE_CBC_PKCS7,
     WARPAES_ENCRYPT, [](Use& u) { return u.finish(15); }},
    {"PKCS#7, wrong padding", WARPAES_ERROR_PADDING, WARPAES_MODE_CBC_PKCS7, WARPAES_DECRYPT,
     [](Use& u) {
       EXPECT_EQ(u.update(0, 27, 64, 16), WARPAES_OK);
       std::fill(u.memory.begin(), u.memory.end(), kUntouched);
       return u.finish_zeroed(16);
     }},
    {"CTS under a block", WARPAES_ERROR_LENGTH, WARPAES_MODE_CBC_CS3, WARPAES_ENCRYPT,
     [](Use& u) { return u.finish_zeroed(32); }},
    {"XTS, a data unit under a block", WARPAES_ERROR_LENGTH, WARPAES_MODE_XTS, WARPAES_ENCRYPT,
     [](Use& u) { return u.finish_zeroed(40); }},
    {"CMAC, too little room for the tag", WARPAES_ERROR_BUFFER_SIZE, WARPAES_MODE_CMAC, WARPAES_ENCRYPT,
     [](Use& u) { return u.finish(15); }},
    {"seek in OFB", WARPAES_ERROR_UNSUPPORTED, WARPAES_MODE_OFB, WARPAES_ENCRYPT,
     [](Use& u) {
       u.written = 0;
       return warpaes_operation_seek(u.operation, 0);
     }},
    {"update after finish", WARPAES_ERROR_STATE, WARPAES_MODE_CTR, WARPAES_ENCRYPT,
     [](Use& u) {
       EXPECT_EQ(u.finish(0), WARPAES_OK);
       return u.update(0, 5, 64, 64);
     }},
    {"finish after finish", WARPAES_ERROR_STATE, WARPAES_MODE_CTR, WARPAES_ENCRYPT,
     [](Use& u) {
       EXPECT_EQ(u.finish(0), WARPAES_OK);
       return u.finish(0);
     }},
};

TEST_F(OperationMisuse, UsesAreRefusedAndEndTheOperation) {
  for (const UseRow& row : kUseRows) {
    SCOPED_TRACE(row.what);
    const TestOperation operation(key_.get(), options(row.mode, row.direction));
    Bytes some(5, 1), ready(5);
    uint64_t written = 0;
    ASSERT_EQ(warpaes_operation_update(operation.get(), some.data(), 5, ready.data(), 5, &written),
              WARPAES_OK);
    Use use{operation.get()};
    EXPECT_STREQ(warpaes_status_name(row.use(use)), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_EQ(use.written, 0u);
    EXPECT_EQ(use.memory, Bytes(use.memory.size(), kUntouched));
    EXPECT_EQ(use.update(0, 5, 64, 64), WARPAES_ERROR_STATE);
    EXPECT_EQ(use.finish(64), WARPAES_ERROR_STATE);
    EXPECT_EQ(warpaes_operation_update_bytes(operation.get(), 5, &written), WARPAES_ERROR_STATE);
    EXPECT_EQ(warpaes_operation_finish_bytes(operation.get(), &written), WARPAES_ERROR_STATE);
    EXPECT_EQ(warpaes_operation_seek(operation.get(), 0), WARPAES_ERROR_STATE);
  }
}

TEST_F(OperationMisuse, NullsAreRefused) {
  const TestOperation operation(key_.get(), options(WARPAES_MODE_CTR));
  uint64_t written = 0;
  uint8_t byte = 0;
  EXPECT_EQ(warpaes_operation_update(nullptr, &byte, 1, &byte, 1, &written), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_operation_update(operation.get(), &byte, 1, &byte, 1, nullptr),
            WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_operation_finish(nullptr, &byte, 1, &written), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_operation_seek(nullptr, 1), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_operation_update_bytes(operation.get(), 1, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_operation_finish_bytes(nullptr, &written), WARPAES_ERROR_NULL_POINTER);
  warpaes_operation_destroy(nullptr);
}

TEST_F(OperationMisuse, NothingToDoNeedsNoMemory) {
  for (const warpaes_mode mode : {WARPAES_MODE_ECB, WARPAES_MODE_CBC, WARPAES_MODE_CFB, WARPAES_MODE_CFB1,
                                  WARPAES_MODE_CFB8, WARPAES_MODE_OFB, WARPAES_MODE_CTR, WARPAES_MODE_XTS}) {
    const TestOperation operation(key_.get(), options(mode));
    uint64_t written = 7;
    EXPECT_EQ(warpaes_operation_update(operation.get(), nullptr, 0, nullptr, 0, &written), WARPAES_OK);
    EXPECT_EQ(written, 0u);
    EXPECT_EQ(warpaes_operation_finish(operation.get(), nullptr, 0, &written), WARPAES_OK);
    EXPECT_EQ(written, 0u);
  }
}

}  // namespace
}  // namespace warpaes::testing
