// The kernels may leave nothing in the caller's workspace: from sums of GHASH and POLYVAL the hash key can be
// computed, with which tags can be forged, and sums of OCB3 tell about the plaintext.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "emulated_engines.hpp"
#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "primitives/gf128.hpp"

namespace warpaes::core {
namespace {

using Bytes = std::vector<uint8_t>;

struct Row {
  const char* name;
  Aead mode;
  uint64_t messages, bytes;
  bool one_nonce;  // given in host memory, of the only message
  uint64_t aad_bytes = 0;
};

/// Lengths that the emulated machine shares among several warps, whatever form of the kernels it takes.
constexpr Row kRows[] = {
    {"GCM of one message", WARPAES_MODE_GCM, 1, 100'000, true},
    {"GCM of one aligned message by tables and bit planes", WARPAES_MODE_GCM, 1, 98'304, true},
    {"GCM of a short message in parts", WARPAES_MODE_GCM, 1, 3'000, true},
    {"GCM of two long messages", WARPAES_MODE_GCM, 2, 70'000, false},
    {"GCM of one message with long additional data", WARPAES_MODE_GCM, 1, 70'000, true, 40'000},
    {"GCM of two messages with long additional data", WARPAES_MODE_GCM, 2, 70'000, false, 40'000},
    {"GCM-SIV of one message", WARPAES_MODE_GCM_SIV, 1, 70'001, true},
    {"OCB3 of one message", WARPAES_MODE_OCB3, 1, 9'001, true},
};

class Workspace {
 public:
  Workspace(const Engine& engine, const Row& row)
      : engine_(engine), row_(row), schedule_(Bytes(16, 0x2b)), key_(engine.prepare(schedule_, 0)) {}

  /// @return its bytes that are not zero after the call
  int64_t dirty_bytes(Direction direction, uint8_t change_of_tag) {
    tags_[0] ^= change_of_tag;
    const size_t bytes = batch_workspace_bytes(engine_, row_.mode, row_.messages, row_.bytes);
    std::vector<Gf128> memory(bytes / sizeof(Gf128) + 1, {0, 0});
    Batch batch{};
    batch.direction = direction;
    batch.mode = row_.mode;
    batch.messages = row_.messages;
    batch.bytes = batch.input_stride = batch.output_stride = row_.bytes;
    batch.input = batch.output = data_.data();
    batch.host_nonce = row_.one_nonce ? nonces_.data() : nullptr;
    batch.host_nonce_bytes = 12;
    batch.nonces = nonces_.data();
    batch.nonce_stride = 12;
    batch.aad = aad_.data();
    batch.aad_bytes = batch.aad_stride = row_.aad_bytes;
    batch.tags = tags_.data();
    batch.tag_stride = batch.tag_bytes = 16;
    batch.statuses = statuses_.data();
    run_batch(engine_, {*key_, 128}, batch, memory.data(), bytes, nullptr);
    const auto* const first = reinterpret_cast<const uint8_t*>(memory.data());
    const size_t held = memory.size() * sizeof(Gf128);
    return static_cast<int64_t>(held) - std::count(first, first + held, uint8_t{0});
  }

  int32_t status() const { return statuses_[0]; }

 private:
  const Engine& engine_;
  const Row& row_;
  const KeySchedule schedule_;
  const std::unique_ptr<EngineKey> key_;
  const Bytes aad_ = Bytes(row_.messages * row_.aad_bytes + 1, 0x62);
  Bytes data_ = Bytes(row_.messages * row_.bytes, 0x61), nonces_ = Bytes(12 * row_.messages, 0x07),
        tags_ = Bytes(16 * row_.messages);
  std::vector<int32_t> statuses_ = std::vector<int32_t>(row_.messages, -1);
};

TEST(Workspace, IsAllZeroAfterACall) {
  for (const Engine* const engine : emulated_engines()) {
    for (const Row& row : kRows) {
      if (batch_workspace_bytes(*engine, row.mode, row.messages, row.bytes) == 0) continue;
      SCOPED_TRACE(std::string(engine->kernel) + ", " + row.name);
      Workspace workspace(*engine, row);
      EXPECT_EQ(workspace.dirty_bytes(WARPAES_DIRECTION_ENCRYPT, 0), 0);
      EXPECT_EQ(workspace.dirty_bytes(WARPAES_DIRECTION_DECRYPT, 0), 0);
      EXPECT_EQ(workspace.status(), WARPAES_OK);
      EXPECT_EQ(workspace.dirty_bytes(WARPAES_DIRECTION_DECRYPT, 1), 0) << "of a tag that is wrong";
      EXPECT_EQ(workspace.status(), WARPAES_ERROR_AUTHENTICATION);
    }
  }
}

/// Sizes on both sides of where a form of the kernels begins or ends, and of where a quotient drops.
constexpr uint64_t kCounts[] = {1, 2, 3, 1000, 4096, 4097, 5461, 5462, 16384, 16385, 40'000},
                   kLengths[] = {0, 1, 1500, 16'384, 65'536, 70'000, 98'304, 1 << 20, 1 << 30};

TEST(Workspace, ServesFewerAndShorterMessages) {
  for (const Engine* const engine : emulated_engines()) {
    for (uint32_t mode = 1; mode < engine->modes.size(); mode++) {
      SCOPED_TRACE(std::string(engine->kernel) + ", " + mode_row(static_cast<warpaes_mode>(mode)).name);
      const auto needed = [&](uint64_t count, uint64_t length) {
        return batch_workspace_bytes(*engine, static_cast<warpaes_mode>(mode), count, length);
      };
      for (size_t c = 0; c < std::size(kCounts); c++) {
        for (size_t l = 0; l < std::size(kLengths); l++) {
          if (l > 0) {
            EXPECT_LE(needed(kCounts[c], kLengths[l - 1]), needed(kCounts[c], kLengths[l]));
          }
          // A single message may have a form of its own: engines/engine.hpp.
          if (c > 1) {
            EXPECT_LE(needed(kCounts[c - 1], kLengths[l]), needed(kCounts[c], kLengths[l]));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpaes::core
