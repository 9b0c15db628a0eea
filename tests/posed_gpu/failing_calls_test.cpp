// Every call of CUDA that the library makes fails, once or with all that follow, which no GPU can be made to
// do. The library says so or does without it, leaves no half of an output, and works again as soon as CUDA
// does.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "batches_on_device.hpp"
#include "c_api/handles.hpp"
#include "pipeline/context_state.hpp"
#include "posed_faults.hpp"
#include "posed_memory.hpp"
#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kLength = 150, kMessages = 5, kLong = 6000;

/// So small that a short message has several pieces.
constexpr TransferSizes kSmall{.least_for_gpu = 1,
                               .slots = 2,
                               .piece = 4 << 10,
                               .copied_piece = 3 << 10,
                               .read_piece = 4 << 10,
                               .chained_piece = 8 << 10,
                               .least_piece = 1 << 10,
                               .cpu_piece = 1 << 10};

/// Who works on host memory.
struct Team {
  const char* name;
  const char* engine;
  size_t devices;  // 0: the first one
  bool in_pieces;
};
constexpr Team kTeams[] = {{"OneGpu", "cuda", 0, false},
                           {"TwoGpusInPieces", "cuda", WARPAES_ALL_DEVICES, true},
                           {"CpuAndTwoGpusInPieces", "auto", WARPAES_ALL_DEVICES, true}};

class TeamContext {
 public:
  explicit TeamContext(const Team& team) {
    warpaes_context_options wanted = options(team.engine, 2);
    wanted.device_count = team.devices;
    EXPECT_EQ(warpaes_context_create(&wanted, &handle_), WARPAES_OK) << warpaes_last_error();
    if (!team.in_pieces) return;
    Context::State& state = handle_->context.state();
    state.sizes = kSmall;
    for (const WorkKind kind : {WorkKind::stream, WorkKind::gcm, WorkKind::chained})
      state.speeds.set(kind, {.with_gpu_pageable = 1e15, .with_gpu_pinned = 1e15});
  }
  ~TeamContext() { warpaes_context_destroy(handle_); }
  TeamContext(const TeamContext&) = delete;
  TeamContext& operator=(const TeamContext&) = delete;
  warpaes_context* get() const { return handle_; }

 private:
  warpaes_context* handle_ = nullptr;
};

class Cipher {
 public:
  Cipher(const TeamContext& context, warpaes_mode mode, const Bytes& key) {
    EXPECT_EQ(
        warpaes_cipher_create(context.get(), mode, key.empty() ? nullptr : key.data(), key.size(), &handle_),
        WARPAES_OK)
        << warpaes_last_error();
  }
  ~Cipher() { warpaes_cipher_destroy(handle_); }
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;
  warpaes_cipher* get() const { return handle_; }

 private:
  warpaes_cipher* handle_ = nullptr;
};

/// A call, what it needs before it, and what has to be true afterwards.
struct Attempt {
  std::function<void()> prepare;
  std::function<warpaes_status()> run;
  std::function<void()> expect_right;
  std::function<void(warpaes_status)> expect_undone;
};

bool is_of_the_machine(warpaes_status status) {
  return status == WARPAES_ERROR_CUDA || status == WARPAES_ERROR_DEVICE_MEMORY ||
         status == WARPAES_ERROR_HOST_MEMORY || status == WARPAES_ERROR_NO_DEVICE;
}

/// After the machine has failed there is in the caller's memory what was there, or zero, or a status.
void expect_nothing_else(const Bytes& memory, const Bytes& before, const int32_t* statuses = nullptr,
                         size_t count = 0) {
  size_t found = 0;
  for (size_t at = 0; at < memory.size(); at++) {
    const auto* const address = memory.data() + at;
    const auto* const first = reinterpret_cast<const uint8_t*>(statuses);
    const bool is_status = statuses != nullptr && address >= first && address < first + 4 * count;
    found += memory[at] != before[at] && memory[at] != 0 && !is_status;
  }
  EXPECT_EQ(found, 0u) << "bytes of something else";
}

