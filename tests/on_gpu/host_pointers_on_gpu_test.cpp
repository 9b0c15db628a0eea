// Puts a pointer to host memory in the place of each pointer of a call on device memory, one at a time. The
// call must say so before it launches anything.
#include <algorithm>
#include <cstring>
#include <span>

#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

class HostPointers : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    context_ = std::make_unique<TestContext>("cuda");
    EXPECT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned_), kBytes), cudaSuccess);
  }
  void TearDown() override { cudaFreeHost(pinned_); }

  static constexpr size_t kBytes = 1 << 16;
  std::unique_ptr<TestContext> context_;
  Bytes pageable_ = Bytes(kBytes);
  uint8_t* pinned_ = nullptr;
};

template <class Pointer>
void point(Pointer& pointer, uint8_t* to) {
  if (pointer != nullptr) pointer = reinterpret_cast<Pointer>(to);
}

using SpoilMessage = void (*)(warpaes_message& message, uint8_t* host);
constexpr SpoilMessage kMessageSpoils[] = {
    [](warpaes_message& m, uint8_t* host) { point(m.input, host); },
    [](warpaes_message& m, uint8_t* host) { point(m.output, host); },
    [](warpaes_message& m, uint8_t* host) { point(m.aad, host); },
    [](warpaes_message& m, uint8_t* host) { point(m.tag, host); },
    [](warpaes_message& m, uint8_t* host) { point(m.status, host); },
    [](warpaes_message& m, uint8_t* host) { point(m.output_length, host); },
};

TEST_F(HostPointers, InMessagesAreRefused) {
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    SCOPED_TRACE(call.name());
    const ModeMessage message = message_of(*call.mode, {.length = 48});
    const TestCipher cipher(*context_, call.mode->mode, message.key);
    const MessageImage image(message, call.direction, {.on_device = true});
    const DeviceBytes memory(image.before().size());
    memory.write(image.before());
    const warpaes_message right = image.arguments(memory.data()).message;
    const DeviceBytes workspace(workspace_size(cipher.get(), call.direction, 1, right.length));
    for (const SpoilMessage spoil : kMessageSpoils) {
      for (uint8_t* const host : {pageable_.data(), pinned_}) {
        warpaes_message wrong = right;
        spoil(wrong, host);
        if (std::memcmp(&wrong, &right, sizeof wrong) == 0) continue;
        if (host == pinned_ && wrong.status != right.status) continue;  // is allowed
        EXPECT_EQ(call.run(cipher.get(), wrong, workspace, nullptr), WARPAES_ERROR_MEMORY_SPACE)
            << warpaes_last_error();
      }
    }
    EXPECT_EQ(call.run(cipher.get(), right, workspace, nullptr), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(memory.read() == image.after());
  }
}

constexpr int32_t kUntouched = 77;

/// The host reads it there without a copy.
TEST_F(HostPointers, AStatusMayBePageLocked) {
  auto* const status = reinterpret_cast<int32_t*>(pinned_);
  int refused = 0;
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    if (call.direction == WARPAES_DIRECTION_ENCRYPT || !call.mode->can_refuse()) continue;
    SCOPED_TRACE(call.name());
    const ModeMessage message = message_of(*call.mode, {.length = 48});
    const TestCipher cipher(*context_, call.mode->mode, message.key);
    const MessageImage image(message, call.direction, {.on_device = true});
    const DeviceBytes memory(image.before().size());
    warpaes_message arguments = image.arguments(memory.data()).message;
    arguments.status = status;
    const DeviceBytes workspace(workspace_size(cipher.get(), call.direction, 1, arguments.length));
    const auto run = [&] {
      *status = kUntouched;
      EXPECT_EQ(call.run(cipher.get(), arguments, workspace, nullptr), WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      return *status;
    };
    memory.write(image.before());
    EXPECT_EQ(run(), WARPAES_OK);
    if (!call.mode->info.authenticates) continue;
    memory.write(Bytes(image.before().size(), 0xa5));
    EXPECT_EQ(run(), WARPAES_ERROR_AUTHENTICATION);
    refused++;
  }
  EXPECT_GT(refused, 6);
}

