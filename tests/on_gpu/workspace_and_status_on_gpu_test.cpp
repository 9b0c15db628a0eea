// What a call on device memory needs besides its message: a workspace that is large enough, aligned, on the
// device and apart from the message; and a status where only that tells what became of a message.
#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

class WorkspaceAndStatus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    context_ = std::make_unique<TestContext>("cuda");
  }
  std::unique_ptr<TestContext> context_;
};

/// The recommended one; SIV's is optional, and to have one is what it needs a workspace for.
size_t nonce_length_for(warpaes_mode mode) { return mode == WARPAES_MODE_SIV ? 16 : 0; }

/// One message and a workspace that is just large enough.
struct Prepared {
  const DeviceCall& call;
  const ModeMessage message;
  const TestCipher cipher;
  const MessageImage image;
  const DeviceBytes memory;
  const warpaes_message arguments;
  const size_t needed;
  const DeviceBytes workspace;

  Prepared(const TestContext& context, const DeviceCall& of)
      : call(of),
        message(message_of(*of.mode, {.length = 4096, .nonce_length = nonce_length_for(of.mode->mode)})),
        cipher(context, of.mode->mode, message.key),
        image(message, of.direction, {.on_device = true}),
        memory(image.before().size()),
        arguments(image.arguments(memory.data()).message),
        needed(workspace_size(cipher.get(), of.direction, 1, arguments.length)),
        workspace(needed + 16) {
    memory.write(image.before());
  }
  warpaes_status run(const warpaes_message& with, void* at, size_t size) const {
    const auto function =
        call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_device : warpaes_decrypt_device;
    return function(cipher.get(), &with, at, size, nullptr);
  }
  warpaes_status run(const warpaes_message& with) const { return run(with, workspace.data(), needed); }
};

/// The decryption of modes that chain works in place without a workspace, only slower.
bool can_do_without(const DeviceCall& call) {
  return call.direction == WARPAES_DIRECTION_DECRYPT &&
         (call.mode->mode == WARPAES_MODE_CBC || call.mode->mode == WARPAES_MODE_CFB);
}

TEST_F(WorkspaceAndStatus, AWrongWorkspaceIsRefused) {
  int with_workspace = 0;
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    SCOPED_TRACE(call.name());
    const Prepared made(*context_, call);
    const warpaes_message& message = made.arguments;
    if (made.needed == 0 || can_do_without(call)) continue;
    with_workspace++;
    Bytes host(made.needed + 16);
    uint8_t* const aligned = host.data() + (16 - reinterpret_cast<uintptr_t>(host.data()) % 16) % 16;
    EXPECT_EQ(made.run(message, nullptr, 0), WARPAES_ERROR_WORKSPACE);
    EXPECT_EQ(made.run(message, made.workspace.data(), made.needed - 1), WARPAES_ERROR_WORKSPACE);
    EXPECT_EQ(made.run(message, made.workspace.data() + 1, made.needed), WARPAES_ERROR_WORKSPACE);
    EXPECT_EQ(made.run(message, aligned, made.needed), WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(made.run(message, const_cast<void*>(message.input), made.needed), WARPAES_ERROR_OVERLAP);
    const DeviceBytes large(made.needed + message.length);
    for (auto member : {&warpaes_message::output, &warpaes_message::tag}) {
      if (message.*member == nullptr) continue;
      warpaes_message inside = message;
      inside.*member = large.data() + made.needed - 16;
      EXPECT_EQ(made.run(inside, large.data(), made.needed), WARPAES_ERROR_OVERLAP);
    }
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(made.memory.read() == made.image.before());
  }
  EXPECT_GT(with_workspace, 0);
}

