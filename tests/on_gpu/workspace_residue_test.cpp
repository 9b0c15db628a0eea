// A call may leave nothing secret in the workspace that its caller lends it. Partial sums of GHASH would be
// enough to forge tags, because the hash key can be computed from them.
#include <algorithm>
#include <cstring>

#include "batches_on_device.hpp"
#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

/// Of nothing and of kUntouched: what a wipe, and memory that the call had no use for, look like.
size_t bytes_that_say_something(const Bytes& workspace) {
  return static_cast<size_t>(std::count_if(workspace.begin(), workspace.end(),
                                           [](uint8_t byte) { return byte != 0 && byte != kUntouched; }));
}

/// Are 16 bytes of `text` at a multiple of 16 anywhere in the workspace?
bool holds_a_block_of(const Bytes& workspace, const Bytes& text) {
  std::vector<std::string> blocks;
  for (size_t at = 0; at + 16 <= text.size(); at += 16) {
    blocks.emplace_back(reinterpret_cast<const char*>(text.data()) + at, 16);
  }
  std::sort(blocks.begin(), blocks.end());
  for (size_t at = 0; at + 16 <= workspace.size(); at += 4) {
    const std::string_view there(reinterpret_cast<const char*>(workspace.data()) + at, 16);
    if (std::binary_search(blocks.begin(), blocks.end(), there)) return true;
  }
  return false;
}

class WorkspaceResidue : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
  }
  /// Modes that authenticate leave nothing at all. The others, in place, keep a copy of ciphertext there,
  /// which is no secret; of plaintext they keep nothing.
  static void expect_no_secret(const DeviceCall& call, const Bytes& workspace, const Bytes& plaintext) {
    if (call.mode->info.authenticates != 0) {
      EXPECT_EQ(bytes_that_say_something(workspace), 0u) << "of " << workspace.size();
    } else {
      EXPECT_FALSE(holds_a_block_of(workspace, plaintext)) << "of " << workspace.size();
    }
  }
};

TEST_F(WorkspaceResidue, OfALongMessage) {
  const TestContext context("cuda");
  size_t gcm_workspace = 0;
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    for (const bool in_place : {false, true}) {
      SCOPED_TRACE(call.name() + (in_place ? ", in place" : ""));
      const ModeMessage message = message_of(
          *call.mode,
          {.length = call.quick_length(std::min<size_t>(8 << 20, extent_of_tests().longest_message))});
      const TestCipher cipher(context, call.mode->mode, message.key);
      const MessageOnDevice placed(call, cipher.get(), message, {.in_place = in_place});
      for (const bool damaged : {false, true}) {
        if (damaged && (call.direction == WARPAES_DIRECTION_ENCRYPT || !call.mode->can_refuse())) continue;
        damaged ? placed.damage() : placed.reset();
        EXPECT_EQ(placed.run(cipher.get(), nullptr), WARPAES_OK) << warpaes_last_error();
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_TRUE(damaged ? placed.is_refused() : placed.is_right());
        expect_no_secret(call, placed.workspace().read(), message.plaintext);
      }
      if (call.mode->mode == WARPAES_MODE_GCM) gcm_workspace = placed.workspace().size();
    }
  }
  EXPECT_GT(gcm_workspace, 0u) << "GCM of 8 MiB sums in a workspace, or there is nothing to look at";
}

TEST_F(WorkspaceResidue, OfBatches) {
  const TestContext context("cuda");
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    for (const bool key_each : {false, true}) {
      SCOPED_TRACE(call.name() + (key_each ? ", a key each" : ""));
      const BatchShape shape = {Layout::kRows, true, key_each};
      const size_t length = std::min<size_t>(64 << 10, extent_of_tests().longest_message / 8);
      const auto messages =
          messages_for(*call.mode, shape, 16, {.length = std::max<size_t>(call.quick_length(length), 100)});
      const TestCipher cipher(context, call.mode->mode, key_each ? Bytes() : messages.front().key);
      BatchOnDevice batch(call, cipher.get(), messages, shape);
      batch.hold(messages);
      EXPECT_EQ(batch.run(cipher.get(), nullptr), WARPAES_OK) << warpaes_last_error();
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      EXPECT_TRUE(batch.is_right());
      for (const ModeMessage& each : messages) {
        expect_no_secret(call, batch.workspace().read(), each.plaintext);
      }
    }
  }
}

/// What is there is found.
TEST(WorkspaceResidueControl, ABlockIsFound) {
  const Bytes text = bytes_from(1, 64);
  Bytes workspace(256, kUntouched);
  EXPECT_EQ(bytes_that_say_something(workspace), 0u);
  EXPECT_FALSE(holds_a_block_of(workspace, text));
  std::copy_n(text.begin() + 16, 16, workspace.begin() + 100);
  EXPECT_GT(bytes_that_say_something(workspace), 8u);
  EXPECT_TRUE(holds_a_block_of(workspace, text));
}

}  // namespace
}  // namespace warpaes::core::testing
