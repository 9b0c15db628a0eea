// Lets operations run out of memory in the middle of a call. What the call has written must be zero again,
// and nothing behind that may have been touched. On a CPU, an allocation between two steps of a call is the
// only thing that can fail after the first step has written its output.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <numeric>

#include "failing_memory.hpp"
#include "failure.hpp"
#include "operations/operation.hpp"
#include "wipe_ledger.hpp"

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint8_t kUntouched = 0x5a;
constexpr size_t kHeld = 5, kPart = 600'000;  // several pieces, which threads share

struct Row {
  warpaes_mode mode;
  Direction direction;
  size_t iv_bytes, tag_bytes;
};

constexpr Row kRows[] = {
    {WARPAES_MODE_ECB, WARPAES_DIRECTION_ENCRYPT, 0, 0},
    {WARPAES_MODE_ECB_PKCS7, WARPAES_DIRECTION_ENCRYPT, 0, 0},
    {WARPAES_MODE_CBC, WARPAES_DIRECTION_DECRYPT, 16, 0},
    {WARPAES_MODE_CBC_CS3, WARPAES_DIRECTION_DECRYPT, 16, 0},
    {WARPAES_MODE_CFB, WARPAES_DIRECTION_DECRYPT, 16, 0},
    {WARPAES_MODE_CTR, WARPAES_DIRECTION_ENCRYPT, 16, 0},
    {WARPAES_MODE_GCM, WARPAES_DIRECTION_ENCRYPT, 12, 16},
    {WARPAES_MODE_EAX, WARPAES_DIRECTION_ENCRYPT, 12, 16},
};

/// How a call went, in which an allocation may have failed.
struct Outcome {
  bool failed, out_of_memory;
};

template <class Call>
Outcome with_failure_at(int64_t n, const Call& call) {
  bool out_of_memory = false;
  FailingMemory::fail_at(n);
  try {
    call();
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  } catch (const Failure& failure) {
    out_of_memory = failure.status() == WARPAES_ERROR_HOST_MEMORY;
  }
  return {FailingMemory::stop(), out_of_memory};
}

bool all_are(const uint8_t* data, size_t bytes, uint8_t value) {
  return std::all_of(data, data + bytes, [value](uint8_t byte) { return byte == value; });
}

class OperationMemory : public ::testing::TestWithParam<const char*> {
 protected:
  Context context_{{.engine = GetParam(), .threads = 2}};
  const Bytes input_ = Bytes(kPart, 1), iv_ = Bytes(16, 2);

  OperationOptions options(const Row& row) const {
    return {.mode = row.mode,
            .direction = row.direction,
            .iv = std::span(iv_).first(row.iv_bytes),
            .tag_bytes = row.tag_bytes};
  }
};

/// A new key for each try, so that what is made in its first call is made in all.
TEST_P(OperationMemory, AnUpdateThatFailsLeavesZeros) {
  int failures = 0;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.mode);
    for (int64_t n = 0, failed = 1; failed != 0; n++) {
      const Key key(context_, Bytes(16, 3));
      Operation operation(key, options(row));
      Bytes first(16), output(kPart + 64, kUntouched);
      operation.update(input_.data(), kHeld, first.data(), first.size());
      const uint64_t ready = operation.update_bytes(kPart);
      const Outcome outcome =
          with_failure_at(n, [&] { operation.update(input_.data(), kPart, output.data(), output.size()); });
      failed = outcome.failed ? 1 : 0;
      if (outcome.out_of_memory) {
        failures++;
        EXPECT_TRUE(all_are(output.data(), ready, 0)) << "allocation " << n;
      }
      EXPECT_TRUE(all_are(output.data() + ready, output.size() - ready, kUntouched)) << "allocation " << n;
    }
  }
  EXPECT_GT(failures, 10);
}

TEST_P(OperationMemory, AFinishThatFailsLeavesZeros) {
  int failures = 0;
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.mode);
    for (int64_t n = 0, failed = 1; failed != 0; n++) {
      const Key key(context_, Bytes(16, 3));
      Operation operation(key, options(row));
      Bytes output(64, kUntouched);
      const size_t bytes = row.mode == WARPAES_MODE_ECB || row.mode == WARPAES_MODE_CBC ? 16 : 17;
      operation.update(input_.data(), bytes, output.data(), output.size());
      std::fill(output.begin(), output.end(), kUntouched);
      const uint64_t most = operation.finish_bytes();
      const Outcome outcome = with_failure_at(n, [&] { operation.finish(output.data(), output.size()); });
      failed = outcome.failed ? 1 : 0;
      if (outcome.out_of_memory) {
        failures++;
        EXPECT_TRUE(all_are(output.data(), most, 0)) << "allocation " << n;
      }
      EXPECT_TRUE(all_are(output.data() + most, output.size() - most, kUntouched)) << "allocation " << n;
    }
  }
  EXPECT_GT(failures, 0);
}

/// What stands behind the last whole block is in the copy, and not in what is written.
TEST_P(OperationMemory, AnUpdateInPlaceThatFailsWipesItsCopy) {
  constexpr size_t kLeft = 10;
  Bytes text(kPart + kLeft, 1);
  std::iota(text.end() - kLeft, text.end(), uint8_t{0x81});
  const std::span<const uint8_t> left = std::span(text).last(kLeft);
  int failures = 0;
  for (int64_t n = 1, failed = 1; failed != 0; n++) {  // the first allocation is the copy's
    const Key key(context_, Bytes(16, 3));
    Operation operation(key, {.mode = WARPAES_MODE_CBC, .direction = WARPAES_DIRECTION_DECRYPT, .iv = iv_});
    operation.update(input_.data(), kHeld, nullptr, 0);
    Bytes data = text;
    note_wipes([&] {
      const auto update = [&] { operation.update(data.data(), data.size(), data.data(), data.size()); };
      failed = with_failure_at(n, update).failed ? 1 : 0;
    });
    EXPECT_EQ(wipes_of(left), 1u) << n;
    failures += static_cast<int>(failed);
  }
  EXPECT_GT(failures, 0);
}

INSTANTIATE_TEST_SUITE_P(Engines, OperationMemory, ::testing::Values("openssl", "portable/t_tables"),
                         [](const auto& test) {
                           return std::string(test.param).substr(0, std::string(test.param).find('/'));
                         });

}  // namespace
}  // namespace warpaes::core::testing
