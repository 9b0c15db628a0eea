// Batches of wrapped keys through the C ABI: against OpenSSL's EVP on every engine that can run here, and on
// device memory; and what a caller can do wrong, as a table.
#include <optional>

#include "cipher_rows.hpp"
#include "device/device.hpp"

namespace warpaes::testing {
namespace {

using WrapArguments = warpaes_key_wrap_batch_arguments;

/// Messages of one length, and what they are wrapped.
struct WrapRows {
  warpaes_wrapping mode;
  size_t messages, bytes, wrapped, stride;
  Bytes keys, text, sealed;

  WrapRows(warpaes_wrapping its_mode, size_t count, size_t its_bytes, bool key_each)
      : mode(its_mode),
        messages(count),
        bytes(its_bytes),
        wrapped((its_bytes + 7) / 8 * 8 + 8),
        stride(wrapped + 8),
        keys(counting(24 * count, 3)),
        text(counting(stride * count, 4)),
        sealed(text.size(), 0x5a) {
    for (size_t m = 0; m < messages; m++) {
      const Bytes key = slice(keys, key_each ? 24 * m : 0, 24);
      const Bytes one = reference::key_wrap(mode == WARPAES_KWP, key, slice(text, stride * m, bytes));
      std::copy(one.begin(), one.end(), sealed.begin() + static_cast<ptrdiff_t>(stride * m));
    }
  }

