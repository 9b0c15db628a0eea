// Where in memory a key is while it lives. After it has been destroyed, nothing of it may be anywhere, such
// as on the stacks of the library's threads that wait for work.
#include <gtest/gtest.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <optional>

#include "memory_scan.hpp"
#include "operations/operation.hpp"
#include "pipeline/block_mode_forms.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kBytes = 384 << 10;  // several pieces, so that all threads get some

/// A key that leaves nothing behind itself.
struct RawKey {
  uint8_t bytes[32] = {};
  RawKey() { EXPECT_EQ(RAND_bytes(bytes, sizeof bytes), 1); }
  ~RawKey() { OPENSSL_cleanse(bytes, sizeof bytes); }
  RawKey(const RawKey&) = delete;
  RawKey& operator=(const RawKey&) = delete;
};

/// 64 messages that threads share.
Batch batch_of(Aead mode, Direction direction, Bytes& data, Bytes& nonces, Bytes& tags,
               std::vector<int32_t>& statuses) {
  Batch batch{};
  batch.mode = mode;
  batch.direction = direction;
  batch.messages = 64;
  batch.bytes = batch.input_stride = batch.output_stride = kBytes / 64;
  batch.input = batch.output = data.data();
  batch.nonces = nonces.data();
  batch.nonce_stride = batch.nonce_bytes = 12;
  batch.tags = tags.data();
  batch.tag_stride = batch.tag_bytes = 16;
  batch.statuses = statuses.data();
  return batch;
}

/// One message of GCM that threads share.
void share_message_with(const Key& key, Direction direction) {
  Bytes data(640 << 10, 0x22), nonce(16, 8), tag(16);
  std::vector<int32_t> statuses(1);
  Batch batch = batch_of(WARPAES_MODE_GCM, direction, data, nonce, tag, statuses);
  batch.messages = 1;
  batch.bytes = data.size();
  batch.nonces = nullptr;
  batch.host_nonce = nonce.data();
  batch.host_nonce_bytes = nonce.size();
  batch_host(key, batch);
}

void stream_with(const Key& key, warpaes_mode mode, Bytes& data) {
  const Bytes nonce(12, 7);
  Operation operation(key, {.mode = mode, .iv = nonce, .tag_bytes = 16});
  uint8_t tag[32];
  operation.update(data.data(), 30'001, data.data(), data.size());
  operation.finish(tag, sizeof tag);
}

/// Padding, ciphertext stealing, and segments of 8 bits and of 1 bit.
void work_with_endings(const Key& key, Bytes& data) {
  const uint8_t iv[16] = {5};
  Bytes padded(kBytes + 16);
  for (const PaddedBlocks mode : {PaddedBlocks::ecb, PaddedBlocks::cbc}) {
    pkcs7_encrypt_host(key, mode, {iv, data.data(), padded.data(), kBytes});
    EXPECT_EQ(pkcs7_decrypt_host(key, mode, {iv, padded.data(), padded.data(), padded.size()}), kBytes);
  }
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    for (const Stealing variant : {Stealing::cs1, Stealing::cs2, Stealing::cs3}) {
      cbc_cts_host(key, direction, variant, {iv, data.data(), data.data(), kBytes - 5});
    }
    chain_host(key, WARPAES_MODE_CFB8, direction, {iv, data.data(), data.data(), kBytes / 16});
    chain_host(key, WARPAES_MODE_CFB1, direction, {iv, data.data(), data.data(), kBytes / 128});
  }
}

/// Work of all kinds that the context's threads share, and some that they do not.
void work_with(const Key& key) {
  Bytes data(kBytes, 0x11), nonces(12 * 64, 9), tags(16 * 64);
  std::vector<int32_t> statuses(64);
  const uint8_t iv[16] = {3};
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    ecb_host(key, direction, {data.data(), data.data(), kBytes});
    chain_host(key, WARPAES_MODE_CBC, direction, {iv, data.data(), data.data(), kBytes});
    chain_host(key, WARPAES_MODE_CFB, direction, {iv, data.data(), data.data(), kBytes});
    for (const Aead mode :
         {WARPAES_MODE_GCM, WARPAES_MODE_GCM_SIV, WARPAES_MODE_CCM, WARPAES_MODE_EAX, WARPAES_MODE_OCB3}) {
      batch_host(key, batch_of(mode, direction, data, nonces, tags, statuses));
    }
    share_message_with(key, direction);
  }
  work_with_endings(key, data);
  ctr_host(key, {iv, data.data(), data.data(), kBytes});
  ofb_host(key, {iv, data.data(), data.data(), kBytes / 8});
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_EAX, WARPAES_MODE_OCB3}) {
    stream_with(key, mode, data);
  }
}

class KeyResidue : public ::testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  const ContextOptions options_{.engine = std::get<0>(GetParam()), .threads = std::get<1>(GetParam())};
  Needles needles_;
};

TEST_P(KeyResidue, NothingOfAKeyIsLeftAfterItIsDestroyed) {
  auto context = std::make_unique<Context>(options_);
  std::optional<Key> key;
  {
    const RawKey raw;
    needles_.add_key(raw.bytes);
    key.emplace(*context, raw.bytes);
  }
  EXPECT_FALSE(find(needles_).empty()) << "a key that can be used must be somewhere";
  work_with(*key);
  EXPECT_FALSE(find(needles_).empty());
  key.reset();
  EXPECT_EQ(describe(find(needles_)), "") << "while the context's threads wait for other work";
  context.reset();
  EXPECT_EQ(describe(find(needles_)), "");
}

/// Of OpenSSL's engine before its first call: the cipher contexts that a call makes lie in OpenSSL's memory
/// (docs/design/keys-in-memory.md).
TEST_P(KeyResidue, AKeyIsOnlyWhereNoCoreDumpHasIt) {
  Context context(options_);
  std::optional<Key> key;
  {
    const RawKey raw;
    needles_.add_key(raw.bytes);
    key.emplace(context, raw.bytes);
  }
  const auto expect_hidden = [this] {
    const std::vector<Hit> hits = find(needles_);
    EXPECT_FALSE(hits.empty());
    for (const Hit& hit : hits) {
      ASSERT_TRUE(hit.mapping.has_flag("dd")) << describe({hit});
      ASSERT_EQ(hit.mapping.has_flag("lo"), may_lock(4 << 20)) << describe({hit});
    }
  };
  expect_hidden();
  if (options_.engine == "openssl") return;
  work_with(*key);
  expect_hidden();
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<std::string, unsigned>>& test) {
  std::string name = std::get<0>(test.param);
  std::ranges::replace(name, '/', '_');
  return name + "_threads_" + std::to_string(std::get<1>(test.param));
}

INSTANTIATE_TEST_SUITE_P(Engines, KeyResidue,
                         ::testing::Combine(::testing::Values("openssl", "portable/t_tables",
                                                              "portable/fips197"),
                                            ::testing::Values(1u, 3u)),
                         name_of);

}  // namespace
}  // namespace warpaes::core::testing
