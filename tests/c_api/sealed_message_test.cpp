// Sealed messages: their form, their limit of random nonces, and what is refused.
#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr uint64_t kMost = uint64_t{1} << 32;
constexpr uint8_t kUntouched = 0x5a;

struct Mode {
  warpaes_aead mode;
  size_t nonce_bytes;
};

constexpr Mode kModes[] = {{WARPAES_AEAD_GCM, 12},
                           {WARPAES_AEAD_GCM_SIV, 12},
                           {WARPAES_AEAD_CCM, 12},
                           {WARPAES_AEAD_EAX, 16},
                           {WARPAES_AEAD_OCB3, 12}};

class SealedMessage : public ::testing::Test {
 public:
  warpaes_status seal(warpaes_aead mode = WARPAES_AEAD_GCM) {
    return warpaes_aead_seal(key(), mode, aad_.data(), aad_.size(), message_.data(), message_.size(),
                             sealed_.data(), sealed_.size());
  }
  warpaes_status open(warpaes_aead mode, uint64_t sealed_bytes) {
    return warpaes_aead_open(key(), mode, aad_.data(), aad_.size(), sealed_.data(), sealed_bytes,
                             opened_.data(), opened_.size(), &opened_bytes_);
  }
  void add(uint64_t messages) {
    EXPECT_EQ(warpaes_key_add_random_nonces(const_cast<warpaes_key*>(key()), messages), WARPAES_OK);
  }
  uint64_t count() const {
    uint64_t messages = 0;
    EXPECT_EQ(warpaes_key_random_nonces(key(), &messages), WARPAES_OK);
    return messages;
  }
  const warpaes_key* key() const { return key_.get(); }

  TestContext context_{"openssl", 1};
  TestKey key_{context_, Bytes(32, 7)};
  Bytes message_ = Bytes(100, 1), aad_ = Bytes(20, 2);
  Bytes sealed_ = Bytes(132, kUntouched), opened_ = Bytes(100, kUntouched);
  uint64_t opened_bytes_ = 0;
};

