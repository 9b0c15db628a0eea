// A call on device memory asks the host for no memory: it may run while a graph is captured, and in threads
// that must not wait for an allocator.
#include <memory>

#include "batches_on_device.hpp"
#include "counted_allocations.hpp"
#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kMessages = 5, kLength = 6000;

/// Of the second call: the first one may find out what is asked once in a thread or a process.
void expect_no_allocation(const std::function<warpaes_status()>& run) {
  EXPECT_EQ(run(), WARPAES_OK) << warpaes_last_error();
  const uint64_t before = counted_allocations();
  const warpaes_status status = run();
  const uint64_t made = counted_allocations() - before;
  EXPECT_EQ(status, WARPAES_OK);
  EXPECT_EQ(made, 0u);
}

TEST(HostAllocations, AreCounted) {
  const uint64_t before = counted_allocations();
  const auto some = std::make_unique<Bytes>(100);
  EXPECT_EQ(counted_allocations() - before, 2u);
}

TEST(HostAllocations, NoMessageOnDeviceMemoryMakesOne) {
  const TestContext context("cuda");
  RefusedCalls refused;
  for (const DeviceCall& call : device_calls()) {
    for (const size_t length : {kLength / 60, kLength}) {
      const ModeMessage message = message_of(*call.mode, {.length = call.quick_length(length)});
      SCOPED_TRACE(call.name() + ", " + std::to_string(message.plaintext.size()) + " bytes");
      const TestCipher cipher(context, call.mode->mode, message.key);
      const MessageImage image(message, call.direction, {.in_place = false, .on_device = true});
      const DeviceBytes memory(image.before().size());
      const MessageCall arguments = image.arguments(memory.data());
      const DeviceBytes workspace(workspace_size(cipher.get(), call.direction, 1, arguments.message.length));
      const auto run = [&] { return call.run(cipher.get(), arguments.message, workspace, nullptr); };
      memory.write(image.before());
      if (!refused.has(call, message, Form::message, run)) expect_no_allocation(run);
    }
  }
}

TEST(HostAllocations, NoBatchOnDeviceMemoryMakesOne) {
  const TestContext context("cuda");
  RefusedCalls refused;
  for (const DeviceCall& call : device_calls()) {
    for (const Layout layout : kLayouts) {
      for (const bool key_each : {false, true}) {
        SCOPED_TRACE(call.name() + ", " + name_of(layout) + (key_each ? ", a key each" : ""));
        const BatchShape shape{layout, false, key_each};
        const auto messages = messages_for(*call.mode, shape, kMessages, {.length = 150});
        const TestCipher cipher(context, call.mode->mode, key_each ? Bytes() : messages.front().key);
        BatchOnDevice batch(call, cipher.get(), messages, shape);
        batch.hold(messages);
        const auto run = [&] { return batch.run(cipher.get(), nullptr); };
        if (!refused.has(call, messages.front(), Form::batch, run)) expect_no_allocation(run);
      }
    }
  }
}

}  // namespace
}  // namespace warpaes::core::testing
