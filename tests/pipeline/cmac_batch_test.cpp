// CMAC's messages side by side, against OpenSSL's CMAC of each.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <memory>
#include <random>
#include <vector>

#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "modes/batch.hpp"

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes cmac_by_openssl(const Bytes& key, const Bytes& text) {
  char cipher[] = "AES-128-CBC";
  Bytes tag(16);
  size_t length = 0;
  EXPECT_NE(EVP_Q_mac(nullptr, "CMAC", nullptr, cipher, nullptr, key.data(), key.size(), text.data(),
                      text.size(), tag.data(), tag.size(), &length),
            nullptr);
  return tag;
}

/// Messages of any lengths, empty ones among them, so that lanes end at different times, take other messages,
/// and at last are few. One entry is wrong: its tag is left alone.
TEST(CmacBatch, MessagesOfAnyLengthsSideBySideAreOpenssls) {
  std::mt19937 random(1);
  const Bytes key(16, 3);
  for (const Engine* const engine : {&openssl_evp, &portable_t_tables}) {
    const auto prepared = engine->prepare(KeySchedule(key), 0);
    for (const size_t count : {1, 5, 6, 7, 31, 32, 33, 64, 150}) {
      SCOPED_TRACE(std::string(engine->name) + ", " + std::to_string(count) + " messages");
      std::vector<Bytes> messages(count);
      std::vector<const uint8_t*> inputs;
      std::vector<uint64_t> lengths;
      for (Bytes& message : messages) {
        message.resize(random() % (random() % 4 == 0 ? 2000 : 70));
        for (uint8_t& byte : message) byte = static_cast<uint8_t>(random());
        inputs.push_back(message.data());
        lengths.push_back(message.size());
      }
      const size_t wrong = count / 2;
      lengths[wrong] = 5;
      if (count > 1) inputs[wrong] = nullptr;
      messages[wrong].resize(5);
      if (count == 1) inputs[wrong] = messages[wrong].data();
      Bytes tags(16 * count, 0xee);
      std::vector<int32_t> statuses(count, -1);
      Batch batch{};
      batch.mode = WARPAES_MODE_CMAC;
      batch.messages = count;
      batch.bytes = 2000;
      batch.inputs = inputs.data();
      batch.lengths = lengths.data();
      batch.nonce_bytes = 0;
      batch.tags = tags.data();
      batch.tag_stride = batch.tag_bytes = 16;
      batch.statuses = statuses.data();
      run_batch(*engine, {*prepared, 128}, batch, nullptr, 0, nullptr);
      for (size_t m = 0; m < count; m++) {
        const bool is_wrong = inputs[m] == nullptr && lengths[m] != 0;
        const Bytes expected = is_wrong ? Bytes(16, 0xee) : cmac_by_openssl(key, messages[m]);
        EXPECT_TRUE(
            std::equal(expected.begin(), expected.end(), tags.begin() + static_cast<ptrdiff_t>(16 * m)))
            << m;
        EXPECT_EQ(statuses[m], is_wrong ? WARPAES_ERROR_NULL_POINTER : WARPAES_OK) << m;
      }
    }
  }
}

}  // namespace
}  // namespace warpaes::core::testing