TEST_F(SealedMessage, IsNonceCiphertextAndTag) {
  std::set<Bytes> nonces;
  for (const Mode& mode : kModes) {
    for (const size_t bytes : {0, 1, 16, 17, 1000}) {
      SCOPED_TRACE(::testing::Message() << "mode " << mode.mode << ", " << bytes << " bytes");
      message_.assign(bytes, 9);
      uint64_t sealed_bytes = 0;
      ASSERT_EQ(warpaes_aead_sealed_bytes(mode.mode, bytes, &sealed_bytes), WARPAES_OK);
      ASSERT_EQ(sealed_bytes, mode.nonce_bytes + bytes + 16);
      sealed_.assign(sealed_bytes, kUntouched);
      ASSERT_EQ(seal(mode.mode), WARPAES_OK) << warpaes_last_error();
      const uint8_t* const ciphertext = sealed_.data() + mode.nonce_bytes;
      opened_.assign(bytes, kUntouched);
      EXPECT_EQ(warpaes_aead_decrypt(key(), mode.mode, sealed_.data(), mode.nonce_bytes, aad_.data(),
                                     aad_.size(), ciphertext, opened_.data(), bytes, ciphertext + bytes, 16),
                WARPAES_OK);
      EXPECT_EQ(opened_, message_);
      opened_.assign(bytes, kUntouched);
      EXPECT_EQ(open(mode.mode, sealed_bytes), WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(opened_, message_);
      EXPECT_EQ(opened_bytes_, bytes);
      nonces.emplace(sealed_.begin(), sealed_.begin() + 12);
    }
  }
  EXPECT_EQ(nonces.size(), std::size(kModes) * 5);
  EXPECT_EQ(count(), std::size(kModes) * 5);
}

TEST_F(SealedMessage, InPlace) {
  Bytes place(128, kUntouched);
  std::copy(message_.begin(), message_.end(), place.begin() + 12);
  ASSERT_EQ(warpaes_aead_seal(key(), WARPAES_AEAD_GCM, nullptr, 0, place.data() + 12, 100, place.data(), 128),
            WARPAES_OK);
  ASSERT_EQ(warpaes_aead_open(key(), WARPAES_AEAD_GCM, nullptr, 0, place.data(), 128, place.data() + 12, 100,
                              &opened_bytes_),
            WARPAES_OK);
  EXPECT_TRUE(std::equal(message_.begin(), message_.end(), place.begin() + 12));
}

TEST_F(SealedMessage, DamageIsNoticed) {
  ASSERT_EQ(seal(), WARPAES_OK);
  sealed_.resize(128);
  for (size_t at = 0; at < sealed_.size(); at += 9) {
    sealed_[at] ^= 1;
    opened_bytes_ = 77;
    EXPECT_EQ(open(WARPAES_AEAD_GCM, sealed_.size()), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(opened_, Bytes(100, 0));
    EXPECT_EQ(opened_bytes_, 0u);
    sealed_[at] ^= 1;
  }
  EXPECT_EQ(open(WARPAES_AEAD_GCM, sealed_.size()), WARPAES_OK);
}

TEST_F(SealedMessage, TheLastRandomNonceIsTheLast) {
  add(kMost - 2);
  EXPECT_EQ(seal(WARPAES_AEAD_GCM), WARPAES_OK);
  EXPECT_EQ(seal(WARPAES_AEAD_EAX), WARPAES_OK);  // the limit is the key's, whatever the mode
  EXPECT_EQ(count(), kMost);
  const Bytes before = sealed_;
  for (const Mode& mode : kModes) {
    EXPECT_EQ(seal(mode.mode), WARPAES_ERROR_STATE);
    EXPECT_NE(std::string(warpaes_last_error()).find("make a new key"), std::string::npos);
  }
  EXPECT_EQ(sealed_, before);
  EXPECT_EQ(count(), kMost);
  EXPECT_EQ(open(WARPAES_AEAD_EAX, 132), WARPAES_OK);  // what was sealed can still be read
}

TEST_F(SealedMessage, WhatIsAddedDoesNotWrap) {
  add(5);
  add(~uint64_t{0});
  EXPECT_EQ(count(), kMost);
  add(~uint64_t{0});
  EXPECT_EQ(count(), kMost);
  EXPECT_EQ(seal(), WARPAES_ERROR_STATE);
}

TEST_F(SealedMessage, ThreadsShareTheLimit) {
  constexpr uint64_t kLeft = 1000;
  add(kMost - kLeft);
  std::atomic<uint64_t> sealed = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      for (int n = 0; n < 400; n++) {
        uint8_t to[28 + 16];
        const warpaes_status status =
            warpaes_aead_seal(key(), WARPAES_AEAD_GCM, nullptr, 0, "0123456789abcdef", 16, to, sizeof to);
        (status == WARPAES_OK ? sealed : refused)++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sealed, kLeft);
  EXPECT_EQ(refused, 4 * 400 - kLeft);
}

TEST_F(SealedMessage, MisuseWritesNothing) {
  using Attempt = warpaes_status (*)(SealedMessage&, uint8_t*);
  const struct {
    const char* what;
    warpaes_status status;
    Attempt attempt;
  } rows[] = {
      {"no key", WARPAES_ERROR_NULL_POINTER,
       [](SealedMessage&, uint8_t* at) {
         return warpaes_aead_seal(nullptr, WARPAES_AEAD_GCM, nullptr, 0, at, 16, at + 64, 64);
       }},
      {"no such mode", WARPAES_ERROR_OPTION,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), static_cast<warpaes_aead>(99), nullptr, 0, at, 16, at + 64, 64);
       }},
      {"no output", WARPAES_ERROR_NULL_POINTER,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), WARPAES_AEAD_GCM, nullptr, 0, at, 16, nullptr, 64);
       }},
      {"no input", WARPAES_ERROR_NULL_POINTER,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), WARPAES_AEAD_GCM, nullptr, 0, nullptr, 16, at + 64, 64);
       }},
      {"too little room", WARPAES_ERROR_BUFFER_SIZE,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), WARPAES_AEAD_GCM, nullptr, 0, at, 16, at + 64, 43);
       }},
      {"the message where the nonce will be", WARPAES_ERROR_OVERLAP,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), WARPAES_AEAD_GCM, nullptr, 0, at, 16, at, 64);
       }},
      {"the message one byte off its place", WARPAES_ERROR_OVERLAP,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), WARPAES_AEAD_GCM, nullptr, 0, at + 13, 16, at, 64);
       }},
      {"additional data where the nonce will be", WARPAES_ERROR_OVERLAP,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), WARPAES_AEAD_GCM, at + 70, 4, at, 16, at + 64, 64);
       }},
      {"longer than CCM with such a nonce", WARPAES_ERROR_LENGTH,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), WARPAES_AEAD_CCM, nullptr, 0, at, uint64_t{1} << 24, at, ~0ull);
       }},
      {"longer than any address", WARPAES_ERROR_LENGTH,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_seal(t.key(), WARPAES_AEAD_EAX, nullptr, 0, at, ~0ull, at, ~0ull);
       }},
      {"nonce and tag are not all there", WARPAES_ERROR_LENGTH,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_open(t.key(), WARPAES_AEAD_GCM, nullptr, 0, at, 27, at + 64, 64,
                                  &t.opened_bytes_);
       }},
      {"too little room to open", WARPAES_ERROR_BUFFER_SIZE,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_open(t.key(), WARPAES_AEAD_GCM, nullptr, 0, at, 44, at + 64, 15,
                                  &t.opened_bytes_);
       }},
      {"opened over its nonce", WARPAES_ERROR_OVERLAP,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_open(t.key(), WARPAES_AEAD_GCM, nullptr, 0, at, 44, at, 64, &t.opened_bytes_);
       }},
      {"no place for the length", WARPAES_ERROR_NULL_POINTER,
       [](SealedMessage& t, uint8_t* at) {
         return warpaes_aead_open(t.key(), WARPAES_AEAD_GCM, nullptr, 0, at, 44, at + 64, 64, nullptr);
       }},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    Bytes memory(128, kUntouched);
    EXPECT_EQ(row.attempt(*this, memory.data()), row.status) << warpaes_last_error();
    EXPECT_EQ(memory, Bytes(128, kUntouched));
  }
  EXPECT_EQ(count(), 0u) << "what is refused takes no nonce";
  EXPECT_EQ(warpaes_key_random_nonces(key(), nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_key_add_random_nonces(nullptr, 1), WARPAES_ERROR_NULL_POINTER);
}

}  // namespace
}  // namespace warpaes::testing