struct Fault {
  cudaError_t error;
  bool from_then_on;
};
constexpr Fault kFaults[] = {{cudaErrorUnknown, false}, {cudaErrorMemoryAllocation, true}};

/// @return how many calls of CUDA have failed
uint64_t fail_each_call(const Attempt& attempt, const Fault& fault) {
  for (uint64_t number = 0;; number++) {
    attempt.prepare();
    posed::begin_faults({number, fault.error, fault.from_then_on});
    const warpaes_status status = attempt.run();
    const std::string failed = posed::end_faults();
    SCOPED_TRACE("call " + std::to_string(number) + " (" + (failed.empty() ? "none" : failed) + ")" +
                 (fault.from_then_on ? " and all others" : "") + " failed: " + warpaes_status_name(status) +
                 (status == WARPAES_OK ? "" : std::string(", ") + warpaes_last_error()));
    if (status == WARPAES_OK) {
      attempt.expect_right();
    } else {
      EXPECT_TRUE(is_of_the_machine(status));
      EXPECT_FALSE(failed.empty()) << "without a fault";
      attempt.expect_undone(status);
    }
    attempt.prepare();
    EXPECT_EQ(attempt.run(), WARPAES_OK) << "afterwards: " << warpaes_last_error();
    attempt.expect_right();
    if (failed.empty() || ::testing::Test::HasFailure()) return number;
  }
}

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
    const Cipher cipher(context_, call.mode->mode, message.key);
    const MessageImage image(message, call.direction, {.in_place = is_in_place()});
    Bytes memory = image.before();
    const MessageCall arguments = image.arguments(memory.data());
    const auto run = call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt : warpaes_decrypt;
    failed += fail_each_call(
        {.prepare = [&] { std::ranges::copy(image.before(), memory.begin()); },
         .run = [&] { return run(cipher.get(), &arguments.message); },
         .expect_right = [&] { EXPECT_TRUE(memory == image.after()); },
         .expect_undone = [&](warpaes_status) { expect_nothing_else(memory, image.before()); }},
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
    const Cipher cipher(context_, call.mode->mode, key_each ? Bytes() : messages.front().key);
    BatchImage image(messages, call.direction, shape);
    Bytes memory(image.size());
    const warpaes_batch batch = image.place_at(memory.data());
    const auto run =
        call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch : warpaes_decrypt_batch;
    failed += fail_each_call({.prepare = [&] { std::ranges::copy(image.before(), memory.begin()); },
                              .run = [&] { return run(cipher.get(), &batch); },
                              .expect_right = [&] { EXPECT_TRUE(memory == image.after()); },
                              .expect_undone =
                                  [&](warpaes_status status) {
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
      const Cipher cipher(context, call.mode->mode, key_each ? Bytes() : messages.front().key);
      BatchOnDevice batch(call, cipher.get(), messages, shape);
      RefusedCalls refused;
      batch.hold(messages);
      const auto run = [&] { return batch.run(cipher.get(), nullptr); };
      if (refused.has(call, messages.front(), Form::batch, run)) continue;
      const Attempt attempt{.prepare = [&] { batch.hold(messages); },
                            .run = run,
                            .expect_right = [&] { EXPECT_TRUE(batch.is_right()); },
                            .expect_undone = [](warpaes_status) {}};
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
          const Cipher cipher(context, mode, message.key);
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
      warpaes_context_options wanted = options(team.engine, 2);
      wanted.device_count = team.devices;
      context = reinterpret_cast<warpaes_context*>(&wanted);
      return warpaes_context_create(&wanted, &context);
    };
    const Attempt attempt{.prepare = [] {},
                          .run = create,
                          .expect_right =
                              [&] {
                                EXPECT_NE(context, nullptr);
                                warpaes_context_destroy(context);
                              },
                          .expect_undone = [&](warpaes_status) { EXPECT_EQ(context, nullptr); }};
    for (const Fault& fault : kFaults) fail_each_call(attempt, fault);
  }
}

}  // namespace
}  // namespace warpaes::core::testing
