// Batches in device memory whose size and shape are drawn at random, with messages in them that can be wrong
// in every way. Which kernel has a batch depends on how many messages it has, how long they are and how they
// lie, and every kernel must leave alone what is not to be touched, and not even read what is not there.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "batches_on_device.hpp"

namespace warpaes::core::testing {
namespace {

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}
  size_t below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random_); }
  bool coin() { return below(2) == 0; }
  /// From 1 to `most`; all magnitudes are as likely as each other.
  size_t magnitude(size_t most) {
    const auto bits = std::uniform_real_distribution<>(0, std::log2(static_cast<double>(most) + 1))(random_);
    return std::clamp<size_t>(static_cast<size_t>(std::exp2(bits)), 1, most);
  }

 private:
  std::mt19937_64 random_;
};

class RandomBatches : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    context_ = std::make_unique<TestContext>("cuda");
  }

  void expect_right(uint64_t seed) {
    Draw draw(seed);
    const DeviceCall& call = calls_[draw.below(calls_.size())];
    // Half of them by pointers, which is where most can be wrong.
    const Layout layout = draw.coin() ? Layout::kPointers : kLayouts[draw.below(std::size(kLayouts))];
    const BatchShape shape{.layout = layout,
                           .in_place = draw.coin(),
                           .key_each = draw.coin(),
                           .on_device = true,
                           .gap = draw.coin() ? draw.below(20) : 0};
    const size_t count = draw.magnitude(extent_of_tests().messages);
    const size_t length = draw.magnitude(extent_of_tests().random_bytes / count) - 1;
    MessageShape like = varied_shape(*call.mode, call.quick_length(length), draw.below(64));
    like.data_unit = like.unused_bits = 0;  // not in batches
    SCOPED_TRACE(call.name() + ", " + name_of(shape.layout) + ", " + std::to_string(count) +
                 " messages of up to " + std::to_string(like.length) + " bytes, seed " +
                 std::to_string(seed));
    const auto messages = messages_for(*call.mode, shape, count, like);
    const TestCipher cipher(*context_, call.mode->mode, shape.key_each ? Bytes() : messages.front().key);
    BatchOnDevice batch(call, cipher.get(), messages, shape);
    const auto run = [&] { return batch.run(cipher.get(), nullptr); };
    batch.hold(messages);
    if (run() == WARPAES_ERROR_UNSUPPORTED) return;
    batch.hold(messages, draw.below(8) > 0 ? batch.what_can_be_wrong(draw.below(16)) : std::vector<Wrong>());
    EXPECT_EQ(run(), WARPAES_OK) << warpaes_last_error();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_TRUE(batch.is_right());
  }

  std::unique_ptr<TestContext> context_;
  const std::vector<DeviceCall> calls_ = device_calls();
};

/// $WARPAES_SEED, to see again what was seen; or another one each time.
uint64_t first_seed() {
  const char* const wanted = std::getenv("WARPAES_SEED");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10)
                           : std::random_device()() * uint64_t{1'000'000};
}

TEST_F(RandomBatches, AreRightAndLeaveWrongMessagesAlone) {
  const uint64_t first = first_seed();
  std::printf("[   SEED   ] %" PRIu64 " and those behind it\n", first);  // a crash says nothing else
  std::fflush(stdout);
  for (size_t round = 0; round < extent_of_tests().random_batches && !HasFatalFailure(); round++) {
    expect_right(first + round);
  }
}

}  // namespace
}  // namespace warpaes::core::testing
