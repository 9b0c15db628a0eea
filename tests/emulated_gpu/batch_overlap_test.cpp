// Batches whose arrays of addresses let a message write over something else that it reads; some of these also
// lack additional data, or have too much of it. Kernels look at device memory, which the host does not, so
// they compare for themselves, and have to find the same as the checks of engines/batch.cpp, which are for
// batches in host memory: of two faults the same one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "emulated_engines.hpp"
#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr size_t kMessages = 96, kBytes = 32, kAadBytes = 20, kTagBytes = 16;
constexpr size_t kRoom = 160;  // so little that two of a message's ranges often share bytes

/// A batch of messages that lie in rooms of their own, with everything at random places of the room.
class Scattered {
 public:
  Scattered(warpaes_mode mode, Direction direction, size_t nonce_bytes, uint64_t seed) : random_(seed) {
    const ModeRow& row = mode_row(mode);
    memory_ = random_bytes(random_, kMessages * kRoom);
    batch_.mode = mode;
    batch_.direction = direction;
    batch_.messages = kMessages;
    batch_.bytes = kBytes;
    batch_.nonce_bytes = nonce_bytes;
    batch_.aad_strings = mode == WARPAES_MODE_SIV ? 2 : 1;
    for (size_t m = 0; m < kMessages; m++) {
      const size_t output_bytes = row.lengths(direction).output(kBytes);
      inputs_.push_back(place(m, std::max(kBytes, output_bytes)));
      const bool in_place = random_() % 4 == 0;
      uint8_t* const output = place(m, output_bytes);
      outputs_.push_back(in_place ? inputs_[m] : output);
      nonces_.push_back(place(m, nonce_bytes));
      tags_.push_back(place(m, kTagBytes));
      for (size_t s = 0; s < batch_.aad_strings; s++) {
        aads_.push_back(random_() % 8 == 0 ? nullptr : place(m, kAadBytes));
        aad_lengths_.push_back(random_() % 8 == 0 ? kAadBytes + 1 : kAadBytes);
      }
    }
    batch_.inputs = inputs_.data();
    if (row.has_output) batch_.outputs = outputs_.data();
    if (nonce_bytes != 0) batch_.nonce_pointers = nonces_.data();
    if (row.has_tag()) {
      batch_.tag_bytes = kTagBytes;
      batch_.tag_pointers = tags_.data();
    }
    if (row.is_aead) {
      batch_.aad_bytes = kAadBytes;
      batch_.aads = aads_.data();
      batch_.aad_lengths = aad_lengths_.data();
    }
    batch_.statuses = statuses_.data();
    batch_.output_lengths = lengths_.data();
  }

  /// @param run a batch call
  template <class Run>
  void expect_host_statuses(const Run& run) {
    const Bytes before = memory_;
    size_t refused = 0;
    std::vector<Status> expected;
    for (size_t m = 0; m < kMessages; m++) expected.push_back(message_of(batch_, m).status);
    run(batch_);
    for (size_t m = 0; m < kMessages; m++) {
      EXPECT_TRUE(agree(statuses_[m], expected[m]))
          << "message " << m << " has " << statuses_[m] << " and not " << expected[m];
      if (expected[m] == WARPAES_OK) continue;
      refused++;
      const auto room = static_cast<ptrdiff_t>(m * kRoom);
      EXPECT_TRUE(std::equal(before.begin() + room, before.begin() + room + static_cast<ptrdiff_t>(kRoom),
                             memory_.begin() + room))
          << "message " << m << " was refused, and something was written";
    }
    // CMAC's and ECB's messages have little that could overlap.
    EXPECT_GT(refused, 0u);
    EXPECT_LT(refused, kMessages);
  }

 private:
  static bool is_of_arrays(int32_t status) {
    return status == WARPAES_ERROR_LENGTH || status == WARPAES_ERROR_NULL_POINTER ||
           status == WARPAES_ERROR_OVERLAP;
  }
  /// What was worked on has the status of its tag or its padding.
  static bool agree(int32_t kernels, Status hosts) {
    return hosts == WARPAES_OK ? !is_of_arrays(kernels) : kernels == static_cast<int32_t>(hosts);
  }

