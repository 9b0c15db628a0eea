// CUDA does not survive a fork. Calls in the child must say so, automatic choice must go on there on the CPU,
// and the parent must keep its GPU.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "device_calls.hpp"

namespace warpaes::core::testing {
namespace {

TEST(ForkOnGpu, TheChildIsToldSoAndTheParentGoesOn) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext on_gpu("cuda"), automatic("auto");
  const DeviceCall call = device_call(WARPAES_MODE_ECB, WARPAES_DIRECTION_ENCRYPT);
  const ModeMessage message = message_of(*call.mode, {.length = 16});
  const TestCipher forced(on_gpu, call.mode->mode, message.key),
      chosen(automatic, call.mode->mode, message.key);
  const MessageOnDevice placed(call, forced.get(), message);
  const MessageImage image(message, call.direction, {});
  Bytes memory = image.before();
  const MessageCall on_host = image.arguments(memory.data());
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    const bool right = placed.run(forced.get(), nullptr) == WARPAES_ERROR_FORKED &&
                       warpaes_encrypt(forced.get(), &on_host.message) == WARPAES_ERROR_FORKED &&
                       warpaes_encrypt(chosen.get(), &on_host.message) == WARPAES_OK &&
                       warpaes_device_get(0, nullptr) == WARPAES_ERROR_NO_DEVICE;
    _exit(right ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << result;
  EXPECT_EQ(placed.run(forced.get(), nullptr), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(placed.is_right());
}

/// CUDA shares page-locked memory with a child, which may all the same destroy what it was given.
TEST(ForkOnGpu, WhatTheChildDestroysStaysTheParents) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  constexpr size_t kBytes = 1 << 20;
  warpaes_context* context = nullptr;
  ASSERT_EQ(warpaes_context_create(nullptr, &context), WARPAES_OK);
  std::array<void*, 2> memory{};
  for (void*& each : memory) {
    ASSERT_EQ(warpaes_host_alloc(context, kBytes, &each), WARPAES_OK);
    std::memset(each, 0x5a, kBytes);
  }
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    const bool right = warpaes_host_free(context, memory[0]) == WARPAES_OK;
    warpaes_context_destroy(context);  // with the rest of its memory
    _exit(right ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << result;
  for (void* const each : memory) {
    EXPECT_EQ(Bytes(static_cast<uint8_t*>(each), static_cast<uint8_t*>(each) + kBytes), Bytes(kBytes, 0x5a));
    EXPECT_EQ(warpaes_host_free(context, each), WARPAES_OK);
  }
  warpaes_context_destroy(context);
}

}  // namespace
}  // namespace warpaes::core::testing
