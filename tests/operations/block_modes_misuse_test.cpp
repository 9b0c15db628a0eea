// What a caller can do wrong with block_modes.h and key_wrap.h, as a table: each row spoils one argument of a
// call that is right, names the status, and nothing may have been touched.
#include "operation_rows.hpp"

namespace warpaes::testing {
namespace {

constexpr uint8_t kUntouched = 0x5a;
constexpr uint64_t kMax64 = ~uint64_t{0};

struct Call {
  const warpaes_key* key;
  Bytes memory = Bytes(256, kUntouched), vector = Bytes(16, 0);
  const void* input = memory.data();
  void* output = memory.data() + 128;
  const uint8_t* iv = vector.data();
  uint64_t bytes = 64;
  warpaes_stealing variant = WARPAES_CS3;
  uint64_t message_bytes = 7;
  uint64_t* message_bytes_to = &message_bytes;

  void place(size_t input_at, size_t output_at) {
    input = memory.data() + input_at;
    output = memory.data() + output_at;
  }
  warpaes_status pad() { return warpaes_cbc_pkcs7_encrypt(key, iv, input, output, bytes); }
  warpaes_status unpad() {
    return warpaes_cbc_pkcs7_decrypt(key, iv, input, output, bytes, message_bytes_to);
  }
  warpaes_status steal() { return warpaes_cbc_cts_encrypt(key, variant, iv, input, output, bytes); }
  warpaes_status unsteal() { return warpaes_cbc_cts_decrypt(key, variant, iv, input, output, bytes); }
  warpaes_status cfb8() { return warpaes_cfb8_encrypt(key, iv, input, output, bytes); }
  warpaes_status uncfb8() { return warpaes_cfb8_decrypt(key, iv, input, output, bytes); }
  warpaes_status cfb1() { return warpaes_cfb1_encrypt(key, iv, input, output, 8 * bytes); }
  warpaes_status uncfb1() { return warpaes_cfb1_decrypt(key, iv, input, output, 8 * bytes); }
  warpaes_status kw() { return warpaes_kw_wrap(key, input, output, bytes); }
  warpaes_status unkw() { return warpaes_kw_unwrap(key, input, output, bytes); }
  warpaes_status kwp() { return warpaes_kwp_wrap(key, input, output, bytes); }
  warpaes_status unkwp() { return warpaes_kwp_unwrap(key, input, output, bytes, message_bytes_to); }
};

struct Row {
  const char* what;
  warpaes_status expected;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
};

constexpr auto kNull = WARPAES_ERROR_NULL_POINTER;
constexpr auto kLength = WARPAES_ERROR_LENGTH;
constexpr auto kOverlap = WARPAES_ERROR_OVERLAP;

const Row kRows[] = {
    {"padding without a key", kNull, &Call::pad, [](Call& c) { c.key = nullptr; }},
    {"padding without an IV", kNull, &Call::pad, [](Call& c) { c.iv = nullptr; }},
    {"padding without input", kNull, &Call::pad, [](Call& c) { c.input = nullptr; }},
    {"padding without output", kNull, &Call::pad, [](Call& c) { c.output = nullptr; }},
    {"padding, only the padding would overlap", kOverlap, &Call::pad, [](Call& c) { c.place(64, 0); }},
    {"padding, output a byte behind", kOverlap, &Call::pad, [](Call& c) { c.place(0, 1); }},
    {"padding of the longest number", kLength, &Call::pad, [](Call& c) { c.bytes = kMax64; }},
    {"unpadding of nothing", kLength, &Call::unpad, [](Call& c) { c.bytes = 0; }},
    {"unpadding of part of a block", kLength, &Call::unpad, [](Call& c) { c.bytes = 63; }},
    {"unpadding without a place for the length", kNull, &Call::unpad,
     [](Call& c) { c.message_bytes_to = nullptr; }},
    {"unpadding, output a block before", kOverlap, &Call::unpad, [](Call& c) { c.place(16, 0); }},

    {"stealing under a block", kLength, &Call::steal, [](Call& c) { c.bytes = 15; }},
    {"stealing of nothing, back", kLength, &Call::unsteal, [](Call& c) { c.bytes = 0; }},
    {"stealing of no variant", WARPAES_ERROR_OPTION, &Call::steal,
     [](Call& c) { c.variant = static_cast<warpaes_stealing>(0); }},
    {"stealing of a fourth variant", WARPAES_ERROR_OPTION, &Call::unsteal,
     [](Call& c) { c.variant = static_cast<warpaes_stealing>(4); }},
    {"stealing without an IV", kNull, &Call::unsteal, [](Call& c) { c.iv = nullptr; }},
    {"stealing, output a byte before", kOverlap, &Call::steal, [](Call& c) { c.place(1, 0); }},

    {"CFB-8 without a key", kNull, &Call::cfb8, [](Call& c) { c.key = nullptr; }},
    {"CFB-8 without an IV", kNull, &Call::uncfb8, [](Call& c) { c.iv = nullptr; }},
    {"CFB-8, output a byte behind", kOverlap, &Call::uncfb8, [](Call& c) { c.place(0, 1); }},
    {"CFB-8 to beyond the address space", kLength, &Call::cfb8, [](Call& c) { c.bytes = kMax64; }},
    {"CFB-1 without input", kNull, &Call::cfb1, [](Call& c) { c.input = nullptr; }},
    {"CFB-1 without output", kNull, &Call::uncfb1, [](Call& c) { c.output = nullptr; }},
    {"CFB-1, output a byte behind", kOverlap, &Call::cfb1, [](Call& c) { c.place(0, 1); }},

    {"KW without a key", kNull, &Call::kw, [](Call& c) { c.key = nullptr; }},
    {"KW of 8 bytes", kLength, &Call::kw, [](Call& c) { c.bytes = 8; }},
    {"KW of 65 bytes", kLength, &Call::kw, [](Call& c) { c.bytes = 65; }},
    {"KW of 2^54 semiblocks", kLength, &Call::kw, [](Call& c) { c.bytes = uint64_t{1} << 57; }},
    {"KW without output", kNull, &Call::kw, [](Call& c) { c.output = nullptr; }},
    {"KW, its last 8 bytes would overlap", kOverlap, &Call::kw, [](Call& c) { c.place(64, 0); }},
    {"unwrapping 16 bytes", kLength, &Call::unkw, [](Call& c) { c.bytes = 16; }},
    {"unwrapping 63 bytes", kLength, &Call::unkw, [](Call& c) { c.bytes = 63; }},
    {"unwrapping, output 8 bytes behind", kOverlap, &Call::unkw, [](Call& c) { c.place(0, 8); }},
    {"KWP of nothing", kLength, &Call::kwp, [](Call& c) { c.bytes = 0; }},
    {"KWP of 2^32 bytes", kLength, &Call::kwp, [](Call& c) { c.bytes = uint64_t{1} << 32; }},
    {"KWP, unwrapping 8 bytes", kLength, &Call::unkwp, [](Call& c) { c.bytes = 8; }},
    {"KWP, unwrapping to no length", kNull, &Call::unkwp, [](Call& c) { c.message_bytes_to = nullptr; }},
    {"KWP, unwrapping without input", kNull, &Call::unkwp, [](Call& c) { c.input = nullptr; }},
};

TEST(BlockModesMisuse, EachRowIsRefusedAndTouchesNothing) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call call{key.get()};
    row.spoil(call);
    EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_EQ(call.memory, Bytes(call.memory.size(), kUntouched));
  }
}

