// Lets the launch fail that should look at the tag, or wipe what a launch before it has made. No plaintext
// may stay whose tag nobody has looked at, and no sum that depends on the key.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "engines/cuda/counter_launches.hpp"
#include "engines/cuda/ocb3_launches.hpp"
#include "failure.hpp"

namespace warpaes::core {
namespace {

constexpr uint8_t kPlaintext = 0x70, kGap = 0x99;

template <class Kernel>
constexpr bool kLooksAtTags = std::is_same_v<Kernel, kernels::grid::WipeFailedMessages>;
template <class Kernel>
constexpr bool kSumsAad = std::is_same_v<Kernel, kernels::grid::LongAad>;

/// A GPU whose kernels write plaintext, and whose kernels that look at tags afterwards cannot be launched.
/// Nor can those that take the sums of additional data.
struct FailingGpu {
  inline static bool zeroes;  // or does that fail as well?
  inline static bool has_sums;

  static void write(uint8_t* output, uint64_t stride, uint64_t bytes, uint64_t messages) {
    for (uint64_t i = 0; i < messages; i++) std::memset(output + i * stride, kPlaintext, bytes);
  }
  template <class Kernel>
  static void run(Kernel, const kernels::LaunchTarget&, const typename Kernel::Arguments& arguments,
                  const kernels::GridSize&, Stream) {
    if constexpr (kLooksAtTags<Kernel>) {
      throw Failure(WARPAES_ERROR_CUDA, "wiping kernel: planted");
    } else if constexpr (kSumsAad<Kernel>) {
      std::fill_n(arguments.sums, arguments.messages, Gf128{kPlaintext, kPlaintext});
      has_sums = true;
    } else {
      if (std::exchange(has_sums, false)) throw Failure(WARPAES_ERROR_CUDA, "taking kernel: planted");
      const bool one = arguments.messages == 1;
      write(arguments.output, one ? 0 : arguments.output_stride, arguments.bytes, arguments.messages);
    }
  }

  static void zero(const kernels::LaunchTarget&, void* memory, size_t bytes, Stream) {
    if (!zeroes && bytes >= 1000) throw Failure(WARPAES_ERROR_CUDA, "zeroing: planted");
    std::memset(memory, 0, bytes);
  }
};

class FailedWipe : public testing::Test {
 protected:
  static constexpr uint64_t kBytes = 70'000, kStride = kBytes + 32;

  Batch batch_of(uint64_t messages) {
    output_.assign(messages * kStride, kGap);
    statuses_.assign(messages, -1);
    Batch batch{};
    batch.direction = WARPAES_DIRECTION_DECRYPT;
    batch.messages = messages;
    batch.bytes = kBytes;
    batch.input = batch.output = output_.data();
    batch.input_stride = batch.output_stride = kStride;
    batch.tags = tags_.data();
    batch.tag_stride = batch.tag_bytes = 16;
    batch.statuses = statuses_.data();
    batch.host_nonce = messages == 1 ? nonces_.data() : nullptr;
    batch.host_nonce_bytes = 12;
    batch.nonces = nonces_.data();
    batch.nonce_stride = 12;
    return batch;
  }

  void gcm(uint64_t messages) { gcm(batch_of(messages)); }
  void gcm(const Batch& batch) {
    CounterLaunches<FailingGpu>::gcm({key_.schedule.encryption(), key_.sliced, key_.powers, key_.target()},
                                     CounterKernel::tables, batch, workspace_.data(), nullptr);
  }
  void ocb() { Ocb3Launches<FailingGpu>::run({key_, 128}, batch_of(1), workspace_.data(), nullptr); }

  /// Plaintext is gone, and what lies between messages is as it was.
  void expect_zeroed() const {
    for (size_t i = 0; i < output_.size(); i++) {
      ASSERT_EQ(output_[i], i % kStride < kBytes ? 0 : kGap) << "at byte " << i;
    }
  }

  const LanePrivateKey key_{KeySchedule(std::vector<uint8_t>(16)), 0, {90, 3, policies::kHopper}};
  std::vector<uint8_t> output_, tags_ = std::vector<uint8_t>(48), nonces_ = std::vector<uint8_t>(36);
  std::vector<int32_t> statuses_;
  std::vector<Gf128> workspace_ =
      std::vector<Gf128>(CounterLaunches<FailingGpu>::workspace_bytes(3, kBytes) / 16 + 1);
};

TEST_F(FailedWipe, LeavesNoPlaintext) {
  FailingGpu::zeroes = true;
  EXPECT_THROW(gcm(3), Failure);
  expect_zeroed();
  EXPECT_THROW(ocb(), Failure);
  expect_zeroed();
}

TEST_F(FailedWipe, LeavesNoSumOfAdditionalData) {
  FailingGpu::zeroes = true;
  for (const uint64_t messages : {1, 3}) {
    Batch batch = batch_of(messages);
    batch.aad = output_.data();
    batch.aad_bytes = kBytes;
    workspace_.assign(workspace_.size(), {0, 0});
    EXPECT_THROW(gcm(batch), Failure);
    EXPECT_TRUE(std::ranges::all_of(workspace_, [](Gf128 sum) { return sum == Gf128{0, 0}; }));
  }
}

TEST_F(FailedWipe, SaysSoIfZeroingFailsToo) {
  FailingGpu::zeroes = false;
  try {
    ocb();
    FAIL() << "the launch failed";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), WARPAES_ERROR_CUDA);
    EXPECT_NE(std::string(failure.what()).find("not authentic"), std::string::npos) << failure.what();
  }
}

}  // namespace
}  // namespace warpaes::core