TEST_F(HostPointers, StatusesOfABatchMayBePageLocked) {
  constexpr size_t kMessages = 3;
  const std::span<int32_t> statuses(reinterpret_cast<int32_t*>(pinned_), kMessages);
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    if (call.direction == WARPAES_DIRECTION_ENCRYPT || !call.mode->can_refuse()) continue;
    SCOPED_TRACE(call.name());
    const BatchShape shape = {.layout = Layout::kPointers, .on_device = true};
    const auto messages = messages_for(*call.mode, shape, kMessages, {.length = 48});
    const TestCipher cipher(*context_, call.mode->mode, messages.front().key);
    BatchImage image(messages, call.direction, shape);
    const DeviceBytes memory(image.size());
    warpaes_batch batch = image.place_at(memory.data());
    memory.write(image.before());
    const DeviceBytes workspace(workspace_size(cipher.get(), call.direction, kMessages, batch.length));
    std::ranges::fill(statuses, kUntouched);
    batch.statuses = statuses.data();
    EXPECT_EQ(warpaes_decrypt_batch_device(cipher.get(), &batch, workspace.data(), workspace.size(), nullptr),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (const int32_t status : statuses) EXPECT_EQ(status, WARPAES_OK);
  }
}

template <class Place>
void point_place(Place& place, uint8_t* to) {
  point(place.data, to);
  point(place.pointers, to);
}

using SpoilBatch = void (*)(warpaes_batch& batch, uint8_t* host);
constexpr SpoilBatch kBatchSpoils[] = {
    [](warpaes_batch& b, uint8_t* host) { point_place(b.input, host); },
    [](warpaes_batch& b, uint8_t* host) { point_place(b.output, host); },
    [](warpaes_batch& b, uint8_t* host) { point_place(b.nonces, host); },
    [](warpaes_batch& b, uint8_t* host) { point_place(b.aad, host); },
    [](warpaes_batch& b, uint8_t* host) { point_place(b.tags, host); },
    [](warpaes_batch& b, uint8_t* host) { point_place(b.keys, host); },
    [](warpaes_batch& b, uint8_t* host) { point(b.lengths, host); },
    [](warpaes_batch& b, uint8_t* host) { point(b.aad_lengths, host); },
    [](warpaes_batch& b, uint8_t* host) { point(b.output_lengths, host); },
    [](warpaes_batch& b, uint8_t* host) { point(b.statuses, host); },
};

TEST_F(HostPointers, InBatchesAreRefused) {
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    for (const Layout layout : kLayouts) {
      for (const bool key_each : {false, true}) {
        SCOPED_TRACE(call.name() + ", " + name_of(layout) + (key_each ? ", a key each" : ""));
        const BatchShape shape = {.layout = layout, .key_each = key_each, .on_device = true};
        const auto messages = messages_for(*call.mode, shape, 3, {.length = 48});
        const TestCipher cipher(*context_, call.mode->mode, key_each ? Bytes() : messages.front().key);
        BatchImage image(messages, call.direction, shape);
        const DeviceBytes memory(image.size());
        const warpaes_batch right = image.place_at(memory.data());
        memory.write(image.before());
        const DeviceBytes workspace(workspace_size(cipher.get(), call.direction, 3, right.length));
        const auto run = call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch_device
                                                                     : warpaes_decrypt_batch_device;
        for (const SpoilBatch spoil : kBatchSpoils) {
          warpaes_batch wrong = right;
          spoil(wrong, pageable_.data());
          if (std::memcmp(&wrong, &right, sizeof wrong) == 0) continue;
          EXPECT_EQ(run(cipher.get(), &wrong, workspace.data(), workspace.size(), nullptr),
                    WARPAES_ERROR_MEMORY_SPACE)
              << warpaes_last_error();
        }
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_TRUE(memory.read() == image.before());
      }
    }
  }
}

}  // namespace
}  // namespace warpaes::core::testing