/// What the rows spoil is right to begin with, or is refused for what the data is.
TEST(BlockModesMisuse, TheUnspoiltCallsWork) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const auto call : {&Call::pad, &Call::steal, &Call::unsteal, &Call::cfb8, &Call::uncfb8, &Call::cfb1,
                          &Call::uncfb1, &Call::kw, &Call::kwp}) {
    Call unspoilt{key.get()};
    EXPECT_EQ((unspoilt.*call)(), WARPAES_OK) << warpaes_last_error();
  }
  for (const auto call : {&Call::unkw, &Call::unkwp}) {
    Call unspoilt{key.get()};
    EXPECT_EQ((unspoilt.*call)(), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(Bytes(unspoilt.memory.begin() + 128, unspoilt.memory.begin() + 128 + 56), Bytes(56, 0));
    EXPECT_EQ(Bytes(unspoilt.memory.begin() + 184, unspoilt.memory.end()), Bytes(72, kUntouched));
  }
  Call unspoilt{key.get()};
  EXPECT_EQ(unspoilt.unpad(), WARPAES_ERROR_PADDING);
  EXPECT_EQ(unspoilt.message_bytes, 0u);
  EXPECT_EQ(Bytes(unspoilt.memory.begin() + 128, unspoilt.memory.begin() + 192), Bytes(64, 0));
}

