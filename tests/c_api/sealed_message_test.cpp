// Tests sealed messages: their form, the limit of random nonces, and what is refused.
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "misuse_rows.hpp"
#include "mode_rows.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kMost = uint64_t{1} << 32;

/// Does the mode have nonces that are made at random?
bool is_sealed(const ModeRow& row) { return row.encrypts_and_authenticates() && row.recommended_nonce > 0; }

uint64_t overhead_of(warpaes_mode mode) {
  auto info = sized<warpaes_mode_info>();
  EXPECT_EQ(warpaes_mode_get(mode, &info), WARPAES_OK);
  return info.sealed_overhead;
}

class SealedMessage : public ::testing::Test {
 public:
  warpaes_cipher* cipher(warpaes_mode mode = WARPAES_MODE_GCM) {
    std::unique_ptr<TestCipher>& made = ciphers_[mode];
    if (made == nullptr) made = std::make_unique<TestCipher>(context_, mode, Bytes(32, 7));
    return made->get();
  }
  warpaes_bytes aad() const { return {aad_.data(), aad_.size()}; }
  warpaes_status seal(warpaes_mode mode = WARPAES_MODE_GCM) {
    return warpaes_seal(cipher(mode), aad(), {message_.data(), message_.size()}, sealed_.data(),
                        sealed_.size(), &sealed_length_);
  }
  warpaes_status open(warpaes_mode mode, uint64_t sealed_length) {
    return warpaes_open(cipher(mode), aad(), {sealed_.data(), sealed_length}, opened_.data(), opened_.size(),
                        &opened_length_);
  }
  uint64_t add(uint64_t messages, warpaes_mode mode = WARPAES_MODE_GCM) {
    uint64_t total = 0;
    EXPECT_EQ(warpaes_cipher_add_nonces(cipher(mode), messages, &total), WARPAES_OK);
    return total;
  }
  uint64_t count(warpaes_mode mode = WARPAES_MODE_GCM) { return add(0, mode); }

  TestContext context_{"openssl", 1};
  std::map<warpaes_mode, std::unique_ptr<TestCipher>> ciphers_;
  Bytes message_ = Bytes(100, 1), aad_ = Bytes(20, 2);
  Bytes sealed_ = Bytes(132, kUntouched), opened_ = Bytes(100, kUntouched);
  uint64_t sealed_length_ = 77, opened_length_ = 77;
};

