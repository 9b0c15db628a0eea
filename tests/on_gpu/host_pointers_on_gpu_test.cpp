// Puts a pointer to host memory in the place of each pointer of a call on device memory, one at a time. The
// call must say so before it launches anything.
#include <cstring>

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
        EXPECT_EQ(call.run(cipher.get(), wrong, workspace, nullptr), WARPAES_ERROR_MEMORY_SPACE)
            << warpaes_last_error();
      }
    }
    EXPECT_EQ(call.run(cipher.get(), right, workspace, nullptr), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(memory.read() == image.after());
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
