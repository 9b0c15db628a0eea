// GCM cut into parts: each engine's parts against the composed ones, and messages that threads share against
// EVP's own.
#include "pipeline/gcm_in_parts.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "engines/batch.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "engines/self_test.hpp"
#include "primitives/ghash.hpp"
#include "primitives/host_gf128.hpp"

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr Direction kDirections[] = {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT};

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}
  uint64_t below(uint64_t end) { return generator_() % end; }
  Bytes bytes(size_t count) {
    Bytes all(count);
    for (uint8_t& byte : all) byte = static_cast<uint8_t>(generator_());
    return all;
  }

 private:
  std::mt19937_64 generator_;
};

struct Sealed {
  Bytes text, tag;
};

/// By EVP at once. OpenSSL's nonces end at 128 bytes.
Sealed sealed_by_evp(const Bytes& key, const Bytes& nonce, const Bytes& aad, const Bytes& text) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                EVP_CIPHER_CTX_free);
  const EVP_CIPHER* const cipher = key.size() == 16   ? EVP_aes_128_gcm()
                                   : key.size() == 24 ? EVP_aes_192_gcm()
                                                      : EVP_aes_256_gcm();
  Sealed sealed{Bytes(text.size()), Bytes(16)};
  int written = 0;
  EXPECT_EQ(EVP_EncryptInit_ex(context.get(), cipher, nullptr, nullptr, nullptr), 1);
  EXPECT_EQ(
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(nonce.size()), nullptr),
      1);
  EXPECT_EQ(EVP_EncryptInit_ex(context.get(), nullptr, nullptr, key.data(), nonce.data()), 1);
  EXPECT_EQ(EVP_EncryptUpdate(context.get(), nullptr, &written, aad.data(), static_cast<int>(aad.size())), 1);
  EXPECT_EQ(EVP_EncryptUpdate(context.get(), sealed.text.data(), &written, text.data(),
                              static_cast<int>(text.size())),
            1);
  uint8_t rest[16];
  EXPECT_EQ(EVP_EncryptFinal_ex(context.get(), rest, &written), 1);
  EXPECT_EQ(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, 16, sealed.tag.data()), 1);
  return sealed;
}

/// A nonce of 16 bytes whose J0 ends in the four bytes `count`: found backwards, as the engine does it.
Bytes nonce_that_counts_from(const GcmHashKey& hash, uint32_t count) {
  const Gf128 inverse = gf128_inverse(hash.key);
  const Gf128 inner = gf128_multiply({0x0123456700000000u | count, 77}, inverse) ^ ghash_lengths(0, 16);
  Bytes nonce(16);
  gf128_to_block(gf128_multiply(inner, inverse), nonce.data());
  return nonce;
}

Batch batch_of_one(Direction direction, Bytes& data, const Bytes& nonce, const Bytes& aad, Bytes& tag,
                   int32_t& status) {
  Batch batch{};
  batch.direction = direction;
  batch.messages = 1;
  batch.bytes = data.size();
  batch.input = batch.output = data.data();
  batch.host_nonce = nonce.data();
  batch.host_nonce_bytes = nonce.size();
  batch.aad = aad.data();
  batch.aad_bytes = aad.size();
  batch.tags = tag.data();
  batch.tag_bytes = tag.size();
  batch.statuses = &status;
  return batch;
}

class GcmParts : public ::testing::TestWithParam<const Engine*> {
 protected:
  const Engine& engine_ = *GetParam();
  bool is_slow() const { return &engine_ != &openssl_evp; }
};

/// A part by `start`, taken in pieces of any length.
struct PartResult {
  Bytes output;
  Gf128 sum;
};
PartResult run_part(GcmPart& part, Random& random, const Bytes& aad, const Bytes& text) {
  for (size_t at = 0; at < aad.size();) {
    const size_t piece = 1 + random.below(aad.size() - at);
    part.add(aad.data() + at, piece);
    at += piece;
  }
  Bytes output = text;
  for (size_t at = 0; at < text.size();) {
    const size_t piece = 1 + random.below(text.size() - at);
    part.crypt(output.data() + at, output.data() + at, piece);
    at += piece;
  }
  return {output, part.sum()};
}

/// Whichever counter a part begins with, also where the last four bytes begin again with 0.
TEST_P(GcmParts, FromAnyCounterAreTheComposedOnes) {
  Random random(1);
  for (const size_t key_bytes : {16, 24, 32}) {
    const auto key = engine_.prepare(KeySchedule(random.bytes(key_bytes)), 0);
    GcmHashKey hash = gcm_hash_key(engine_, *key);
    hash.inverse = host_inverse(hash.key);
    for (const uint64_t low :
         {0ull, 1ull, 2ull, 3ull, 0x1234567890abcdefull, 0xfffffffeull, 0xffffffffull, 0x1fffffff0ull}) {
      for (const Direction direction : kDirections) {
        const Bytes aad = random.bytes(random.below(60)), text = random.bytes(random.below(3000));
        const CounterBlock first{99, low};
        const auto tested = start_gcm_part(engine_, *key, hash, direction, first);
        const auto composed = start_composed_gcm_part(engine_, *key, hash, direction, first);
        const PartResult result = run_part(*tested, random, aad, text),
                         expected = run_part(*composed, random, aad, text);
        EXPECT_TRUE(result.output == expected.output) << low;
        EXPECT_TRUE(result.sum == expected.sum) << low << " " << aad.size() << " " << text.size();
      }
    }
  }
}

