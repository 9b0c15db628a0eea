// Tests structures of other versions of the headers. types.h promises that in smaller ones the members that
// are missing count as zero, and that larger ones are accepted if the part that this library does not know is
// zero.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "mode_rows.hpp"

namespace warpaes::core::testing {
namespace {

/// The same structure as a later version might have it.
template <class Structure>
struct Later {
  Structure known;
  uint64_t tail[4] = {};

  explicit Later(const Structure& from) : known(from) { known.size = sizeof *this; }
};

/// The structure as an earlier version had it, with something else behind it in memory.
template <class Structure>
Structure earlier(const Structure& from, size_t size) {
  Structure made = from;
  std::memset(reinterpret_cast<uint8_t*>(&made) + size, 0xff, sizeof made - size);
  made.size = size;
  return made;
}

/// @param right what the call accepts, with zeros from `earlier_size` on
/// @param call (const Structure*) -> warpaes_status
template <class Structure>
void expect_sizes_taken(const Structure& right, size_t earlier_size, const auto& call) {
  EXPECT_EQ(call(&right), WARPAES_OK) << warpaes_last_error();
  for (const size_t at : {0, 1, 3}) {
    Later<Structure> later(right);
    EXPECT_EQ(call(&later.known), WARPAES_OK) << warpaes_last_error();
    later.tail[at] = uint64_t{1} << 63;
    EXPECT_EQ(call(&later.known), WARPAES_ERROR_OPTION) << "a member that is not known here, and set";
  }
  Structure smaller = earlier(right, earlier_size);
  EXPECT_EQ(call(&smaller), WARPAES_OK) << warpaes_last_error();
  smaller.size = sizeof smaller;
  EXPECT_NE(call(&smaller), WARPAES_OK) << "what lies behind the smaller structure is not all right";
  for (const size_t size : {size_t{0}, size_t{1}, SIZE_MAX}) {
    Structure of_no_version = right;
    of_no_version.size = size;
    EXPECT_EQ(call(&of_no_version), WARPAES_ERROR_OPTION) << size;
  }
}

TEST(StructureSizes, OfContextOptions) {
  expect_sizes_taken(options("openssl"), offsetof(warpaes_context_options, threads),
                     [](const warpaes_context_options* given) {
                       warpaes_context* context = nullptr;
                       const warpaes_status status = warpaes_context_create(given, &context);
                       EXPECT_EQ(context != nullptr, status == WARPAES_OK);
                       warpaes_context_destroy(context);
                       return status;
                     });
}

TEST(StructureSizes, OfMessages) {
  const TestContext context("openssl");
  for (const warpaes_mode mode : {WARPAES_MODE_CTR, WARPAES_MODE_CMAC, WARPAES_MODE_GCM}) {
    MessageMemory memory(row_of(mode), row_of(mode).example(40));
    const TestCipher cipher(context, mode, memory.example.key);
    expect_sizes_taken(memory.message, offsetof(warpaes_message, strings), [&](const warpaes_message* given) {
      memory.output.assign(memory.output.size(), kUntouched);
      const warpaes_status status = warpaes_encrypt(cipher.get(), given);
      const Bytes expected =
          status == WARPAES_OK ? memory.answer.output : Bytes(memory.output.size(), kUntouched);
      EXPECT_EQ(memory.output, expected);
      return status;
    });
  }
}

TEST(StructureSizes, OfMessagesInParts) {
  const TestContext context("openssl");
  const Example example = row_of(WARPAES_MODE_GCM).example(0);
  const TestCipher cipher(context, WARPAES_MODE_GCM, example.key);
  auto message = sized<warpaes_message>();
  message.nonce = example.nonce.data();
  message.nonce_length = example.nonce.size();
  expect_sizes_taken(message, offsetof(warpaes_message, strings), [&](const warpaes_message* given) {
    return TestOperation(cipher.get(), WARPAES_DIRECTION_ENCRYPT, *given).status();
  });
}

TEST(StructureSizes, OfBatches) {
  const TestContext context("openssl");
  const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(16));
  const Bytes input = counting(64), nonces(32);
  Bytes output(64);
  auto batch = sized<warpaes_batch>();
  batch.count = 2;
  batch.length = batch.input.stride = batch.output.stride = 32;
  batch.input.data = input.data();
  batch.output.data = output.data();
  batch.nonces.data = nonces.data();
  batch.nonces.stride = 16;
  expect_sizes_taken(batch, offsetof(warpaes_batch, keys),
                     [&](const warpaes_batch* given) { return warpaes_encrypt_batch(cipher.get(), given); });
}

TEST(StructureSizes, OfKdfs) {
  const Bytes secret(16, 1);
  auto kdf = sized<warpaes_kdf>();
  kdf.algorithm = WARPAES_KDF_HKDF;
  kdf.secret = secret.data();
  kdf.secret_length = secret.size();
  Bytes output(32);
  expect_sizes_taken(kdf, offsetof(warpaes_kdf, iterations), [&](const warpaes_kdf* given) {
    return warpaes_derive_key(given, output.data(), output.size());
  });
}

/// What a call writes ends where the caller's structure ends, and the size stays what the caller set.
template <class Structure>
void expect_described(size_t earlier_size, const auto& call) {
  auto expected = sized<Structure>();
  ASSERT_EQ(call(&expected), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(expected.size, sizeof(Structure));

  Later<Structure> later(sized<Structure>());
  EXPECT_EQ(call(&later.known), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(later.known.size, sizeof later);
  for (const uint64_t word : later.tail) EXPECT_EQ(word, 0u);
  later.tail[3] = 1;
  EXPECT_EQ(call(&later.known), WARPAES_ERROR_OPTION);

  Structure smaller = earlier(sized<Structure>(), earlier_size);
  EXPECT_EQ(call(&smaller), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(smaller.size, earlier_size);
  const auto* const bytes = reinterpret_cast<const uint8_t*>(&smaller);
  const auto* const known = reinterpret_cast<const uint8_t*>(&expected);
  EXPECT_TRUE(std::equal(bytes + sizeof smaller.size, bytes + earlier_size, known + sizeof expected.size));
  EXPECT_EQ(Bytes(bytes + earlier_size, bytes + sizeof smaller), Bytes(sizeof smaller - earlier_size, 0xff));

  for (const size_t size : {size_t{0}, size_t{1}, SIZE_MAX}) {
    auto of_no_version = sized<Structure>();
    of_no_version.size = size;
    EXPECT_EQ(call(&of_no_version), WARPAES_ERROR_OPTION) << size;
  }
}

TEST(StructureSizes, OfWhatDescribesModes) {
  expect_described<warpaes_mode_info>(offsetof(warpaes_mode_info, tag_lengths), [](warpaes_mode_info* info) {
    return warpaes_mode_get(WARPAES_MODE_CCM, info);
  });
}

TEST(StructureSizes, OfWhatDescribesEngines) {
  expect_described<warpaes_engine_info>(offsetof(warpaes_engine_info, timing), [](warpaes_engine_info* info) {
    return warpaes_engine_get(0, info);
  });
}

TEST(StructureSizes, OfWhatDescribesCiphers) {
  const TestContext context("portable/t_tables", 1);
  const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(16));
  expect_described<warpaes_cipher_info>(
      offsetof(warpaes_cipher_info, engine),
      [&](warpaes_cipher_info* info) { return warpaes_cipher_get(cipher.get(), info); });
}

TEST(StructureSizes, OfWhatDescribesDevices) {
  if (number_of_devices() == 0) GTEST_SKIP() << "no GPU";
  expect_described<warpaes_device_info>(
      offsetof(warpaes_device_info, driver_version),
      [](warpaes_device_info* info) { return warpaes_device_get(0, info); });
}

}  // namespace
}  // namespace warpaes::core::testing
