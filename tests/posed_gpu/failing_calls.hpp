// Calls of the C interface in which each call of CUDA fails, once or with all that follow.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "../c_api/handles_for_tests.hpp"
#include "c_api/handles.hpp"
#include "pipeline/context_state.hpp"
#include "posed_faults.hpp"

namespace warpaes::core::testing {

/// So small that a short message has several pieces.
inline constexpr TransferSizes kSmall{.least_for_gpu = 1,
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
inline constexpr Team kTeams[] = {{"OneGpu", "cuda", 0, false},
                                  {"TwoGpusInPieces", "cuda", WARPAES_ALL_DEVICES, true},
                                  {"CpuAndTwoGpusInPieces", "auto", WARPAES_ALL_DEVICES, true}};

inline warpaes_context_options options_of(const Team& team) {
  warpaes_context_options made = options(team.engine, 2);
  made.device_count = team.devices;
  return made;
}

class TeamContext : public TestContext {
 public:
  explicit TeamContext(const Team& team) : TestContext(options_of(team)) {
    if (!team.in_pieces) return;
    Context::State& state = get()->context.state();
    state.sizes = kSmall;
    for (const WorkKind kind : {WorkKind::stream, WorkKind::gcm, WorkKind::chained})
      state.speeds.set(kind, {.with_gpu_pageable = 1e15, .with_gpu_pinned = 1e15});
  }
};

/// A call, what it needs before it, and what has to be true afterwards.
struct Attempt {
  std::function<void()> prepare;
  std::function<warpaes_status()> run;
  std::function<void()> expect_right;
  /// @param failed the call of CUDA that failed first
  std::function<void(warpaes_status, const std::string& failed)> expect_undone;
};

inline bool is_of_the_machine(warpaes_status status) {
  return status == WARPAES_ERROR_CUDA || status == WARPAES_ERROR_DEVICE_MEMORY ||
         status == WARPAES_ERROR_HOST_MEMORY || status == WARPAES_ERROR_NO_DEVICE;
}

struct Fault {
  cudaError_t error;
  bool from_then_on;
};
inline constexpr Fault kFaults[] = {{cudaErrorUnknown, false}, {cudaErrorMemoryAllocation, true}};

/// @return how many calls of CUDA have failed
inline uint64_t fail_each_call(const Attempt& attempt, const Fault& fault) {
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
      attempt.expect_undone(status, failed);
    }
    attempt.prepare();
    EXPECT_EQ(attempt.run(), WARPAES_OK) << "afterwards: " << warpaes_last_error();
    attempt.expect_right();
    if (failed.empty() || ::testing::Test::HasFailure()) return number;
  }
}

/// After the machine has failed there is in the caller's memory what was there, or zero, or a status.
inline void expect_nothing_else(const Bytes& memory, const Bytes& before, const int32_t* statuses = nullptr,
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

}  // namespace warpaes::core::testing
