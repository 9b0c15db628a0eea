// SIV in batches: each message is what warpaes_siv_encrypt makes of it, on every engine that can run here;
// and what is refused.
#include <algorithm>

#include "device/device.hpp"
#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr uint8_t kUntouched = 0x5a;
constexpr size_t kMessages = 9, kStride = 96, kMostAad = 40;

Bytes counting(size_t bytes, uint8_t first) {
  Bytes made(bytes);
  for (uint8_t& byte : made) byte = first++;
  return made;
}

/// Ragged messages with additional data of their own, and a key pair for all or one each.
struct Batch {
  size_t half, nonce_bytes;
  Bytes keys = counting(2 * half * kMessages, 1), nonces = counting(16 * kMessages, 5),
        data = counting(kStride * kMessages, 9), aad = counting(kMostAad * kMessages, 7),
        tags = Bytes(16 * kMessages, kUntouched);
  std::vector<uint64_t> lengths = {0, 1, 15, 16, 17, 31, 32, 33, kStride},
                        aad_lengths = {kMostAad, 0, 1, 15, 16, 17, 31, 32, 33};
  std::vector<const void*> aads;
  std::vector<int32_t> statuses = std::vector<int32_t>(kMessages, kUntouched);

  Batch(size_t half_of_key, size_t bytes_of_nonce) : half(half_of_key), nonce_bytes(bytes_of_nonce) {
    for (size_t m = 0; m < kMessages; m++) aads.push_back(aad.data() + kMostAad * m);
  }

  Bytes mac_key(size_t of) const { return half_key(2 * of); }
  Bytes key(size_t of) const { return half_key(2 * of + 1); }

  /// In place.
  warpaes_aead_batch_arguments arguments(const warpaes_key* mac_key) {
    warpaes_aead_batch_arguments batch = {};
    batch.size = sizeof batch;
    batch.messages = kMessages;
    batch.bytes = batch.input_stride = batch.output_stride = kStride;
    batch.input = batch.output = data.data();
    batch.nonces = nonce_bytes == 0 ? nullptr : nonces.data();
    batch.nonce_bytes = nonce_bytes;
    batch.nonce_stride = 16;
    batch.aad_bytes = kMostAad;
    batch.aads = aads.data();
    batch.aad_lengths = aad_lengths.data();
    batch.tags = tags.data();
    batch.tag_stride = batch.tag_bytes = 16;
    batch.statuses = statuses.data();
    batch.lengths = lengths.data();
    batch.mac_key = mac_key;
    return batch;
  }

  /// By the call for one message.
  void seal_one_by_one(const TestContext& context, bool key_each) {
    for (size_t m = 0; m < kMessages; m++) {
      const TestKey left(context, mac_key(key_each ? m : 0)), right(context, key(key_each ? m : 0));
      const void* pieces[] = {aads[m], nonces.data() + 16 * m};
      const uint64_t bytes[] = {aad_lengths[m], nonce_bytes};
      uint8_t* const message = data.data() + kStride * m;
      ASSERT_EQ(warpaes_siv_encrypt(left.get(), right.get(), pieces, bytes, nonce_bytes == 0 ? 1 : 2, message,
                                    message, lengths[m], tags.data() + 16 * m),
                WARPAES_OK)
          << warpaes_last_error();
    }
  }

 private:
  Bytes half_key(size_t which) const {
    const auto first = keys.begin() + static_cast<ptrdiff_t>(half * which);
    return {first, first + static_cast<ptrdiff_t>(half)};
  }
};

