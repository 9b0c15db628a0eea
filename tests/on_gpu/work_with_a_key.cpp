#include "work_with_a_key.hpp"

#include <algorithm>

#include "device_calls.hpp"

namespace warpaes::testing {
namespace {

Bytes repeated(const Bytes& once, size_t times) {
  Bytes all;
  for (size_t i = 0; i < times; i++) all.insert(all.end(), once.begin(), once.end());
  return all;
}

/// Keys for each message come to the device as data. Here all are the one that is looked for.
void work_with_a_key_each(const TestContext& context, const Bytes& raw_key, Bytes& data) {
  constexpr size_t kMessages = 1024;
  const Bytes keys = repeated(raw_key, kMessages);
  Bytes tags(16 * kMessages);
  std::vector<int32_t> statuses(kMessages);
  const Bytes counters(16 * kMessages, 1);
  warpaes_cipher_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = kMessages;
  batch.bytes = batch.input_stride = batch.output_stride = data.size() / kMessages;
  batch.input = batch.output = data.data();
  batch.ivs = counters.data();
  batch.iv_stride = 16;
  batch.tags = tags.data();
  batch.tag_stride = batch.tag_bytes = 16;
  batch.statuses = statuses.data();
  // XTS takes both halves of the key for a pair.
  for (const warpaes_mode mode : {WARPAES_MODE_ECB, WARPAES_MODE_CBC, WARPAES_MODE_CFB, WARPAES_MODE_OFB,
                                  WARPAES_MODE_CTR, WARPAES_MODE_XTS}) {
    for (const warpaes_direction direction : {WARPAES_ENCRYPT, WARPAES_DECRYPT}) {
      EXPECT_EQ(warpaes_cipher_batch_key_each(context.get(), keys.data(), raw_key.size(), raw_key.size(),
                                              mode, direction, &batch),
                WARPAES_OK)
          << mode << ": " << warpaes_last_error();
    }
  }
  batch.output = nullptr;
  EXPECT_EQ(warpaes_cipher_batch_key_each(context.get(), keys.data(), raw_key.size(), raw_key.size(),
                                          WARPAES_MODE_CMAC, WARPAES_ENCRYPT, &batch),
            WARPAES_OK)
      << warpaes_last_error();
}

/// Data units apart from each other, under one pair of keys.
void work_with_data_units(const warpaes_key* key, const warpaes_key* tweak_key, Bytes& data) {
  constexpr size_t kMessages = 1024;
  const Bytes tweaks(16 * kMessages, 1);
  warpaes_cipher_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = kMessages;
  batch.bytes = batch.input_stride = batch.output_stride = data.size() / kMessages;
  batch.input = batch.output = data.data();
  batch.ivs = tweaks.data();
  batch.iv_stride = 16;
  batch.tweak_key = tweak_key;
  for (const warpaes_direction direction : {WARPAES_ENCRYPT, WARPAES_DECRYPT}) {
    EXPECT_EQ(warpaes_cipher_batch(key, WARPAES_MODE_XTS, direction, &batch), WARPAES_OK)
        << warpaes_last_error();
  }
}

/// Of 32 bytes, which a lane keeps in its registers, and of 1 KiB: wrapped under one key, unwrapped with a
/// key each, which is the same.
void work_with_wrapped_keys(const TestContext& context, const warpaes_key* key, const Bytes& raw_key,
                            Bytes& data) {
  for (const size_t each : {size_t{32}, size_t{1024}}) {
    const size_t messages = std::min<size_t>(data.size() / each, 4096);
    const Bytes keys = repeated(raw_key, messages);
    Bytes wrapped(messages * (each + 8));
    std::vector<int32_t> statuses(messages);
    warpaes_key_wrap_batch_arguments batch = {};
    batch.size = sizeof batch;
    batch.messages = messages;
    batch.bytes = batch.input_stride = each;
    batch.input = data.data();
    batch.output = wrapped.data();
    batch.output_stride = each + 8;
    batch.statuses = statuses.data();
    EXPECT_EQ(warpaes_key_wrap_batch(key, WARPAES_KW, WARPAES_ENCRYPT, &batch), WARPAES_OK)
        << warpaes_last_error();
    batch.bytes = batch.input_stride = each + 8;
    batch.input = wrapped.data();
    batch.output = data.data();
    batch.output_stride = each;
    EXPECT_EQ(warpaes_key_wrap_batch_key_each(context.get(), keys.data(), raw_key.size(), raw_key.size(),
                                              WARPAES_KW, WARPAES_DECRYPT, &batch),
              WARPAES_OK)
        << warpaes_last_error();
  }
}

/// SIV's keys are both halves; there and back again. Here both halves of all are the one that is looked for.
void work_with_a_siv_key_each(const TestContext& context, const Bytes& raw_key, Bytes& data) {
  constexpr size_t kMessages = 512;
  const Bytes keys = repeated(raw_key, 2 * kMessages);
  Bytes tags(16 * kMessages);
  std::vector<int32_t> statuses(kMessages);
  warpaes_aead_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = kMessages;
  batch.bytes = batch.input_stride = batch.output_stride = data.size() / kMessages;
  batch.input = batch.output = data.data();
  batch.tags = tags.data();
  batch.tag_stride = batch.tag_bytes = 16;
  batch.statuses = statuses.data();
  for (const warpaes_direction direction : {WARPAES_ENCRYPT, WARPAES_DECRYPT}) {
    EXPECT_EQ(warpaes_aead_batch_key_each(context.get(), keys.data(), 2 * raw_key.size(), 2 * raw_key.size(),
                                          WARPAES_AEAD_SIV, direction, &batch),
              WARPAES_OK)
        << warpaes_last_error();
  }
}

/// As above, by teams and by lanes.
void work_with_an_aead_key_each(const TestContext& context, const Bytes& raw_key, Bytes& data) {
  constexpr size_t kMessages = 1024;
  const Bytes keys = repeated(raw_key, kMessages);
  Bytes tags(16 * kMessages);
  const Bytes nonces(12 * kMessages, 1);
  std::vector<int32_t> statuses(kMessages);
  warpaes_aead_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = kMessages;
  batch.bytes = batch.input_stride = batch.output_stride = data.size() / kMessages;
  batch.input = batch.output = data.data();
  batch.nonces = nonces.data();
  batch.nonce_stride = batch.nonce_bytes = 12;
  batch.tags = tags.data();
  batch.tag_stride = batch.tag_bytes = 16;
  batch.statuses = statuses.data();
  for (const warpaes_aead mode :
       {WARPAES_AEAD_GCM, WARPAES_AEAD_GCM_SIV, WARPAES_AEAD_CCM, WARPAES_AEAD_EAX, WARPAES_AEAD_OCB3}) {
    for (const warpaes_direction direction : {WARPAES_ENCRYPT, WARPAES_DECRYPT}) {
      EXPECT_EQ(warpaes_aead_batch_key_each(context.get(), keys.data(), raw_key.size(), raw_key.size(), mode,
                                            direction, &batch),
                WARPAES_OK)
          << warpaes_last_error();
    }
  }
}

}  // namespace

void work_with(const Bytes& raw_key, const Bytes& plaintext) {
  const TestContext context("cuda");
  const size_t bytes = plaintext.size();
  const TestKey key(context, raw_key);
  for (const DeviceCall& call : device_calls()) {
    const DeviceBytes memory(bytes), tag(32),
        workspace(std::max<size_t>(workspace_bytes(key.get(), bytes), 16));
    memory.write(plaintext);
    EXPECT_EQ(call.run(key.get(),
                       {memory.data(), memory.data(), bytes, tag.data(), workspace.data(), workspace.size()},
                       nullptr),
              WARPAES_OK)
        << warpaes_last_error();
    for (const DeviceBytes* each : {&memory, &tag, &workspace})
      EXPECT_EQ(cudaMemset(each->data(), 0, each->size()), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  const Bytes counter(16, 1);
  Bytes data = plaintext, tag(16);
  EXPECT_EQ(warpaes_ctr_crypt(key.get(), counter.data(), data.data(), data.data(), data.size()), WARPAES_OK);
  EXPECT_EQ(warpaes_aead_encrypt(key.get(), WARPAES_AEAD_GCM, counter.data(), 12, nullptr, 0,
                                 plaintext.data(), data.data(), data.size(), tag.data(), 16),
            WARPAES_OK);
  EXPECT_EQ(warpaes_aead_decrypt(key.get(), WARPAES_AEAD_GCM, counter.data(), 12, nullptr, 0, data.data(),
                                 data.data(), data.size(), tag.data(), 16),
            WARPAES_OK);
  EXPECT_EQ(data, plaintext);
  work_with_a_key_each(context, raw_key, data);
  EXPECT_EQ(data, plaintext);
  const TestKey tweak_key(context, Bytes(raw_key.rbegin(), raw_key.rend()));
  work_with_data_units(key.get(), tweak_key.get(), data);
  EXPECT_EQ(data, plaintext);
  work_with_wrapped_keys(context, key.get(), raw_key, data);
  EXPECT_EQ(data, plaintext);
  work_with_a_siv_key_each(context, raw_key, data);
  EXPECT_EQ(data, plaintext);
  work_with_an_aead_key_each(context, raw_key, data);
  EXPECT_EQ(data, plaintext);
}

}  // namespace warpaes::testing
