// Every call of CUDA that the library makes fails, once or with all that follow, which no GPU can be made to
// do. The library says so or does without it, leaves no half of an output, and works again as soon as CUDA
// does.
#include "failing_calls.hpp"

#include <algorithm>

#include "batches_on_device.hpp"
#include "posed_memory.hpp"
#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kLength = 150, kMessages = 5, kLong = 6000;

/// Those of each kind of work that can be shared, where there are several who share it.
constexpr warpaes_mode kSharedModes[] = {WARPAES_MODE_CTR, WARPAES_MODE_XTS, WARPAES_MODE_GCM,
                                         WARPAES_MODE_CBC_PKCS7, WARPAES_MODE_GCM_SIV};

class FailingCalls : public ::testing::TestWithParam<size_t> {
 protected:
  std::vector<DeviceCall> calls() const {
    std::vector<DeviceCall> calls = device_calls();
    if (!team_.in_pieces) return calls;
    std::erase_if(calls, [](const DeviceCall& call) {
      return std::ranges::find(kSharedModes, call.mode->mode) == std::end(kSharedModes);
    });
    return calls;
  }

  // In what follows, calls differ as if by chance: each in all ways would take minutes.
  void next_turn() { bits_ = 0x9e3779b9u * ++turn_ >> 29; }
  bool is_in_place() const { return (bits_ & 1) != 0; }
  bool has_key_each() const { return (bits_ & 2) != 0; }
  const Fault& fault() const { return kFaults[bits_ >> 2]; }

  const Team& team_ = kTeams[GetParam()];
  const TeamContext context_{team_};

 private:
  uint32_t turn_ = 0, bits_ = 0;
};

TEST_P(FailingCalls, LeaveMessagesInHostMemoryAsTheyWereOrZero) {
  uint64_t failed = 0;
  for (const DeviceCall& call : calls()) {
    next_turn();
    SCOPED_TRACE(call.name());
    const ModeMessage message = message_of(*call.mode, {.length = call.quick_length(kLong)});
    const TestCipher cipher(context_, call.mode->mode, message.key);
    const MessageImage image(message, call.direction, {.in_place = is_in_place()});
    Bytes memory = image.before();
    const MessageCall arguments = image.arguments(memory.data());
    const auto run = call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt : warpaes_decrypt;
    failed += fail_each_call(
        {.prepare = [&] { std::ranges::copy(image.before(), memory.begin()); },
         .run = [&] { return run(cipher.get(), &arguments.message); },
         .expect_right = [&] { EXPECT_TRUE(memory == image.after()); },
         .expect_undone = [&](warpaes_status,
                              const std::string&) { expect_nothing_else(memory, image.before()); }},
        fault());
    if (HasFailure()) return;
  }
  EXPECT_GT(failed, 100u);
}

TEST_P(FailingCalls, LeaveBatchesInHostMemoryAsTheyWereOrZero) {
  uint64_t failed = 0;
  for (const DeviceCall& call : calls()) {
    next_turn();
    const bool key_each = has_key_each();
    SCOPED_TRACE(call.name() + (key_each ? ", a key each" : ""));
    const BatchShape shape{Layout::kPointers, is_in_place(), key_each};
    const auto messages = messages_for(*call.mode, shape, kMessages, {.length = kLength});
    const TestCipher cipher(context_, call.mode->mode, key_each ? Bytes() : messages.front().key);
    BatchImage image(messages, call.direction, shape);
    Bytes memory(image.size());
    const warpaes_batch batch = image.place_at(memory.data());
    const auto run =
        call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch : warpaes_decrypt_batch;
    failed += fail_each_call({.prepare = [&] { std::ranges::copy(image.before(), memory.begin()); },
                              .run = [&] { return run(cipher.get(), &batch); },
                              .expect_right = [&] { EXPECT_TRUE(memory == image.after()); },
                              .expect_undone =
                                  [&](warpaes_status status, const std::string&) {
                                    expect_nothing_else(memory, image.before(), batch.statuses, kMessages);
                                    for (size_t m = 0; batch.statuses != nullptr && m < kMessages; m++)
                                      EXPECT_EQ(static_cast<warpaes_status>(batch.statuses[m]), status)
                                          << "of message " << m;
                                  }},
                             fault());
    if (HasFailure()) return;
  }
  EXPECT_GT(failed, 100u);
}