/// The fault that the test above is for: a part that begins one block too late is another part.
TEST_P(GcmParts, OfAnotherCounterAreFoundOut) {
  Random random(2);
  const auto key = engine_.prepare(KeySchedule(random.bytes(16)), 0);
  GcmHashKey hash = gcm_hash_key(engine_, *key);
  hash.inverse = host_inverse(hash.key);
  const Bytes text = random.bytes(100);
  const auto right = start_gcm_part(engine_, *key, hash, WARPAES_DIRECTION_ENCRYPT, {1, 7}),
             late = start_gcm_part(engine_, *key, hash, WARPAES_DIRECTION_ENCRYPT, {1, 8});
  const PartResult a = run_part(*right, random, {}, text), b = run_part(*late, random, {}, text);
  EXPECT_FALSE(a.output == b.output);
  EXPECT_FALSE(a.sum == b.sum);
}

/// Each number of threads, lengths about those at which threads begin to share, additional data that is
/// shared as well; in the middle of the message the counter's last four bytes begin again with 0.
TEST_P(GcmParts, OfThreadsGiveEvpsMessage) {
  Random random(3);
  const size_t shared = 512 << 10;
  const Bytes key_bytes = random.bytes(16);
  const auto key = engine_.prepare(KeySchedule(key_bytes), 0);
  const GcmHashKey hash = gcm_hash_key(engine_, *key);
  for (unsigned count = 1; count <= (is_slow() ? 3 : 9); count++) {
    WorkerThreads threads(count);
    for (const size_t length : {shared - 1, shared, shared + 1, 3 * shared + 77}) {
      SCOPED_TRACE(std::to_string(count) + " threads, " + std::to_string(length) + " bytes");
      if (is_slow() && length > shared + 1) continue;
      const Bytes aad = random.bytes(is_slow() || length % 16 == 0 ? 21 : shared + 5);
      const Bytes nonce = length % 2 == 0 ? random.bytes(12)
                                          : nonce_that_counts_from(
                                                hash, 0u - static_cast<uint32_t>(random.below(length / 16)));
      const Bytes text = random.bytes(length);
      const Sealed expected = sealed_by_evp(key_bytes, nonce, aad, text);
      Bytes data = text, tag(16);
      int32_t status = -1;
      gcm_on_cpu(engine_, *key, threads,
                 batch_of_one(WARPAES_DIRECTION_ENCRYPT, data, nonce, aad, tag, status));
      EXPECT_TRUE(data == expected.text);
      EXPECT_TRUE(tag == expected.tag);
      gcm_on_cpu(engine_, *key, threads,
                 batch_of_one(WARPAES_DIRECTION_DECRYPT, data, nonce, aad, tag, status));
      EXPECT_EQ(status, WARPAES_OK);
      EXPECT_TRUE(data == text);
    }
  }
}

