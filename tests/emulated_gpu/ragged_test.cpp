// Ragged batches of GCM on the emulated GPU: more messages than warps, which therefore take one after the
// other; and so many that short messages have a launch of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "emulated_engines.hpp"
#include "engines/batch.hpp"
#include "engines/cuda/team_geometry.hpp"
#include "modes/batch.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr uint8_t kUntouched = 0xd7;
constexpr uint64_t kRow = kSmallTeamBytes + 1024;  // each message's room

class EmulatedRagged : public ::testing::TestWithParam<const Engine*> {
 protected:
  const Engine& engine() const { return *GetParam(); }
  size_t count() const { return lengths_.size(); }
  BatchKey batch_key() const { return {*key_, schedule_->key_bits()}; }

  /// Encrypts each message by itself, which other tests compare with other engines.
  void make(std::vector<uint64_t> lengths) {
    lengths_ = std::move(lengths);
    schedule_ = std::make_unique<KeySchedule>(random_bytes(random_, 16));
    key_ = engine().prepare(*schedule_, 0);
    nonces_ = random_bytes(random_, 12 * count());
    plaintext_ = random_bytes(random_, kRow * count());
    ciphertext_.assign(kRow * count(), kUntouched);
    tags_.assign(16 * count(), 0);
    for (size_t m = 0; m < count(); m++) {
      Batch batch = described(WARPAES_DIRECTION_ENCRYPT, m, 1);
      batch.bytes = lengths_[m];
      batch.input = plaintext_.data() + kRow * m;
      batch.output = ciphertext_.data() + kRow * m;
      batch.tags = tags_.data() + 16 * m;
      run(batch);
    }
  }

  Batch described(Direction direction, size_t first, size_t messages) {
    Batch batch{};
    batch.direction = direction;
    batch.messages = messages;
    batch.input_stride = batch.output_stride = kRow;
    batch.nonces = nonces_.data() + 12 * first;
    batch.nonce_stride = 12;
    batch.tag_stride = batch.tag_bytes = 16;
    return batch;
  }

  void run(const Batch& batch) {
    // What the last call left there does not matter.
    Bytes workspace(batch_workspace_bytes(engine(), WARPAES_MODE_GCM, batch.messages, batch.bytes), 0xee);
    engine().modes[WARPAES_MODE_GCM].run(batch_key(), batch, workspace.data(), nullptr);
  }

  /// The whole batch. @param most the longest message that the batch says it has
  void run(Direction direction, const Bytes& input, Bytes& tags, uint64_t most = kRow) {
    output_.assign(kRow * count(), kUntouched);
    statuses_.assign(count(), -1);
    Batch batch = described(direction, 0, count());
    batch.bytes = most;
    batch.lengths = lengths_.data();
    batch.input = input.data();
    batch.output = output_.data();
    batch.tags = tags.data();
    batch.statuses = statuses_.data();
    run(batch);
  }

  /// Is the message's output these bytes, and has nothing been written behind it?
  void expect_output(size_t m, const Bytes& rows) {
    const auto found = output_.begin() + static_cast<ptrdiff_t>(kRow * m);
    const auto bytes = static_cast<ptrdiff_t>(lengths_[m]);
    EXPECT_TRUE(std::equal(found, found + bytes, rows.begin() + static_cast<ptrdiff_t>(kRow * m)))
        << "message " << m << " of " << lengths_[m] << " bytes";
    EXPECT_EQ(std::count(found + bytes, found + kRow, kUntouched), static_cast<ptrdiff_t>(kRow) - bytes)
        << "message " << m << " of " << lengths_[m] << " bytes";
  }

  void expect_there_and_back() {
    Bytes tags(tags_.size(), kUntouched);
    run(WARPAES_DIRECTION_ENCRYPT, plaintext_, tags);
    EXPECT_TRUE(tags == tags_);
    for (size_t m = 0; m < count(); m++) expect_output(m, ciphertext_);
    EXPECT_EQ(statuses_, std::vector<int32_t>(count(), WARPAES_OK));
    run(WARPAES_DIRECTION_DECRYPT, ciphertext_, tags);
    for (size_t m = 0; m < count(); m++) expect_output(m, plaintext_);
    EXPECT_EQ(statuses_, std::vector<int32_t>(count(), WARPAES_OK));
  }

  std::vector<uint64_t> lengths_;
  Bytes nonces_, plaintext_, ciphertext_, tags_, output_;
  std::vector<int32_t> statuses_;
  std::unique_ptr<KeySchedule> schedule_;
  std::unique_ptr<EngineKey> key_;

 private:
  std::mt19937_64 random_{5};
};

/// Lengths on both sides of where the launches divide the messages, at the ends of rows and of groups.
std::vector<uint64_t> lengths(size_t count) {
  constexpr uint64_t kSome[] = {
      kRow, 0, kShortBytes, kShortBytes + 1, 1, 2048, 2049, 4096 + 512, kSmallTeamBytes + 17, 100, 31, 1500};
  std::vector<uint64_t> made;
  for (size_t m = 0; m < count; m++) made.push_back(kSome[m % std::size(kSome)]);
  return made;
}

/// The emulated GPU has three multiprocessors of two warps each.
constexpr size_t kWarps = 6, kFew = 4 * kWarps + 1, kMany = kManyForWarp * kWarps + 1;

TEST_P(EmulatedRagged, AsManyMessagesAsWarpsAreRight) {
  make(lengths(kWarps));
  expect_there_and_back();
}

TEST_P(EmulatedRagged, MessagesThatAreTakenOneAfterTheOtherAreRight) {
  make(lengths(kFew));
  expect_there_and_back();
}

TEST_P(EmulatedRagged, ShortMessagesInALaunchOfTheirOwnAreRight) {
  make(lengths(kMany));
  expect_there_and_back();
}

/// Their own output is zeroed, and nothing else is.
TEST_P(EmulatedRagged, WrongTagsAndLengthsAreRefused) {
  for (const size_t messages : {kFew, kMany}) {
    make(lengths(messages));
    Bytes tags = tags_, expected = plaintext_;
    std::vector<int32_t> statuses(messages, WARPAES_OK);
    for (const size_t m : {size_t{2}, size_t{8}, messages - 3}) {
      tags[16 * m + 3] ^= 1;
      statuses[m] = WARPAES_ERROR_AUTHENTICATION;
      std::fill_n(expected.begin() + static_cast<ptrdiff_t>(kRow * m), lengths_[m], uint8_t{0});
    }
    for (size_t m = 0; m < messages; m++) {
      if (lengths_[m] == kRow) statuses[m] = WARPAES_ERROR_LENGTH;
    }
    run(WARPAES_DIRECTION_DECRYPT, ciphertext_, tags, kRow - 1);
    EXPECT_EQ(statuses_, statuses);
    const Bytes untouched(kRow * messages, kUntouched);
    for (size_t m = 0; m < messages; m++) {
      expect_output(m, statuses[m] == WARPAES_ERROR_LENGTH ? untouched : expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatedRagged, ::testing::ValuesIn(emulated_engines().first(2)),
                         [](const auto& test) { return std::string(test.param->kernel); });

}  // namespace
}  // namespace warpaes::core