INSTANTIATE_TEST_SUITE_P(All, FailingCalls, ::testing::Range<size_t>(0, std::size(kTeams)),
                         [](const auto& row) { return kTeams[row.param].name; });

/// Where memory of the device is the caller's, its contents may not be relied on when a call fails.
TEST(FailingCallsOnDeviceMemory, AreTold) {
  const TeamContext context(kTeams[0]);
  uint64_t failed = 0;
  for (const DeviceCall& call : device_calls()) {
    for (const bool key_each : {false, true}) {
      SCOPED_TRACE(call.name() + (key_each ? ", a key each" : ""));
      const BatchShape shape{Layout::kPointers, false, key_each};
      const auto messages = messages_for(*call.mode, shape, kMessages, {.length = kLength});
      const TestCipher cipher(context, call.mode->mode, key_each ? Bytes() : messages.front().key);
      BatchOnDevice batch(call, cipher.get(), messages, shape);
      RefusedCalls refused;
      batch.hold(messages);
      const auto run = [&] { return batch.run(cipher.get(), nullptr); };
      if (refused.has(call, messages.front(), Form::batch, run)) continue;
      const Attempt attempt{.prepare = [&] { batch.hold(messages); },
                            .run = run,
                            .expect_right = [&] { EXPECT_TRUE(batch.is_right()); },
                            .expect_undone = [](warpaes_status, const std::string&) {}};
      for (const Fault& fault : kFaults) failed += fail_each_call(attempt, fault);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(failed, 300u);
}

/// Memory that cannot be wiped, or whose device cannot be made current, is kept rather than handed on. All
/// other memory is given back.
TEST(FailingCallsOfMemory, LoseNone) {
  uint64_t failures = 0;
  for (const Team& team : kTeams) {
    for (const warpaes_mode mode : {WARPAES_MODE_CTR, WARPAES_MODE_GCM}) {
      const DeviceCall call = device_call(mode, WARPAES_DIRECTION_ENCRYPT);
      const ModeMessage message = message_of(*call.mode, {.length = kLong});
      const MessageImage image(message, call.direction, {});
      Bytes memory = image.before();
      const MessageCall arguments = image.arguments(memory.data());
      std::string failed = "none yet";
      for (uint64_t number = 0; !failed.empty(); number++) {
        const size_t before = posed::allocations_now();
        {
          const TeamContext context(team);
          const TestCipher cipher(context, mode, message.key);
          posed::begin_faults({number, cudaErrorUnknown, false});
          warpaes_encrypt(cipher.get(), &arguments.message);
        }
        failed = posed::end_faults();
        const bool keeps =
            failed.starts_with("cudaMemset") || failed == "cudaGetDevice" || failed == "cudaSetDevice";
        EXPECT_LE(posed::allocations_now() - before, keeps ? 1u : 0u)
            << team.name << ", " << call.name() << ": call " << number << ", " << failed;
        failures++;
      }
    }
  }
  EXPECT_GT(failures, 200u);
}

TEST(FailingCallsOfContexts, MakeNone) {
  for (const Team& team : kTeams) {
    SCOPED_TRACE(team.name);
    warpaes_context* context = nullptr;
    const auto create = [&] {
      warpaes_context_options wanted = options_of(team);
      context = reinterpret_cast<warpaes_context*>(&wanted);
      return warpaes_context_create(&wanted, &context);
    };
    const Attempt attempt{
        .prepare = [] {},
        .run = create,
        .expect_right =
            [&] {
              EXPECT_NE(context, nullptr);
              warpaes_context_destroy(context);
            },
        .expect_undone = [&](warpaes_status, const std::string&) { EXPECT_EQ(context, nullptr); }};
    for (const Fault& fault : kFaults) fail_each_call(attempt, fault);
  }
}

}  // namespace
}  // namespace warpaes::core::testing