  WrapArguments arguments(const void* input, size_t its_bytes, void* output, void* statuses,
                          void* lengths) const {
    WrapArguments made = {};
    made.size = sizeof made;
    made.messages = messages;
    made.bytes = its_bytes;
    made.input = input;
    made.output = output;
    made.input_stride = made.output_stride = stride;
    made.statuses = static_cast<int32_t*>(statuses);
    made.output_lengths = static_cast<uint64_t*>(lengths);
    return made;
  }
};

constexpr warpaes_wrapping kWrappings[] = {WARPAES_KW, WARPAES_KWP};

TEST(KeyWrapBatches, AreOpensslsOnEveryEngine) {
  for (const std::string& engine : usable_engines()) {
    for (const auto& [mode, bytes] : {std::pair{WARPAES_KW, size_t{32}},
                                      {WARPAES_KWP, size_t{21}},
                                      {WARPAES_KWP, size_t{5}},
                                      {WARPAES_KW, size_t{80}}}) {
      for (const bool key_each : {false, true}) {
        SCOPED_TRACE(engine);
        const TestContext context(engine.c_str(), 3);
        const WrapRows rows(mode, engine.starts_with("portable") ? 20 : 700, bytes, key_each);
        const TestKey key(context, slice(rows.keys, 0, 24));
        const auto call = [&](warpaes_direction direction, const WrapArguments& batch) {
          return key_each ? warpaes_key_wrap_batch_key_each(context.get(), rows.keys.data(), 24, 24, mode,
                                                            direction, &batch)
                          : warpaes_key_wrap_batch(key.get(), mode, direction, &batch);
        };
        Bytes output(rows.sealed.size(), 0x5a);
        std::vector<int32_t> statuses(rows.messages, -1);
        std::vector<uint64_t> lengths(rows.messages, 99);
        const WrapArguments wrap =
            rows.arguments(rows.text.data(), bytes, output.data(), statuses.data(), lengths.data());
        const warpaes_status status = call(WARPAES_ENCRYPT, wrap);
        if (engine == "cuda/bitsliced") {
          EXPECT_EQ(status, WARPAES_ERROR_UNSUPPORTED);
          continue;
        }
        ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
        EXPECT_TRUE(output == rows.sealed);
        EXPECT_EQ(lengths, std::vector<uint64_t>(rows.messages, rows.wrapped));

        output[rows.stride * 7 + 3] ^= 1;
        const WrapArguments unwrap =
            rows.arguments(output.data(), rows.wrapped, output.data(), statuses.data(), lengths.data());
        EXPECT_EQ(call(WARPAES_DECRYPT, unwrap), WARPAES_ERROR_AUTHENTICATION);
        EXPECT_NE(std::string(warpaes_last_error()).find("1 of "), std::string::npos) << warpaes_last_error();
        for (size_t m = 0; m < rows.messages; m++) {
          const bool right = m != 7;
          EXPECT_EQ(statuses[m], right ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION);
          EXPECT_EQ(lengths[m], right ? bytes : 0);
          Bytes expected = right ? slice(rows.text, rows.stride * m, bytes) : Bytes();
          expected.resize(rows.wrapped - 8);
          EXPECT_EQ(slice(output, rows.stride * m, rows.wrapped - 8), expected);
        }
      }
    }
  }
}

TEST(KeyWrapBatches, OnDeviceMemoryAreOpenssls) {
  std::string reason;
  if (device_count(&reason) == 0) GTEST_SKIP() << "no GPU: " << reason;
  const TestContext context("cuda");
  const OwnedStream stream(0);
  for (const warpaes_wrapping mode : kWrappings) {
    for (const bool key_each : {false, true}) {
      const WrapRows rows(mode, 5000, 32, key_each);
      const TestKey key(context, slice(rows.keys, 0, 24));
      const DeviceBuffer keys(0, rows.keys.size()), data(0, rows.text.size()),
          statuses(0, sizeof(int32_t) * rows.messages), lengths(0, sizeof(uint64_t) * rows.messages);
      copy_to_device(keys.data(), rows.keys.data(), rows.keys.size(), stream.get());
      copy_to_device(data.data(), rows.text.data(), rows.text.size(), stream.get());
      const auto in_place = [&](warpaes_direction direction, size_t bytes) {
        const WrapArguments batch =
            rows.arguments(data.data(), bytes, data.data(), statuses.data(), lengths.data());
        return key_each ? warpaes_key_wrap_batch_key_each_device(context.get(), keys.data(), 24, 24, mode,
                                                                 direction, &batch, stream.get())
                        : warpaes_key_wrap_batch_device(key.get(), mode, direction, &batch, stream.get());
      };
      Bytes found(rows.text.size());
      const auto expect = [&](const Bytes& expected, size_t bytes) {
        copy_to_host(found.data(), data.data(), found.size(), stream.get());
        synchronize(stream.get());
        for (size_t m = 0; m < rows.messages; m++) {
          ASSERT_EQ(slice(found, rows.stride * m, bytes), slice(expected, rows.stride * m, bytes));
        }
      };
      ASSERT_EQ(in_place(WARPAES_ENCRYPT, 32), WARPAES_OK) << warpaes_last_error();
      expect(rows.sealed, rows.wrapped);
      ASSERT_EQ(in_place(WARPAES_DECRYPT, rows.wrapped), WARPAES_OK) << warpaes_last_error();
      expect(rows.text, 32);
    }
  }
}

// ------------------------------------------------------------------ misuse

constexpr uint8_t kUntouched = 0x5a;

/// Four messages of 24 bytes, right until a row spoils them.
struct Call {
  warpaes_context* context;
  const warpaes_key* key;
  Bytes memory = Bytes(512, kUntouched);
  std::vector<int32_t> statuses = std::vector<int32_t>(4, kUntouched);
  std::vector<uint64_t> lengths = std::vector<uint64_t>(4, kUntouched);
  Bytes keys = counting(4 * 16);
  WrapArguments batch = {};
  warpaes_wrapping mode = WARPAES_KWP;
  warpaes_direction direction = WARPAES_ENCRYPT;