TEST_F(WorkspaceAndStatus, AMissingOrMisalignedStatusIsRefused) {
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    if (call.direction == WARPAES_DIRECTION_ENCRYPT || !call.mode->can_refuse()) continue;
    SCOPED_TRACE(call.name());
    const Prepared made(*context_, call);
    warpaes_message message = made.arguments;
    message.status = nullptr;
    EXPECT_EQ(made.run(message), WARPAES_ERROR_NULL_POINTER);
    message.status = reinterpret_cast<int32_t*>(reinterpret_cast<uintptr_t>(made.arguments.status) + 1);
    EXPECT_EQ(made.run(message), WARPAES_ERROR_OPTION);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(made.memory.read() == made.image.before());
  }
}

/// Batches need statuses if they have arrays, whose entries may be wrong, and where one message can fail.
TEST_F(WorkspaceAndStatus, BatchesNeedStatusesWhereOnlyTheyTell) {
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    for (const Layout layout : {Layout::kRows, Layout::kPointers}) {
      SCOPED_TRACE(call.name() + ", " + name_of(layout));
      const BatchShape shape = {.layout = layout, .on_device = true};
      const auto messages = messages_for(*call.mode, shape, 3, {.length = 48});
      const TestCipher cipher(*context_, call.mode->mode, messages.front().key);
      BatchImage image(messages, call.direction, shape);
      const DeviceBytes memory(image.size()), statuses(64);
      warpaes_batch batch = image.place_at(memory.data());
      memory.write(image.before());
      const DeviceBytes workspace(workspace_size(cipher.get(), call.direction, 3, batch.length));
      const auto run = call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch_device
                                                                   : warpaes_decrypt_batch_device;
      const auto status = [&] {
        return run(cipher.get(), &batch, workspace.data(), workspace.size(), nullptr);
      };
      batch.statuses = reinterpret_cast<int32_t*>(statuses.data() + 1);
      EXPECT_EQ(status(), WARPAES_ERROR_OPTION) << "not aligned, which would cost the process its GPU";
      batch.statuses = nullptr;
      const bool can_fail = call.direction == WARPAES_DIRECTION_DECRYPT && call.mode->can_refuse();
      const bool needed = layout == Layout::kPointers || can_fail;
      EXPECT_EQ(status(), needed ? WARPAES_ERROR_NULL_POINTER : WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
  }
}

/// A caller allocates once, for the largest batch there will be.
TEST_F(WorkspaceAndStatus, OneForTheLargestBatchServesAllOthers) {
  constexpr uint64_t kCounts[] = {1, 2, 100, 4096, 4097, 5461, 5462, 40'000},
                     kLengths[] = {16, 1536, 65'536, 1 << 20};
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    SCOPED_TRACE(call.name());
    const Prepared made(*context_, call);
    for (size_t c = 1; c < std::size(kCounts); c++) {
      for (size_t l = 1; l < std::size(kLengths); l++) {
        const auto size = [&](size_t count, size_t length) {
          return workspace_size(made.cipher.get(), call.direction, kCounts[count], kLengths[length]);
        };
        EXPECT_LE(size(c - 1, l), size(c, l)) << kCounts[c] << " messages of " << kLengths[l] << " bytes";
        EXPECT_LE(size(c, l - 1), size(c, l)) << kCounts[c] << " messages of " << kLengths[l] << " bytes";
      }
    }
  }
}

TEST_F(WorkspaceAndStatus, ThereAreNoWorkspacesForImpossibleBatches) {
  const TestCipher gcm(*context_, WARPAES_MODE_GCM, Bytes(16));
  constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT;
  size_t size = 1;
  EXPECT_EQ(warpaes_workspace_size(gcm.get(), kEncrypt, 1, uint64_t{1} << 36, &size), WARPAES_ERROR_LENGTH);
  EXPECT_EQ(warpaes_workspace_size(gcm.get(), kEncrypt, ~uint64_t{0}, 1, &size), WARPAES_ERROR_LENGTH);
  EXPECT_EQ(warpaes_workspace_size(gcm.get(), 2, 1, 1, &size), WARPAES_ERROR_OPTION);
}

}  // namespace
}  // namespace warpaes::core::testing