TEST_F(SealedMessage, IsNonceCiphertextAndTag) {
  std::set<Bytes> nonces;
  for (const ModeRow& row : mode_rows()) {
    if (!is_sealed(row)) continue;
    for (const size_t length : {0, 1, 16, 17, 1000}) {
      SCOPED_TRACE(::testing::Message() << row.name << ", " << length << " bytes");
      message_.assign(length, 9);
      const uint64_t expected_length = length + overhead_of(row.mode);
      ASSERT_EQ(expected_length, row.recommended_nonce + length + 16);
      sealed_.assign(expected_length, kUntouched);
      ASSERT_EQ(seal(row.mode), WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(sealed_length_, expected_length);
      const Bytes nonce = slice(sealed_, 0, row.recommended_nonce);
      const Answer answer = row.answer({Bytes(32, 7), nonce, aad_, message_, 16});
      EXPECT_EQ(slice(sealed_, nonce.size(), length), answer.output);
      EXPECT_EQ(slice(sealed_, nonce.size() + length, 16), answer.tag);
      opened_.assign(length, kUntouched);
      EXPECT_EQ(open(row.mode, expected_length), WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(opened_, message_);
      EXPECT_EQ(opened_length_, length);
      nonces.insert(slice(nonce, 0, 12));
    }
    EXPECT_EQ(count(row.mode), 5u);
  }
  EXPECT_EQ(nonces.size(), 5u * 5u);
}

TEST_F(SealedMessage, InPlace) {
  Bytes place(128, kUntouched);
  std::copy(message_.begin(), message_.end(), place.begin() + 12);
  ASSERT_EQ(warpaes_seal(cipher(), {}, {place.data() + 12, 100}, place.data(), 128, &sealed_length_),
            WARPAES_OK);
  ASSERT_EQ(warpaes_open(cipher(), {}, {place.data(), 128}, place.data() + 12, 100, &opened_length_),
            WARPAES_OK);
  EXPECT_EQ(slice(place, 12, 100), message_);
}

TEST_F(SealedMessage, MayHaveMoreRoomThanItNeeds) {
  sealed_.assign(300, kUntouched);
  ASSERT_EQ(seal(), WARPAES_OK);
  EXPECT_EQ(sealed_length_, 128u);
  EXPECT_EQ(slice(sealed_, 128, 172), Bytes(172, kUntouched));
  opened_.assign(300, kUntouched);
  ASSERT_EQ(open(WARPAES_MODE_GCM, 128), WARPAES_OK);
  EXPECT_EQ(opened_length_, 100u);
  EXPECT_EQ(slice(opened_, 100, 200), Bytes(200, kUntouched));
}

TEST_F(SealedMessage, DamageIsNoticed) {
  ASSERT_EQ(seal(), WARPAES_OK);
  for (size_t at = 0; at < sealed_length_; at += 9) {
    sealed_[at] ^= 1;
    opened_length_ = 77;
    EXPECT_EQ(open(WARPAES_MODE_GCM, 128), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(opened_, Bytes(100, 0));
    EXPECT_EQ(opened_length_, 0u);
    sealed_[at] ^= 1;
  }
  EXPECT_EQ(open(WARPAES_MODE_GCM, 128), WARPAES_OK);
}

/// SP 800-38D section 8.3 limits the key; what was sealed can still be read.
TEST_F(SealedMessage, TheLastRandomNonceIsTheLast) {
  for (const ModeRow& row : mode_rows()) {
    if (!is_sealed(row) || row.mode == WARPAES_MODE_SIV) continue;
    SCOPED_TRACE(row.name);
    EXPECT_EQ(add(kMost - 2, row.mode), kMost - 2);
    EXPECT_EQ(seal(row.mode), WARPAES_OK);
    EXPECT_EQ(seal(row.mode), WARPAES_OK);
    EXPECT_EQ(count(row.mode), kMost);
    const Bytes before = sealed_;
    const uint64_t length = sealed_length_;
    EXPECT_EQ(seal(row.mode), WARPAES_ERROR_STATE);
    EXPECT_NE(std::string(warpaes_last_error()).find("make a new key"), std::string::npos);
    EXPECT_EQ(sealed_length_, 0u);
    EXPECT_EQ(sealed_, before);
    EXPECT_EQ(count(row.mode), kMost);
    EXPECT_EQ(open(row.mode, length), WARPAES_OK);
  }
}

TEST_F(SealedMessage, OfSivHaveNoNoncesToCount) {
  ASSERT_EQ(seal(WARPAES_MODE_SIV), WARPAES_OK);
  EXPECT_EQ(count(WARPAES_MODE_SIV), 0u);
  EXPECT_EQ(add(kMost, WARPAES_MODE_SIV), kMost);
  EXPECT_EQ(seal(WARPAES_MODE_SIV), WARPAES_OK);
}

TEST_F(SealedMessage, WhatIsAddedDoesNotWrap) {
  EXPECT_EQ(add(5), 5u);
  EXPECT_EQ(add(~uint64_t{0}), kMost);
  EXPECT_EQ(add(~uint64_t{0}), kMost);
  EXPECT_EQ(warpaes_cipher_add_nonces(cipher(), 1, nullptr), WARPAES_OK) << "the total may be left out";
  EXPECT_EQ(count(), kMost);
  EXPECT_EQ(seal(), WARPAES_ERROR_STATE);
}

TEST_F(SealedMessage, ThreadsShareTheLimit) {
  constexpr uint64_t kLeft = 1000;
  add(kMost - kLeft);
  std::atomic<uint64_t> sealed = 0, refused = 0;
  std::vector<std::thread> threads;
  warpaes_cipher* const shared = cipher();
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      for (int n = 0; n < 400; n++) {
        uint8_t to[28 + 16];
        uint64_t length = 0;
        const warpaes_status status =
            warpaes_seal(shared, {}, {"0123456789abcdef", 16}, to, sizeof to, &length);
        (status == WARPAES_OK ? sealed : refused)++;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sealed, kLeft);
  EXPECT_EQ(refused, 4 * 400 - kLeft);
}

TEST_F(SealedMessage, IsOfModesThatEncryptAndAuthenticate) {
  for (const ModeRow& row : mode_rows()) {
    if (row.encrypts_and_authenticates()) continue;
    SCOPED_TRACE(row.name);
    const TestCipher other(context_, row.mode, row.example(1).key);
    uint64_t length = 77;
    EXPECT_EQ(overhead_of(row.mode), 0u);
    EXPECT_EQ(warpaes_seal(other.get(), {}, {message_.data(), 16}, sealed_.data(), 132, &length),
              WARPAES_ERROR_MODE);
    EXPECT_EQ(warpaes_open(other.get(), {}, {sealed_.data(), 44}, opened_.data(), 100, &length),
              WARPAES_ERROR_MODE);
    EXPECT_EQ(sealed_, Bytes(132, kUntouched));
  }
}

/// SP 800-38C appendix A.1: a nonce of 12 bytes leaves 3 for the length. No key makes such a message, so that
/// it is no forgery, either.
TEST_F(SealedMessage, LongerThanCcmsNonceAllowsIsAWrongLength) {
  const uint64_t text = uint64_t{1} << 24;
  const Bytes sealed(text + 28);
  Bytes opened(text);
  EXPECT_EQ(warpaes_open(cipher(WARPAES_MODE_CCM), aad(), {sealed.data(), sealed.size()}, opened.data(), text,
                         &opened_length_),
            WARPAES_ERROR_LENGTH);
  EXPECT_EQ(open(WARPAES_MODE_CCM, 128), WARPAES_ERROR_AUTHENTICATION) << "a forgery";
}

/// 16 bytes at the beginning of the memory, and 64 for the sealed message behind them.
struct Call {
  warpaes_cipher* cipher;
  Bytes memory = Bytes(128, kUntouched);
  warpaes_bytes aad = {}, input = {memory.data(), 16};
  uint8_t* output = memory.data() + 64;
  uint64_t capacity = 64, length = 77;
  uint64_t* length_to = &length;

  warpaes_status seal() { return warpaes_seal(cipher, aad, input, output, capacity, length_to); }
  warpaes_status open() { return warpaes_open(cipher, aad, input, output, capacity, length_to); }
  /// A place that is taken.
  void tell_length_at(size_t at) { length_to = reinterpret_cast<uint64_t*>(memory.data() + at); }
  void expect_untouched() const {
    EXPECT_EQ(memory, Bytes(128, kUntouched));
    EXPECT_TRUE(length == 0 || length == 77);
  }
};

constexpr auto kNull = WARPAES_ERROR_NULL_POINTER, kLength = WARPAES_ERROR_LENGTH,
               kOverlap = WARPAES_ERROR_OVERLAP, kRoom = WARPAES_ERROR_BUFFER_SIZE;

const MisuseRow<Call> kMisuse[] = {
    {"no cipher", kNull, &Call::seal, [](Call& c) { c.cipher = nullptr; }},
    {"no output", kNull, &Call::seal, [](Call& c) { c.output = nullptr; }},
    {"no input", kNull, &Call::seal, [](Call& c) { c.input.data = nullptr; }},
    {"no additional data", kNull, &Call::seal, [](Call& c) { c.aad.length = 3; }},
    {"no place for the sealed length", kNull, &Call::seal, [](Call& c) { c.length_to = nullptr; }},
    {"too little room", kRoom, &Call::seal, [](Call& c) { c.capacity = 43; }},
    {"the message where the nonce will be", kOverlap, &Call::seal,
     [](Call& c) { c.output = c.memory.data(); }},
    {"the message one byte off its place", kOverlap, &Call::seal,
     [](Call& c) {
       c.output = c.memory.data();
       c.input.data = c.memory.data() + 13;
     }},
    {"additional data where the nonce will be", kOverlap, &Call::seal,
     [](Call& c) { c.aad = {c.memory.data() + 70, 4}; }},
    {"longer than any address", kLength, &Call::seal,
     [](Call& c) { c.input.length = c.capacity = ~uint64_t{0}; }},
    {"longer than GCM", kLength, &Call::seal,
     [](Call& c) {
       c.input.length = (uint64_t{1} << 36) - 31;
       c.capacity = ~uint64_t{0};
     }},
    {"the sealed length in the message", kOverlap, &Call::seal, [](Call& c) { c.tell_length_at(8); }},
    {"the sealed length in the output", kOverlap, &Call::seal, [](Call& c) { c.tell_length_at(72); }},
    {"the sealed length in the output, whose room is said to be endless", kOverlap, &Call::seal,
     [](Call& c) {
       c.capacity = ~uint64_t{0};
       c.tell_length_at(72);
     }},
    {"the sealed length in the additional data", kOverlap, &Call::seal,
     [](Call& c) {
       c.aad = {c.memory.data() + 32, 9};
       c.tell_length_at(40);
     }},
    {"nothing to open", kLength, &Call::open, [](Call& c) { c.input.length = 0; }},
    {"nonce and tag are not all there", kLength, &Call::open, [](Call& c) { c.input.length = 27; }},
    {"no cipher to open", kNull, &Call::open, [](Call& c) { c.cipher = nullptr; }},
    {"no sealed message", kNull, &Call::open, [](Call& c) { c.input = {nullptr, 44}; }},
    {"too little room to open", kRoom, &Call::open,
     [](Call& c) {
       c.input.length = 44;
       c.capacity = 15;
     }},
    {"opened over its nonce", kOverlap, &Call::open,
     [](Call& c) {
       c.input.length = 44;
       c.output = c.memory.data();
     }},
    {"the length in the sealed message", kOverlap, &Call::open,
     [](Call& c) {
       c.input.length = 44;
       c.tell_length_at(40);
     }},
    {"the length in the opened message", kOverlap, &Call::open,
     [](Call& c) {
       c.input.length = 44;
       c.tell_length_at(64);
     }},
    {"the length in the opened message, whose room is said to be endless", kOverlap, &Call::open,
     [](Call& c) {
       c.input.length = 44;
       c.capacity = ~uint64_t{0};
       c.tell_length_at(72);
     }},
    {"no place for the length", kNull, &Call::open,
     [](Call& c) {
       c.input.length = 44;
       c.length_to = nullptr;
     }},
};

TEST_F(SealedMessage, MisuseWritesNothingAndTakesNoNonce) {
  expect_each_refused(kMisuse, [this] { return Call{cipher()}; });
  EXPECT_EQ(count(), 0u);
  EXPECT_EQ(warpaes_cipher_add_nonces(nullptr, 1, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_cipher_add_nonces(cipher(WARPAES_MODE_CTR), 1, nullptr), WARPAES_ERROR_MODE);
  Call right{cipher()};
  EXPECT_EQ(right.seal(), WARPAES_OK) << "what the rows spoil is right to begin with";
  const TestCipher keyless(context_, WARPAES_MODE_GCM, {});
  Call without_key{keyless.get()};
  EXPECT_EQ(without_key.seal(), WARPAES_ERROR_STATE);
}

}  // namespace
}  // namespace warpaes::core::testing