  Call(warpaes_context* with_context, const warpaes_key* with_key) : context(with_context), key(with_key) {
    batch.size = sizeof batch;
    batch.messages = 4;
    batch.bytes = 24;
    batch.input = memory.data();
    batch.input_stride = batch.output_stride = 32;
    batch.output = memory.data() + 256;
    batch.statuses = statuses.data();
    batch.output_lengths = lengths.data();
  }
  warpaes_status one_key() { return warpaes_key_wrap_batch(key, mode, direction, &batch); }
  warpaes_status key_each() {
    return warpaes_key_wrap_batch_key_each(context, keys.data(), 16, 16, mode, direction, &batch);
  }
  warpaes_status unwrap() {
    direction = WARPAES_DECRYPT;
    return one_key();
  }
  warpaes_status device() { return warpaes_key_wrap_batch_device(key, mode, direction, &batch, nullptr); }
  warpaes_status key_each_device() {
    return warpaes_key_wrap_batch_key_each_device(context, keys.data(), 16, 16, mode, direction, &batch,
                                                  nullptr);
  }
};

struct Row {
  const char* what;
  warpaes_status expected;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
};

const Row kRows[] = {
    {"no key", WARPAES_ERROR_NULL_POINTER, &Call::one_key, [](Call& c) { c.key = nullptr; }},
    {"no context", WARPAES_ERROR_NULL_POINTER, &Call::key_each, [](Call& c) { c.context = nullptr; }},
    {"another version", WARPAES_ERROR_OPTION, &Call::one_key, [](Call& c) { c.batch.size--; }},
    {"a reserved bit", WARPAES_ERROR_OPTION, &Call::key_each, [](Call& c) { c.batch.reserved[7] = 1; }},
    {"no such mode", WARPAES_ERROR_OPTION, &Call::one_key,
     [](Call& c) { c.mode = static_cast<warpaes_wrapping>(0); }},
    {"no such direction", WARPAES_ERROR_OPTION, &Call::one_key,
     [](Call& c) { c.direction = static_cast<warpaes_direction>(2); }},
    {"no input", WARPAES_ERROR_NULL_POINTER, &Call::one_key, [](Call& c) { c.batch.input = nullptr; }},
    {"no output", WARPAES_ERROR_NULL_POINTER, &Call::key_each, [](Call& c) { c.batch.output = nullptr; }},
    {"no room for 8 more", WARPAES_ERROR_STRIDE, &Call::one_key, [](Call& c) { c.batch.output_stride = 24; }},
    {"KW of 20 bytes", WARPAES_ERROR_LENGTH, &Call::one_key,
     [](Call& c) {
       c.mode = WARPAES_KW;
       c.batch.bytes = 20;
     }},
    {"KWP of nothing", WARPAES_ERROR_LENGTH, &Call::one_key, [](Call& c) { c.batch.bytes = 0; }},
    {"unwrapped, 20 bytes", WARPAES_ERROR_LENGTH, &Call::unwrap, [](Call& c) { c.batch.bytes = 20; }},
    {"unwrapped without statuses", WARPAES_ERROR_NULL_POINTER, &Call::unwrap,
     [](Call& c) { c.batch.statuses = nullptr; }},
    {"KWP unwrapped without lengths", WARPAES_ERROR_NULL_POINTER, &Call::unwrap,
     [](Call& c) { c.batch.output_lengths = nullptr; }},
    {"input and output overlap", WARPAES_ERROR_OVERLAP, &Call::one_key,
     [](Call& c) { c.batch.output = c.memory.data() + 8; }},
    {"lengths inside the input", WARPAES_ERROR_OVERLAP, &Call::one_key,
     [](Call& c) { c.batch.output_lengths = reinterpret_cast<uint64_t*>(c.memory.data()); }},
    {"device, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::device, [](Call&) {}},
    {"device, a key each, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::key_each_device, [](Call&) {}},
};

TEST(KeyWrapBatchMisuse, EachRowIsRefusedAndTouchesNothing) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call call(context.get(), key.get());
    row.spoil(call);
    EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_EQ(call.memory, Bytes(call.memory.size(), kUntouched));
    EXPECT_EQ(call.statuses, std::vector<int32_t>(4, kUntouched));
    EXPECT_EQ(call.lengths, std::vector<uint64_t>(4, kUntouched));
  }
}

TEST(KeyWrapBatchMisuse, TheUnspoiltCallsWork) {
  const TestContext context("openssl");
  const TestKey key(context, Bytes(16, 1));
  for (const auto call : {&Call::one_key, &Call::key_each}) {
    Call right(context.get(), key.get());
    EXPECT_EQ((right.*call)(), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(right.lengths, std::vector<uint64_t>(4, 32));
  }
}

}  // namespace
}  // namespace warpaes::testing
