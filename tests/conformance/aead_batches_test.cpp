// Batches of AEAD modes on the kernels that have them, compared with the composed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>

#include "engines_under_test.hpp"
#include "failure.hpp"
#include "kernels/kernel.hpp"
#include "message_batches_trial.hpp"
#include "modes/batch.hpp"
#include "modes/mode_table.hpp"

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

/// Lengths around what lanes and teams cut at: blocks, tiles of 64 bytes, rows, groups of rows, 256 counters.
constexpr uint64_t kLengths[] = {0,   1,   15,  16,  17,   31,   32,   33,   63,   64,   65,   100,
                                 127, 128, 129, 240, 511,  512,  513,  1000, 1024, 2047, 2049, 4064,
                                 80,  48,  800, 530, 4100, 4112, 5000, 8191, 8192, 8193, 9000, 16400};

struct Row {
  const char* name;
  size_t messages;
  uint64_t most_bytes, most_aad_bytes;
  BatchForm form;
};

// ragged, scattered, ragged AAD, scattered AAD, a key each, in place, misalignment, host nonce
const Row kRows[] = {
    {"one stride", 70, 100, 20, {false, false, false, false, false, false, 0}},
    {"one stride, whole tiles", 300, 128, 0, {false, false, false, false, false, false, 0}},
    {"no data", 5, 0, 33, {false, false, false, false, false, false, 0}},
    {"nothing at all", 5, 0, 0, {false, false, false, false, false, false, 0}},
    {"ragged", 80, 16'400, 0, {true, false, false, false, false, false, 0}},
    {"ragged, in place", 40, 5'000, 13, {true, false, false, false, false, true, 0}},
    {"ragged, anywhere", 40, 5'000, 21, {true, false, false, false, false, false, 3}},
    {"scattered", 40, 1'024, 16, {false, true, false, false, false, false, 0}},
    {"scattered, in place, anywhere", 33, 300, 0, {false, true, false, false, false, true, 1}},
    {"ragged and scattered", 81, 9'000, 40, {true, true, true, true, false, false, 0}},
    {"ragged additional data", 35, 64, 700, {false, false, true, false, false, false, 0}},
    {"scattered additional data, anywhere", 9, 128, 33, {false, false, true, true, false, false, 7}},
    {"additional data with a length of 6 bytes", 2, 17, 65'300, {false, false, true, false, false, false, 0}},
    {"one message, its nonce on the host", 1, 4'097, 12, {false, false, false, false, false, false, 0, true}},
    {"the same, longer", 1, 70'000, 40, {false, false, false, false, false, false, 0, true}},
    {"the same, in place", 1, 20'000, 1, {false, false, false, false, false, true, 0, true}},
    {"the same, anywhere", 1, 9'999, 600, {false, false, false, false, false, false, 5, true}},
    {"the same, empty", 1, 0, 0, {false, false, false, false, false, false, 0, true}},
    {"a key each", 70, 1'040, 20, {false, false, false, false, true, false, 0}},
    {"a key each, whole tiles", 150, 128, 0, {false, false, false, false, true, false, 0}},
    {"a key each, in place", 3, 16'384, 33, {false, false, false, false, true, true, 0}},
    {"a key each, anywhere", 33, 333, 5, {false, false, false, false, true, false, 9}},
    {"a key each, no data", 40, 0, 31, {false, false, true, false, true, false, 0}},
    {"a key each, ragged and scattered", 70, 16'400, 100, {true, true, true, true, true, false, 0}},
    {"a key each, long", 2, 70'000, 3, {false, false, false, false, true, false, 0}},
    {"one message of its own key", 1, 4'097, 12, {false, false, false, false, true, false, 0}},
    {"listed", 40, 100, 8, {false, false, false, false, false, false, 2, false, true}},
    {"everything listed", 81, 1'500, 40, {true, true, true, true, false, false, 0, false, true}},
    {"everything listed, a key each", 70, 999, 20, {true, true, true, true, true, false, 1, false, true}},
};

/// As many messages as give each warp of a GPU several, which then prepares their keys together. Emulated
/// GPUs have so few warps that the rows above do.
const Row kFullRows[] = {
    {"many", 40'000, 100, 20, {false, false, false, false, false, false, 0}},
    {"many, ragged and scattered", 40'000, 1'000, 40, {true, true, true, true, false, false, 1}},
    {"many, a key each", 50'000, 64, 0, {false, false, false, false, true, false, 0}},
    {"many, a key each, ragged and scattered", 50'000, 300, 20, {true, true, true, true, true, false, 0}},
};

struct ModeRow {
  Aead mode;
  std::vector<size_t> nonces, tags;
};
const ModeRow kModes[] = {
    {WARPAES_MODE_GCM_SIV, {12}, {16}},
    {WARPAES_MODE_CCM, {7, 8, 11, 12, 13}, {8, 10, 12, 14, 16}},
    {WARPAES_MODE_EAX, {1, 12, 15, 16, 17, 32, 100}, {12, 13, 16}},
    {WARPAES_MODE_OCB3, {1, 8, 11, 12, 13, 15}, {8, 12, 16}},
    {WARPAES_MODE_SIV, {0, 1, 12, 15, 16, 17, 32, 100}, {16}},
};

BatchedAead batch_of(const ModeRow& mode, const Row& row, size_t key_bytes, uint64_t seed) {
  Random random(seed);
  key_bytes *= mode_row(mode.mode).key_count;
  BatchedAead batch{row.name, row.form, row.most_bytes, row.most_aad_bytes, 16, {}};
  batch.mode = mode.mode;
  if (mode.mode == WARPAES_MODE_SIV) batch.form.host_nonce = false;  // batches only
  batch.nonce_bytes = mode.nonces[random() % mode.nonces.size()];
  batch.tag_bytes = mode.tags[random() % mode.tags.size()];
  // CCM's nonce leaves so many bytes for the length.
  const uint64_t most = mode_row(mode.mode).most_bytes(batch.nonce_bytes);
  if (row.most_bytes > most) batch.nonce_bytes = mode.nonces[0];
  for (size_t i = 0; i < row.messages; i++) {
    uint64_t bytes = row.most_bytes, aad_bytes = row.most_aad_bytes;
    if (row.form.ragged) bytes = std::min(kLengths[(i * 7 + seed) % std::size(kLengths)], bytes);
    if (row.form.ragged_aad) aad_bytes -= random() % std::min<uint64_t>(row.most_aad_bytes + 1, 700);
    batch.messages.push_back({random.bytes(key_bytes), random.bytes(batch.nonce_bytes),
                              random.bytes(aad_bytes), random.bytes(bytes)});
  }
  return batch;
}

class AeadBatches : public testing::TestWithParam<EngineUnderTest> {
 protected:
  const Engine& engine() const { return *GetParam().engine; }

  void expect_right(Direction direction, const BatchedAead& batch) const {
    if (batch.messages.empty()) return;
    const uint64_t launches = kernels::launches();
    EXPECT_EQ(difference(engine(), 0, direction, batch), "");
    if (engine().memory == Memory::device) {
      EXPECT_GT(kernels::launches(), launches);
    }
  }

  /// Those that the engine has fused, in all key sizes, with what is random about them.
  template <class Check>
  void for_all(const Check& check) const {
    const bool emulated = engine().name == std::string_view("emulated_gpu");
    for (const ModeRow& mode : kModes) {
      if (engine().modes[mode.mode].run == nullptr) continue;
      SCOPED_TRACE(mode_row(mode.mode).name);
      for (const size_t key_bytes : {16, 24, 32}) {
        if (key_bytes == 24 && !mode_row(mode.mode).has_192_bits()) continue;
        // Emulation is slow, and the number of tables has nothing to do with that of rounds.
        if (key_bytes != 16 && engine().kernel == std::string_view("two_tables")) continue;
        SCOPED_TRACE(8 * key_bytes);
        uint64_t seed = key_bytes;
        // Of the slow modes, other keys than the shortest have a part of the rows each.
        const bool part = emulated && key_bytes != 16 && mode_row(mode.mode).chains == Chains::always;
        for (const Row& row : kRows) {
          if (part && (&row - kRows) % 4 != static_cast<ptrdiff_t>(key_bytes / 8 - 3)) continue;
          if (row.form.key_each && engine().modes[mode.mode].run_key_each == nullptr) continue;
          check(mode, row, key_bytes, seed++);
        }
      }
    }
  }
};

/// What is refused, and what comes of it. Of the two kinds of GPU with two tables, one is enough.
class AeadRefusals : public AeadBatches {};

TEST_P(AeadBatches, AreTheComposedForms) {
  for_all([this](const ModeRow& mode, const Row& row, size_t key_bytes, uint64_t seed) {
    const BatchedAead batch = batch_of(mode, row, key_bytes, seed);
    expect_right(WARPAES_DIRECTION_ENCRYPT, batch);
    expect_right(WARPAES_DIRECTION_DECRYPT, batch);
  });
}

TEST_P(AeadRefusals, ForgedMessagesAloneAreRefusedAndZeroed) {
  for_all([this](const ModeRow& mode, const Row& row, size_t key_bytes, uint64_t seed) {
    if (key_bytes != 16) return;
    BatchedAead batch = batch_of(mode, row, key_bytes, seed);
    for (size_t i = 0; i < batch.messages.size(); i++) batch.messages[i].forged = i % 3 == 0;
    expect_right(WARPAES_DIRECTION_DECRYPT, batch);
  });
}

TEST_P(AeadBatches, SeveralMessagesForEachWarpOfAGpu) {
  if (engine().memory == Memory::host) GTEST_SKIP() << "no GPU's warps to fill";
  for (const ModeRow& mode : kModes) {
    if (engine().modes[mode.mode].run == nullptr) continue;
    SCOPED_TRACE(mode_row(mode.mode).name);
    const size_t key_bytes = mode_row(mode.mode).has_192_bits() ? 24 : 16;
    for (const Row& row : kFullRows) {
      if (row.form.key_each && engine().modes[mode.mode].run_key_each == nullptr) continue;
      BatchedAead batch = batch_of(mode, row, key_bytes, 8);
      expect_right(WARPAES_DIRECTION_ENCRYPT, batch);
      for (size_t i = 0; i < batch.messages.size(); i++) batch.messages[i].forged = i % 7 == 0;
      expect_right(WARPAES_DIRECTION_DECRYPT, batch);
      plant_wrong_entries(batch);
      expect_right(WARPAES_DIRECTION_DECRYPT, batch);
    }
  }
}

/// Entries of arrays that are wrong are their messages' alone.
TEST_P(AeadRefusals, WrongEntriesAreLeftAloneAndTheOthersAreRight) {
  for_all([this](const ModeRow& mode, const Row& row, size_t key_bytes, uint64_t seed) {
    if (key_bytes != 16) return;
    BatchedAead batch = batch_of(mode, row, key_bytes, seed);
    plant_wrong_entries(batch);
    expect_right(WARPAES_DIRECTION_ENCRYPT, batch);
    expect_right(WARPAES_DIRECTION_DECRYPT, batch);
  });
}

/// Sums that warps exchange would tell about the hash key or the plaintext.
TEST_P(AeadBatches, NothingIsLeftInTheWorkspace) {
  if (engine().memory != Memory::host) GTEST_SKIP() << "the test reads the workspace";
  for (const ModeRow& mode : kModes) {
    const uint64_t bytes = 70'000;
    const size_t size = batch_workspace_bytes(engine(), mode.mode, 1, bytes);
    if (size == 0) continue;
    SCOPED_TRACE(mode_row(mode.mode).name);
    const auto key = engine().prepare(KeySchedule(Bytes(16)), 0);
    Bytes data(bytes, 1), tag(16), nonce(12), aad(100, 2);
    int32_t status = -1;
    std::vector<std::array<uint8_t, 16>> workspace(size / 16 + 1);
    for (auto& block : workspace) block.fill(0x5a);
    Batch batch{};
    batch.mode = mode.mode;
    batch.messages = 1;
    batch.bytes = bytes;
    batch.input = batch.output = data.data();
    batch.host_nonce = nonce.data();
    batch.host_nonce_bytes = nonce.size();
    batch.aad = aad.data();
    batch.aad_bytes = aad.size();
    batch.tags = tag.data();
    batch.tag_bytes = tag.size();
    batch.statuses = &status;
    for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
      batch.direction = direction;
      run_batch(engine(), {*key, 128}, batch, workspace.data(), 16 * workspace.size(), nullptr);
      for (size_t i = 1; i < workspace.size(); i++) {  // the first block counts warps
        const auto is = [&](uint8_t value) {
          return std::all_of(workspace[i].begin(), workspace[i].end(),
                             [value](uint8_t byte) { return byte == value; });
        };
        EXPECT_TRUE(is(0) || is(0x5a)) << "block " << i;
      }
    }
    EXPECT_EQ(status, WARPAES_OK);
    EXPECT_EQ(data, Bytes(bytes, 1));
  }
}

std::vector<EngineUnderTest> engines() {
  std::vector<EngineUnderTest> here;
  for (const EngineUnderTest& engine : engines_under_test()) {
    const bool fuses = std::any_of(std::begin(kModes), std::end(kModes), [&](const ModeRow& mode) {
      return engine.engine->modes[mode.mode].run != nullptr;
    });
    if (fuses && engine.engine->available(0).available) here.push_back(engine);
  }
  return here;
}

std::vector<EngineUnderTest> engines_that_refuse() {
  std::vector<EngineUnderTest> here = engines();
  std::erase_if(here, [](const EngineUnderTest& engine) {
    return engine.engine->kernel == std::string_view("two_tables");
  });
  return here;
}

std::string name_of(const testing::TestParamInfo<EngineUnderTest>& test) {
  std::string name = test.param.name();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Engines, AeadBatches, testing::ValuesIn(engines()), name_of);
INSTANTIATE_TEST_SUITE_P(Engines, AeadRefusals, testing::ValuesIn(engines_that_refuse()), name_of);

}  // namespace
}  // namespace warpaes::core::conformance