/// @param call (direction, arguments) -> status
void expect_there_and_back(Batch& batch, const Batch& expected, const auto& call) {
  const Bytes plaintext = batch.data;
  ASSERT_EQ(call(WARPAES_ENCRYPT), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(batch.data, expected.data);
  EXPECT_EQ(batch.tags, expected.tags);
  batch.tags[16 * 3] ^= 1;
  EXPECT_EQ(call(WARPAES_DECRYPT), WARPAES_ERROR_AUTHENTICATION);
  Bytes opened = plaintext;
  std::fill_n(opened.begin() + 3 * kStride, batch.lengths[3], 0);
  EXPECT_EQ(batch.data, opened);
  std::vector<int32_t> statuses(kMessages, WARPAES_OK);
  statuses[3] = WARPAES_ERROR_AUTHENTICATION;
  EXPECT_EQ(batch.statuses, statuses);
}

TEST(SivBatch, IsTheMessagesOneByOneOnEveryEngine) {
  const TestContext openssl("openssl");
  for (const std::string& engine : usable_engines()) {
    if (engine == "cuda/bitsliced") continue;  // it has no such batches
    const TestContext context(engine.c_str(), 2);
    for (const size_t half : {16, 24, 32}) {
      for (const size_t nonce_bytes : {0, 12, 16}) {
        SCOPED_TRACE(engine + ", " + std::to_string(16 * half) + " bits, nonces of " +
                     std::to_string(nonce_bytes));
        Batch expected(half, nonce_bytes), batch = expected;
        expected.seal_one_by_one(openssl, false);
        const TestKey mac_key(context, batch.mac_key(0)), key(context, batch.key(0));
        for (size_t m = 0; m < kMessages; m++) batch.aads[m] = batch.aad.data() + kMostAad * m;
        expect_there_and_back(batch, expected, [&](warpaes_direction direction) {
          const warpaes_aead_batch_arguments arguments = batch.arguments(mac_key.get());
          return warpaes_aead_batch(key.get(), WARPAES_AEAD_SIV, direction, &arguments);
        });

        Batch expected_each(half, nonce_bytes), each(half, nonce_bytes);
        expected_each.seal_one_by_one(openssl, true);
        expect_there_and_back(each, expected_each, [&](warpaes_direction direction) {
          const warpaes_aead_batch_arguments arguments = each.arguments(nullptr);
          return warpaes_aead_batch_key_each(context.get(), each.keys.data(), 2 * half, 2 * half,
                                             WARPAES_AEAD_SIV, direction, &arguments);
        });
      }
    }
  }
}

/// Messages in a row, on device memory.
TEST(SivBatch, OnDeviceMemory) {
  std::string reason;
  if (device_count(&reason) == 0) GTEST_SKIP() << "no GPU: " << reason;
  const TestContext context("cuda"), openssl("openssl");
  const TestKey mac_key(context, Bytes(32, 1)), key(context, Bytes(32, 2)), left(openssl, Bytes(32, 1)),
      right(openssl, Bytes(32, 2));
  constexpr size_t kBytes = 200;
  Bytes data = counting(kBytes * kMessages, 3), tags(16 * kMessages);
  const Bytes plaintext = data;
  const OwnedStream stream(0);
  const DeviceBuffer memory(0, data.size()), tags_there(0, tags.size()), statuses(0, 4 * kMessages);
  copy_to_device(memory.data(), data.data(), data.size(), stream.get());
  warpaes_aead_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = kMessages;
  batch.bytes = batch.input_stride = batch.output_stride = kBytes;
  batch.input = batch.output = memory.data();
  batch.tags = tags_there.data();
  batch.tag_stride = batch.tag_bytes = 16;
  batch.statuses = reinterpret_cast<int32_t*>(statuses.data());
  batch.mac_key = mac_key.get();
  const auto run = [&](warpaes_direction direction) {
    ASSERT_EQ(
        warpaes_aead_batch_device(key.get(), WARPAES_AEAD_SIV, direction, &batch, nullptr, 0, stream.get()),
        WARPAES_OK)
        << warpaes_last_error();
    copy_to_host(data.data(), memory.data(), data.size(), stream.get());
    copy_to_host(tags.data(), tags_there.data(), tags.size(), stream.get());
    synchronize(stream.get());
  };
  run(WARPAES_ENCRYPT);
  Bytes expected = plaintext, expected_tags(tags.size());
  const void* const piece[] = {nullptr};
  const uint64_t none[] = {0};
  for (size_t m = 0; m < kMessages; m++) {
    uint8_t* const message = expected.data() + kBytes * m;
    ASSERT_EQ(warpaes_siv_encrypt(left.get(), right.get(), piece, none, 1, message, message, kBytes,
                                  expected_tags.data() + 16 * m),
              WARPAES_OK);
  }
  EXPECT_EQ(data, expected);
  EXPECT_EQ(tags, expected_tags);
  run(WARPAES_DECRYPT);
  EXPECT_EQ(data, plaintext);
}

struct Call {
  const TestContext& context;
  const warpaes_key *mac_key, *key;
  Batch memory{16, 12};
  warpaes_aead mode = WARPAES_AEAD_SIV;
  size_t key_bytes = 32;
  warpaes_aead_batch_arguments batch = memory.arguments(mac_key);

  warpaes_status one_key() { return warpaes_aead_batch(key, mode, WARPAES_ENCRYPT, &batch); }
  warpaes_status one_key_device() {
    return warpaes_aead_batch_device(key, mode, WARPAES_ENCRYPT, &batch, nullptr, 0, nullptr);
  }
  warpaes_status key_each() {
    return warpaes_aead_batch_key_each(context.get(), memory.keys.data(), key_bytes, 32, mode,
                                       WARPAES_ENCRYPT, &batch);
  }
  warpaes_status key_each_device() {
    return warpaes_aead_batch_key_each_device(context.get(), memory.keys.data(), key_bytes, 32, mode,
                                              WARPAES_ENCRYPT, &batch, nullptr);
  }
  warpaes_status one_message() {
    return warpaes_aead_encrypt(key, mode, memory.nonces.data(), 12, nullptr, 0, memory.data.data(),
                                memory.data.data(), 16, memory.tags.data(), 16);
  }
  warpaes_status one_message_device() {
    return warpaes_aead_decrypt_device(key, mode, memory.nonces.data(), 12, nullptr, 0, memory.data.data(),
                                       memory.data.data(), 16, memory.tags.data(), 16, memory.statuses.data(),
                                       nullptr, 0, nullptr);
  }
  warpaes_status sealed() {
    uint64_t bytes = 0;
    return warpaes_aead_sealed_bytes(mode, 16, &bytes);
  }
};

struct Row {
  const char* what;
  warpaes_status expected;
  const char* says;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
};

const Row kRows[] = {
    {"one message", WARPAES_ERROR_OPTION, "warpaes_siv_encrypt", &Call::one_message, [](Call&) {}},
    {"one message on device memory", WARPAES_ERROR_OPTION, "warpaes_aead_batch_device",
     &Call::one_message_device, [](Call&) {}},
    {"a sealed message", WARPAES_ERROR_OPTION, "warpaes_siv_encrypt", &Call::sealed, [](Call&) {}},
    {"no MAC key", WARPAES_ERROR_NULL_POINTER, "mac_key", &Call::one_key,
     [](Call& c) { c.batch.mac_key = nullptr; }},
    {"no MAC key, device memory", WARPAES_ERROR_NULL_POINTER, "mac_key", &Call::one_key_device,
     [](Call& c) { c.batch.mac_key = nullptr; }},
    {"no key", WARPAES_ERROR_NULL_POINTER, "key", &Call::one_key, [](Call& c) { c.key = nullptr; }},
    {"a MAC key for GCM", WARPAES_ERROR_OPTION, "GCM has one key", &Call::one_key,
     [](Call& c) { c.mode = WARPAES_AEAD_GCM; }},
    {"a MAC key for CCM, device memory", WARPAES_ERROR_OPTION, "CCM has one key", &Call::one_key_device,
     [](Call& c) { c.mode = WARPAES_AEAD_CCM; }},
    {"a MAC key beside a key each", WARPAES_ERROR_OPTION, "both halves", &Call::key_each, [](Call&) {}},
    {"the same, device memory", WARPAES_ERROR_OPTION, "both halves", &Call::key_each_device, [](Call&) {}},
    {"keys of one half", WARPAES_ERROR_KEY_LENGTH, "32, 48 or 64", &Call::key_each,
     [](Call& c) { c.batch.mac_key = nullptr, c.key_bytes = 16; }},
    {"keys of 40 bytes", WARPAES_ERROR_KEY_LENGTH, "these 40", &Call::key_each,
     [](Call& c) { c.batch.mac_key = nullptr, c.key_bytes = 40; }},
    {"a tag of 12", WARPAES_ERROR_TAG_LENGTH, "a tag of 16", &Call::one_key,
     [](Call& c) { c.batch.tag_bytes = 12; }},
    {"no nonces though they have bytes", WARPAES_ERROR_NULL_POINTER, "nonces", &Call::one_key,
     [](Call& c) { c.batch.nonces = nullptr; }},
    {"a message longer than `bytes`", WARPAES_ERROR_LENGTH, "message 2", &Call::one_key,
     [](Call& c) { c.memory.lengths[2] = kStride + 1; }},
    {"device memory without a GPU engine", WARPAES_ERROR_UNSUPPORTED, "GPU engine", &Call::one_key_device,
     [](Call&) {}},
    {"a key each there", WARPAES_ERROR_UNSUPPORTED, "GPU engine", &Call::key_each_device,
     [](Call& c) { c.batch.mac_key = nullptr; }},
};

TEST(SivBatch, MisuseIsRefusedAndTouchesNothing) {
  const TestContext context("openssl"), other("openssl");
  const TestKey mac_key(context, Bytes(16, 1)), key(context, Bytes(16, 2)), longer(context, Bytes(24, 1)),
      elsewhere(other, Bytes(16, 1));
  const auto expect_refused = [](Call& call, const Row& row) {
    SCOPED_TRACE(row.what);
    row.spoil(call);
    const Bytes data = call.memory.data;
    EXPECT_STREQ(warpaes_status_name((call.*row.call)()), warpaes_status_name(row.expected));
    EXPECT_NE(std::string(warpaes_last_error()).find(row.says), std::string::npos) << warpaes_last_error();
    EXPECT_EQ(call.memory.data, data);
    EXPECT_EQ(call.memory.tags, Bytes(16 * kMessages, kUntouched));
    EXPECT_EQ(call.memory.statuses, std::vector<int32_t>(kMessages, kUntouched));
  };
  for (const Row& row : kRows) {
    Call call{context, mac_key.get(), key.get()};
    expect_refused(call, row);
  }
  Call sizes{context, longer.get(), key.get()}, contexts{context, elsewhere.get(), key.get()};
  expect_refused(sizes,
                 {"keys of two sizes", WARPAES_ERROR_KEY_LENGTH, "halves", &Call::one_key, [](Call&) {}});
  expect_refused(contexts,
                 {"keys of two contexts", WARPAES_ERROR_OPTION, "contexts", &Call::one_key, [](Call&) {}});
  Call right{context, mac_key.get(), key.get()};
  EXPECT_EQ(right.one_key(), WARPAES_OK) << warpaes_last_error();
}

}  // namespace
}  // namespace warpaes::testing