  uint8_t* place(size_t message, size_t bytes) {
    return memory_.data() + message * kRoom + random_() % (kRoom - bytes + 1);
  }

  std::mt19937_64 random_;
  Bytes memory_;
  std::vector<uint8_t*> inputs_, outputs_, nonces_, tags_, aads_;
  std::vector<int32_t> statuses_ = std::vector<int32_t>(kMessages, -1);
  std::vector<uint64_t> aad_lengths_;
  std::vector<uint64_t> lengths_ = std::vector<uint64_t>(kMessages);
  Batch batch_{};
};

/// Can a message of the mode write over what it reads, other than by its output over its input?
bool has_more_than_input(const ModeRow& row, Direction direction) {
  return row.has_output || direction == WARPAES_DIRECTION_ENCRYPT;
}

class EmulatedOverlaps : public ::testing::TestWithParam<const Engine*> {};

/// Calls visit(mode, direction, the length of nonces) for all modes of which the engine has such batches.
template <class Visit>
void for_each_mode(const Engine& engine, const Visit& visit) {
  for (uint32_t mode = 0; mode < engine.modes.size(); mode++) {
    const ModeSupport& support = engine.modes[mode];
    if (mode == WARPAES_MODE_GMAC || support.run == nullptr || !support.takes_arrays) continue;
    const ModeRow& row = mode_row(static_cast<warpaes_mode>(mode));
    const size_t nonce_bytes =
        support.only_batch_nonce != 0 ? support.only_batch_nonce : row.recommended_nonce;
    for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
      if (!has_more_than_input(row, direction)) continue;
      SCOPED_TRACE(std::string(row.name) +
                   (direction == WARPAES_DIRECTION_ENCRYPT ? ", encrypt" : ", decrypt"));
      visit(static_cast<warpaes_mode>(mode), direction, nonce_bytes);
    }
  }
}

TEST_P(EmulatedOverlaps, AreFoundAsOnTheHost) {
  const Engine& engine = *GetParam();
  std::mt19937_64 random(7);
  const auto first = engine.prepare(KeySchedule(random_bytes(random, 16)), 0);
  const auto second = engine.prepare(KeySchedule(random_bytes(random, 16)), 0);
  size_t modes = 0;
  for_each_mode(engine, [&](warpaes_mode mode, Direction direction, size_t nonce_bytes) {
    const BatchKey key{*first, 128, mode_row(mode).key_count == 2 ? second.get() : nullptr};
    std::vector<std::max_align_t> workspace(batch_workspace_bytes(engine, mode, kMessages, kBytes) / 16 + 1);
    Scattered messages(mode, direction, nonce_bytes, random());
    messages.expect_host_statuses(
        [&](const Batch& batch) { engine.modes[mode].run(key, batch, workspace.data(), nullptr); });
    modes++;
  });
  EXPECT_GT(modes, 5u);
}

TEST_P(EmulatedOverlaps, AreFoundWithAKeyForEachMessage) {
  const Engine& engine = *GetParam();
  std::mt19937_64 random(8);
  size_t modes = 0;
  for_each_mode(engine, [&](warpaes_mode mode, Direction direction, size_t nonce_bytes) {
    if (engine.modes[mode].run_key_each == nullptr) return;
    const size_t key_bytes = 16 * mode_row(mode).key_count;
    const Bytes keys = random_bytes(random, kMessages * key_bytes);
    Scattered messages(mode, direction, nonce_bytes, random());
    messages.expect_host_statuses([&](const Batch& batch) {
      engine.modes[mode].run_key_each(0, {keys.data(), key_bytes, key_bytes}, batch, nullptr);
    });
    modes++;
  });
  if (std::string_view(engine.kernel) == "bitsliced") {
    GTEST_SKIP() << engine.kernel << " has no keys for each message";
  }
  EXPECT_GT(modes, 5u);
}

INSTANTIATE_TEST_SUITE_P(Engines, EmulatedOverlaps, ::testing::ValuesIn(emulated_engines()),
                         [](const auto& tested) { return std::string(tested.param->kernel); });

}  // namespace
}  // namespace warpaes::core
