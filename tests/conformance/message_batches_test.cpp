// Batches of GCM with messages of different lengths, messages anywhere in memory, or per-message keys, on
// every engine that can run here, compared with OpenSSL.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engines/openssl/openssl_engine.hpp"
#include "engines_under_test.hpp"
#include "failure.hpp"
#include "kernels/kernel.hpp"
#include "message_batches_trial.hpp"
#include "modes/modes.hpp"

namespace warpaes::core::conformance {
namespace {

struct Random : std::mt19937_64 {
  using std::mt19937_64::mt19937_64;
  Bytes bytes(size_t count) {
    Bytes made(count);
    for (uint8_t& byte : made) byte = static_cast<uint8_t>((*this)());
    return made;
  }
};

/// Lengths around everything that teams cut at: blocks, rows of 8, 16 and 32 lanes, groups of four rows,
/// 256 counters.
constexpr uint64_t kLengths[] = {0,    1,    15,   16,   17,   100,  127,  128,   129,   255,
                                 256,  257,  496,  511,  512,  513,  528,  1000,  1024,  1025,
                                 2047, 2048, 2049, 4063, 4064, 4065, 4080, 4096,  4112,  5000,
                                 8160, 8161, 8191, 8192, 8193, 8208, 9000, 12345, 16384, 20001};

struct Row {
  const char* name;
  size_t messages;
  uint64_t most_bytes;
  uint64_t most_aad_bytes;
  BatchForm form;
};

// ragged, scattered, ragged AAD, scattered AAD, a key each, in place, misalignment
const Row kRows[] = {
    {"ragged", 80, 20'001, 0, {true, false, false, false, false, false, 0}},
    {"ragged, in place", 40, 5'000, 13, {true, false, false, false, false, true, 0}},
    {"ragged, anywhere", 40, 5'000, 21, {true, false, false, false, false, false, 3}},
    {"scattered", 40, 1'024, 16, {false, true, false, false, false, false, 0}},
    {"scattered, in place, anywhere", 33, 300, 0, {false, true, false, false, false, true, 1}},
    {"ragged and scattered", 81, 9'000, 40, {true, true, true, true, false, false, 0}},
    {"ragged additional data", 35, 64, 700, {false, false, true, false, false, false, 0}},
    {"scattered additional data, anywhere", 9, 128, 33, {false, false, true, true, false, false, 7}},
    {"a key each", 40, 1'024, 0, {false, false, false, false, true, false, 0}},
    {"a key each, in place", 3, 16'384, 20, {false, false, false, false, true, true, 0}},
    {"a key each, anywhere", 33, 333, 5, {false, false, false, false, true, false, 9}},
    {"a key each, empty messages", 40, 0, 31, {false, false, true, false, true, false, 0}},
    {"a key each, ragged and scattered", 70, 12'345, 100, {true, true, true, true, true, false, 0}},
    {"one message of its own key", 1, 4'097, 12, {false, false, false, false, true, false, 0}},
    {"one ragged message", 1, 8'192, 12, {true, false, false, false, false, false, 0}},
    {"listed", 40, 100, 8, {false, false, false, false, false, false, 2, false, true}},
    {"everything listed", 81, 9'000, 40, {true, true, true, true, false, false, 0, false, true}},
    {"everything listed, a key each", 70, 5'000, 20, {true, true, true, true, true, false, 1, false, true}},
};

/// As many messages as give each warp of a GPU several, which then prepares their keys together. Emulated
/// GPUs have so few warps that the rows above do.
const Row kFullRows[] = {
    {"many, ragged and scattered", 40'000, 1'000, 40, {true, true, true, true, false, false, 1}},
    {"many, a key each", 50'000, 64, 0, {false, false, false, false, true, false, 0}},
    {"many, a key each, ragged and scattered", 50'000, 300, 20, {true, true, true, true, true, false, 0}},
};

BatchedAead batch_of(const Row& row, size_t key_bytes, uint64_t seed) {
  Random random(seed);
  BatchedAead batch{row.name, row.form, row.most_bytes, row.most_aad_bytes, 12 + seed % 5, {}};
  for (size_t i = 0; i < row.messages; i++) {
    uint64_t bytes = row.most_bytes, aad_bytes = row.most_aad_bytes;
    if (row.form.ragged) bytes = std::min(kLengths[(i * 7 + seed) % std::size(kLengths)], bytes);
    if (row.form.ragged_aad) aad_bytes = random() % (row.most_aad_bytes + 1);
    batch.messages.push_back(
        {random.bytes(key_bytes), random.bytes(12), random.bytes(aad_bytes), random.bytes(bytes)});
  }
  return batch;
}

std::vector<EngineUnderTest> engines() {
  std::vector<EngineUnderTest> here;
  for (const EngineUnderTest& engine : engines_under_test()) {
    // Bit planes have no ragged batches, nor a key each: modes refuse them.
    if (std::string_view(engine.engine->kernel) == "bitsliced") continue;
    if (engine.engine->available(0).available) here.push_back(engine);
  }
  return here;
}

class MessageBatches : public testing::TestWithParam<EngineUnderTest> {
 protected:
  const Engine& engine() const { return *GetParam().engine; }

  void expect_right(Direction direction, const BatchedAead& batch) const {
    const uint64_t launches = kernels::launches();
    EXPECT_EQ(difference(engine(), 0, direction, batch), "");
    if (engine().memory == Memory::device) {
      EXPECT_GT(kernels::launches(), launches);
    }
  }
};

TEST_P(MessageBatches, AreOpenssls) {
  for (const Row& row : kRows) {
    for (const size_t key_bytes : {16, 24, 32}) {
      SCOPED_TRACE(8 * key_bytes);
      const BatchedAead batch = batch_of(row, key_bytes, key_bytes);
      expect_right(WARPAES_DIRECTION_ENCRYPT, batch);
      expect_right(WARPAES_DIRECTION_DECRYPT, batch);
    }
  }
}

TEST_P(MessageBatches, ForgedMessagesAloneAreRefusedAndZeroed) {
  for (const Row& row : kRows) {
    BatchedAead batch = batch_of(row, 16, 3);
    for (size_t i = 0; i < batch.messages.size(); i++) batch.messages[i].forged = i % 3 == 0;
    expect_right(WARPAES_DIRECTION_DECRYPT, batch);
  }
}

TEST_P(MessageBatches, SeveralMessagesForEachWarpOfAGpu) {
  if (engine().memory == Memory::host) GTEST_SKIP() << "no GPU's warps to fill";
  for (const Row& row : kFullRows) {
    for (const size_t key_bytes : {16, 24, 32}) {
      SCOPED_TRACE(8 * key_bytes);
      BatchedAead batch = batch_of(row, key_bytes, 8);
      expect_right(WARPAES_DIRECTION_ENCRYPT, batch);
      for (size_t i = 0; i < batch.messages.size(); i++) batch.messages[i].forged = i % 7 == 0;
      expect_right(WARPAES_DIRECTION_DECRYPT, batch);
      plant_wrong_entries(batch);
      expect_right(WARPAES_DIRECTION_DECRYPT, batch);
    }
  }
}

/// Entries of arrays that are wrong are their messages' alone.
TEST_P(MessageBatches, WrongEntriesAreLeftAloneAndTheOthersAreRight) {
  for (const Row& row : kRows) {
    BatchedAead batch = batch_of(row, 16, 5);
    plant_wrong_entries(batch);
    expect_right(WARPAES_DIRECTION_ENCRYPT, batch);
    expect_right(WARPAES_DIRECTION_DECRYPT, batch);
  }
}

/// Calls whose counters run through the last byte and the last two of it.
TEST_P(MessageBatches, LongMessagesAmongShortOnes) {
  if (GetParam().sample > 1 && engine().kernel != std::string_view("four_tables")) GTEST_SKIP() << "slow";
  Random random(9);
  for (const bool key_each : {false, true}) {
    BatchedAead batch{
        "long and short", {true, false, false, false, key_each, false, 0}, 1'100'000, 0, 16, {}};
    for (const uint64_t bytes : {1'100'000, 1, 70'000, 0, 8'192}) {
      batch.messages.push_back({random.bytes(32), random.bytes(12), {}, random.bytes(bytes)});
    }
    expect_right(WARPAES_DIRECTION_ENCRYPT, batch);
  }
}

struct PrintEngine {
  std::string operator()(const testing::TestParamInfo<EngineUnderTest>& info) const {
    std::string name = info.param.name();
    std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, MessageBatches, testing::ValuesIn(engines()), PrintEngine());

}  // namespace
}  // namespace warpaes::core::conformance
