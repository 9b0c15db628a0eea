// The same of containers: what is sealed and opened, in host memory and in device memory, while CUDA fails.
#include <algorithm>
#include <cstring>

#include "../c_api/container_for_tests.hpp"
#include "device_calls.hpp"
#include "failing_calls.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kPlaintextBytes = 2 * kChunk + 100, kChunks = 3;

class FailingContainerCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    const TestContext cpu("openssl");
    made_ = make(cpu, kPlaintextBytes, kChunks);
    ASSERT_EQ(warpaes_container_open(context_.get(), made_.key.data(), made_.key.size(), nullptr,
                                     made_.container.data(), &container_.handle),
              WARPAES_OK);
  }

  void fail_each(const Attempt& attempt) {
    for (const Fault& fault : kFaults) {
      goes_on_ = !fault.from_then_on;
      failed_ += fail_each_call(attempt, fault);
    }
    EXPECT_GT(failed_, 10u);
  }
  /// "All of the output is zero, or as much as a device that fails still reaches" (container.h): here it
  /// reaches all, unless it is the wipe that fails, or CUDA does no more.
  void expect_nothing_on(const DeviceBytes& output, const Bytes& before, const std::string& failed) const {
    if (goes_on_ && !failed.starts_with("cudaMemset")) expect_nothing_else(output.read(), before);
  }
  const uint8_t* sealed() const { return made_.container.data() + kHeader; }
  uint64_t sealed_bytes() const { return made_.container.size() - kHeader; }

  const TeamContext context_{kTeams[0]};  // others take a minute longer and make the same calls
  Made made_;
  ContainerHandle container_;
  uint64_t failed_ = 0;
  bool goes_on_ = true;  // does CUDA, after the call that fails?
};

TEST_F(FailingContainerCalls, OpenNothingInHostMemory) {
  Bytes output(kPlaintextBytes, kUntouched);
  const Bytes before = output;
  int32_t statuses[kChunks] = {};
  warpaes_chunks chunks = range(0, sealed(), sealed_bytes(), output.data(), output.size(), true);
  chunks.statuses = statuses;
  fail_each({.prepare =
                 [&] {
                   output = before;
                   std::ranges::fill(statuses, -1);
                 },
             .run = [&] { return warpaes_container_decrypt(container_.handle, &chunks); },
             .expect_right =
                 [&] {
                   EXPECT_TRUE(output == made_.plaintext);
                   EXPECT_EQ(std::ranges::count(statuses, WARPAES_OK), 3);
                 },
             .expect_undone =
                 [&](warpaes_status, const std::string&) {
                   expect_nothing_else(output, before);
                   EXPECT_EQ(std::ranges::count(statuses, WARPAES_OK), 0);
                 }});
}

TEST_F(FailingContainerCalls, SealNothingInHostMemory) {
  Bytes output(sealed_bytes(), kUntouched);
  const Bytes before = output;
  const warpaes_chunks chunks =
      range(0, made_.plaintext.data(), kPlaintextBytes, output.data(), output.size(), true);
  fail_each(
      {.prepare = [&] { output = before; },
       .run = [&] { return warpaes_container_encrypt(container_.handle, &chunks); },
       .expect_right = [&] { EXPECT_EQ(std::memcmp(output.data(), sealed(), output.size()), 0); },
       .expect_undone = [&](warpaes_status, const std::string&) { expect_nothing_else(output, before); }});
}

TEST_F(FailingContainerCalls, SealNothingOfDeviceMemory) {
  const DeviceBytes plaintext(kPlaintextBytes);
  plaintext.write(made_.plaintext);
  Bytes output(sealed_bytes(), kUntouched);
  const Bytes before = output;
  warpaes_chunks chunks = range(0, plaintext.data(), kPlaintextBytes, output.data(), output.size(), true);
  chunks.on_device = 1;
  fail_each(
      {.prepare = [&] { output = before; },
       .run = [&] { return warpaes_container_encrypt(container_.handle, &chunks); },
       .expect_right = [&] { EXPECT_EQ(std::memcmp(output.data(), sealed(), output.size()), 0); },
       .expect_undone = [&](warpaes_status, const std::string&) { expect_nothing_else(output, before); }});
}

TEST_F(FailingContainerCalls, OpenNothingInDeviceMemory) {
  const DeviceBytes output(kPlaintextBytes);
  const Bytes before(kPlaintextBytes, kUntouched);
  int32_t statuses[kChunks] = {};
  warpaes_chunks chunks = range(0, sealed(), sealed_bytes(), output.data(), kPlaintextBytes, true);
  chunks.on_device = 1;
  chunks.statuses = statuses;
  fail_each({.prepare =
                 [&] {
                   output.write(before);
                   std::ranges::fill(statuses, -1);
                 },
             .run = [&] { return warpaes_container_decrypt(container_.handle, &chunks); },
             .expect_right = [&] { EXPECT_TRUE(output.read() == made_.plaintext); },
             .expect_undone =
                 [&](warpaes_status, const std::string& failed) {
                   EXPECT_EQ(std::ranges::count(statuses, WARPAES_OK), 0);
                   expect_nothing_on(output, before, failed);
                 }});
}

TEST_F(FailingContainerCalls, ReadNothing) {
  for (const bool on_device : {false, true}) {
    SCOPED_TRACE(on_device ? "to device memory" : "to host memory");
    auto source = sized<warpaes_container_source>();
    source.length = made_.container.size();
    source.user = made_.container.data();
    source.on_device = on_device ? 1 : 0;
    source.read = [](void* user, uint64_t offset, void* into, uint64_t length) -> int32_t {
      std::memcpy(into, static_cast<const uint8_t*>(user) + offset, length);
      return 0;
    };
    const DeviceBytes device(kPlaintextBytes);
    Bytes host(kPlaintextBytes, kUntouched);
    const Bytes before = host;
    uint64_t got = 0;
    const auto run = [&] {
      uint8_t* const into = on_device ? device.data() : host.data();
      return warpaes_container_read(container_.handle, &source, 0, into, kPlaintextBytes, &got);
    };
    fail_each({.prepare =
                   [&] {
                     host = before;
                     device.write(before);
                   },
               .run = run,
               .expect_right = [&] { EXPECT_TRUE((on_device ? device.read() : host) == made_.plaintext); },
               .expect_undone =
                   [&](warpaes_status, const std::string& failed) {
                     EXPECT_EQ(got, 0u);
                     expect_nothing_else(host, before);
                     expect_nothing_on(device, before, failed);
                   }});
  }
}

/// Either there is memory, and it is zero, or there is none.
TEST(FailingCallsOfPinnedMemory, GiveNone) {
  const TeamContext context(kTeams[0]);
  void* memory = nullptr;
  const Attempt attempt{
      .prepare = [&] { memory = &memory; },
      .run = [&] { return warpaes_host_alloc(context.get(), 100, &memory); },
      .expect_right =
          [&] {
            const Bytes zero(100);
            EXPECT_EQ(std::memcmp(memory, zero.data(), zero.size()), 0);
            EXPECT_EQ(warpaes_host_free(context.get(), memory), WARPAES_OK);
          },
      .expect_undone = [&](warpaes_status, const std::string&) { EXPECT_EQ(memory, nullptr); }};
  for (const Fault& fault : kFaults) fail_each_call(attempt, fault);
}

}  // namespace
}  // namespace warpaes::core::testing