TEST(BlockModes, Rfc3686CounterBlocksAreNonceIvAndOne) {
  const uint8_t nonce[4] = {0x00, 0x6c, 0xb6, 0xdb}, iv[8] = {0xc0, 0x54, 0x3b, 0x59, 0xda, 0x48, 0xd9, 0x0b};
  uint8_t counter[16];
  ASSERT_EQ(warpaes_ctr_rfc3686_counter(nonce, iv, counter), WARPAES_OK);
  EXPECT_EQ(Bytes(counter, counter + 16),
            (Bytes{0x00, 0x6c, 0xb6, 0xdb, 0xc0, 0x54, 0x3b, 0x59, 0xda, 0x48, 0xd9, 0x0b, 0, 0, 0, 1}));
  EXPECT_EQ(warpaes_ctr_rfc3686_counter(nullptr, iv, counter), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_ctr_rfc3686_counter(nonce, nullptr, counter), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_ctr_rfc3686_counter(nonce, iv, nullptr), WARPAES_ERROR_NULL_POINTER);
}

/// Bits beyond the message are neither read nor let out, and the bits before are those of whole bytes.
TEST(BlockModes, Cfb1TakesAnyNumberOfBits) {
  const TestContext context("openssl", 3);
  const TestKey key(context, Bytes(24, 1));
  const Bytes iv(16, 2);
  Bytes data(40);
  for (size_t i = 0; i < data.size(); i++) data[i] = static_cast<uint8_t>(37 * i + 11);
  Bytes whole(data.size());
  ASSERT_EQ(warpaes_cfb1_encrypt(key.get(), iv.data(), data.data(), whole.data(), 8 * data.size()),
            WARPAES_OK);
  for (size_t bits = 0; bits <= 8 * data.size(); bits++) {
    const size_t bytes = (bits + 7) / 8;
    Bytes expected(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(bytes)), found(bytes), back = found;
    if (bits % 8 != 0) expected.back() &= static_cast<uint8_t>(0xff00u >> bits % 8);
    ASSERT_EQ(warpaes_cfb1_encrypt(key.get(), iv.data(), data.data(), found.data(), bits), WARPAES_OK);
    EXPECT_EQ(found, expected) << bits;
    if (bits % 8 != 0) found.back() |= static_cast<uint8_t>(0xffu >> bits % 8);
    ASSERT_EQ(warpaes_cfb1_decrypt(key.get(), iv.data(), found.data(), found.data(), bits), WARPAES_OK);
    for (size_t bit = 0; bit < 8 * bytes; bit++) {
      const auto bit_of = [bit](const Bytes& text) { return text[bit / 8] >> (7 - bit % 8) & 1; };
      ASSERT_EQ(bit_of(found), bit < bits ? bit_of(data) : 0) << bit << " of " << bits;
    }
  }
}

}  // namespace
}  // namespace warpaes::testing