/// Updates that end within blocks, of which the long ones are shared: each ends the part before it.
TEST_P(GcmParts, OfUpdatesOfAnyLengthGiveEvpsMessage) {
  Random random(5);
  const size_t longest = is_slow() ? 600'000 : 3'000'000;
  const Bytes key_bytes = random.bytes(24);
  const auto key = engine_.prepare(KeySchedule(key_bytes), 0);
  WorkerThreads threads(4);
  for (int trial = 0; trial < (is_slow() ? 2 : 12); trial++) {
    SCOPED_TRACE(trial);
    const Bytes aad = random.bytes(random.below(longest)), text = random.bytes(random.below(longest));
    const Bytes nonce = random.bytes(trial % 2 == 0 ? 12 : 16);
    const Sealed expected = sealed_by_evp(key_bytes, nonce, aad, text);
    GcmInParts gcm(engine_, *key, threads, WARPAES_DIRECTION_ENCRYPT, nonce);
    for (size_t at = 0; at < aad.size();) {
      const size_t piece =
          std::min<size_t>(aad.size() - at, 1 + random.below(trial % 3 == 0 ? 100'000 : longest));
      gcm.add(aad.data() + at, piece);
      at += piece;
    }
    Bytes output(text.size());
    for (size_t at = 0; at < text.size();) {
      const size_t piece =
          std::min<size_t>(text.size() - at, 1 + random.below(trial % 3 == 1 ? 100'000 : longest));
      gcm.crypt(text.data() + at, output.data() + at, piece);
      at += piece;
    }
    const MacBlock tag = gcm.tag();
    EXPECT_TRUE(output == expected.text);
    EXPECT_TRUE(std::equal(tag.begin(), tag.end(), expected.tag.begin()));
  }
}

/// A wrong bit of tag, ciphertext or additional data, wherever: no byte of plaintext is left.
TEST_P(GcmParts, OfAForgeryLeaveNothing) {
  Random random(4);
  WorkerThreads threads(3);
  const auto key = engine_.prepare(KeySchedule(random.bytes(32)), 0);
  const Bytes nonce = random.bytes(12), text = random.bytes((1 << 20) + 33);
  Bytes aad = random.bytes(40), sealed = text, tag(16);
  int32_t status = -1;
  gcm_on_cpu(engine_, *key, threads,
             batch_of_one(WARPAES_DIRECTION_ENCRYPT, sealed, nonce, aad, tag, status));
  const auto expect_refusal = [&](uint8_t& wrong) {
    wrong ^= 0x10;
    Bytes data = sealed;
    gcm_on_cpu(engine_, *key, threads,
               batch_of_one(WARPAES_DIRECTION_DECRYPT, data, nonce, aad, tag, status));
    wrong ^= 0x10;
    EXPECT_EQ(status, WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(std::count(data.begin(), data.end(), 0), static_cast<ptrdiff_t>(data.size()));
  };
  expect_refusal(tag[15]);
  expect_refusal(aad[39]);
  for (const size_t at : {size_t{0}, size_t{400'000}, sealed.size() - 1}) expect_refusal(sealed[at]);
}

/// The threads' number decides who takes part in a batch, so each message is one call's.
TEST(GcmSharing, IsForFewLongMessages) {
  const WorkerThreads one(1), four(4);
  Batch batch{};
  batch.messages = 3;
  batch.bytes = 512 << 10;
  EXPECT_TRUE(shares_gcm_messages(four, batch));
  EXPECT_FALSE(shares_gcm_messages(one, batch));
  batch.messages = 4;
  EXPECT_FALSE(shares_gcm_messages(four, batch));
  batch.messages = 1;
  batch.bytes--;
  EXPECT_FALSE(shares_gcm_messages(four, batch));
  batch.aad_bytes = batch.bytes + 1;
  EXPECT_TRUE(shares_gcm_messages(four, batch));
  batch.mode = WARPAES_MODE_GCM_SIV;
  EXPECT_FALSE(shares_gcm_messages(four, batch));
}

/// What EVP cannot do is composed: a hash key of 0 has no inverse, and so no nonce leads to most counters.
TEST(OpensslGcmPart, WithoutAnInverseIsForTheFirstBlockOnly) {
  const uint8_t raw_key[16] = {};
  const auto key = openssl_evp.prepare(KeySchedule(raw_key), 0);
  const GcmHashKey no_inverse = gcm_hash_key(openssl_evp, *key);
  EXPECT_NE(openssl_evp.gcm_part(*key, no_inverse, WARPAES_DIRECTION_ENCRYPT, {5, 2}), nullptr);
  EXPECT_EQ(openssl_evp.gcm_part(*key, no_inverse, WARPAES_DIRECTION_ENCRYPT, {5, 3}), nullptr);
  GcmHashKey with_inverse = no_inverse;
  with_inverse.inverse = host_inverse(with_inverse.key);
  for (const Direction direction : kDirections) {
    EXPECT_NE(openssl_evp.gcm_part(*key, with_inverse, direction, {5, 3}), nullptr)
        << "this libcrypto does not tell the sum of what it decrypts: parts are composed, and slower";
  }
}

/// A part whose sum has one wrong bit.
class PartWithAFault : public GcmPart {
 public:
  explicit PartWithAFault(std::unique_ptr<GcmPart> part) : part_(std::move(part)) {}
  void add(const uint8_t* data, uint64_t bytes) override { part_->add(data, bytes); }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    part_->crypt(input, output, bytes);
  }
  Gf128 sum() override {
    return part_->sum() ^ Gf128 { 1, 0 };
  }

 private:
  std::unique_ptr<GcmPart> part_;
};

TEST(OpensslGcmPart, WithAFaultFailsTheSelfTest) {
  EXPECT_EQ(self_test(openssl_evp, 0, SelfTestExtent::gcm).failure, "");
  for (const Direction faulty_direction : kDirections) {
    static Direction faulty;
    faulty = faulty_direction;
    Engine engine = openssl_evp;
    engine.gcm_part = [](const EngineKey& key, const GcmHashKey& hash, Direction direction,
                         CounterBlock first) -> std::unique_ptr<GcmPart> {
      auto part = openssl_evp.gcm_part(key, hash, direction, first);
      if (direction != faulty) return part;
      return std::make_unique<PartWithAFault>(std::move(part));
    };
    const std::string failure = self_test(engine, 0, SelfTestExtent::gcm).failure;
    EXPECT_NE(failure.find("in parts"), std::string::npos) << failure;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, GcmParts, ::testing::Values(&openssl_evp, &portable_t_tables),
                         [](const auto& tested) { return std::string(tested.param->name); });

}  // namespace
}  // namespace warpaes::core::testing
