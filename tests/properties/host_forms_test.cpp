// Random calls of the functions for host memory, on every engine that can run here and with several numbers
// of threads, compared with OpenSSL. A failure prints its seed; WARPAES_SEED=… runs that case alone.
#include <array>
#include <cstdlib>
#include <random>

#include "on_every_engine.hpp"

namespace warpaes::core::testing {
namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}

  uint64_t between(uint64_t low, uint64_t high) { return low + generator_() % (high - low + 1); }
  bool coin() { return generator_() & 1; }
  /// All magnitudes alike: short ones hit tails, long ones are shared between threads.
  size_t length(size_t most) { return between(0, most >> between(0, 16)); }

 private:
  std::mt19937_64 generator_;
};

class HostForms : public OnEveryEngine {
 protected:
  static bool is_slow() { return std::get<0>(GetParam()).starts_with("portable"); }
  static size_t longest() { return is_slow() ? size_t{1} << 18 : size_t{5} << 20; }
  /// So that a message of any mode takes about as long.
  static size_t longest_of(const ListedMode& mode) {
    struct Slow {
      warpaes_mode mode;
      size_t times;
    };
    constexpr Slow kSlow[] = {
        {WARPAES_MODE_CFB1, 128}, {WARPAES_MODE_CFB8, 16}, {WARPAES_MODE_KW, 12}, {WARPAES_MODE_KWP, 12}};
    constexpr warpaes_mode kParallelOnGpu[] = {WARPAES_MODE_ECB,  WARPAES_MODE_CTR, WARPAES_MODE_XTS,
                                               WARPAES_MODE_GCM,  WARPAES_MODE_CBC, WARPAES_MODE_CFB,
                                               WARPAES_MODE_GMAC, WARPAES_MODE_OCB3};
    size_t length = longest();
    for (const Slow& slow : kSlow) length /= slow.mode == mode.mode ? slow.times : 1;
    const bool is_one_lanes = std::get<0>(GetParam()).starts_with("cuda") &&
                              std::find(std::begin(kParallelOnGpu), std::end(kParallelOnGpu), mode.mode) ==
                                  std::end(kParallelOnGpu);
    return is_one_lanes ? length / 32 : length;
  }

  /// Calls trial(random) for many seeds, or for the one asked for.
  template <class Trial>
  void for_seeds(uint64_t count, const Trial& trial) {
    const char* const wanted = std::getenv("WARPAES_SEED");
    const uint64_t first = wanted ? std::strtoull(wanted, nullptr, 10) : 1;
    for (uint64_t seed = first; seed < first + (wanted ? 1 : count); seed++) {
      SCOPED_TRACE("WARPAES_SEED=" + std::to_string(seed));
      Random random(seed);
      trial(random);
      if (HasFailure()) return;
    }
  }
};

/// Those whose long messages are shared between threads, or go to the GPU, by rules of their own.
uint64_t seeds_for(const ListedMode& mode) {
  const bool is_shared =
      mode.mode == WARPAES_MODE_ECB || mode.mode == WARPAES_MODE_XTS || mode.mode == WARPAES_MODE_GCM;
  return is_shared ? 12 : 3;
}

MessageShape random_shape(const ListedMode& mode, Random& random, size_t longest) {
  MessageShape shape = varied_shape(mode, random.length(longest), random.between(0, 1000));
  shape.aad_length = random.length(4096);
  if (shape.data_unit != 0) shape.data_unit = 16 + random.length(100'000);
  if (mode.mode == WARPAES_MODE_CCM) shape.nonce_length = random.between(7, 12);
  return shape;
}

warpaes_direction random_direction(Random& random) {
  return random.coin() ? WARPAES_DIRECTION_ENCRYPT : WARPAES_DIRECTION_DECRYPT;
}

TEST_P(HostForms, MessagesOfEveryModeAreOpensslsBothWays) {
  for (const ListedMode& mode : all_modes()) {
    SCOPED_TRACE(mode.info.name);
    for_seeds(seeds_for(mode), [&](Random& random) {
      const ModeMessage message = message_of(mode, random_shape(mode, random, longest_of(mode)));
      const ImageOptions options = {.in_place = random.coin(), .misaligned = random.between(0, 15)};
      for (const warpaes_direction direction : kDirections) expect_message(message, direction, options);
    });
  }
}

TEST_P(HostForms, CtrIsOpensslsWhereverTheCounterWraps) {
  for_seeds(30, [&](Random& random) {
    ModeMessage message =
        message_of(listed(WARPAES_MODE_CTR), random_shape(listed(WARPAES_MODE_CTR), random, longest()));
    // All ones but for the last two bytes, the last four, or no more than the first byte: the carry runs
    // through all, some or none of the counter within the span.
    const size_t ones = std::array<size_t, 4>{0, 1, 12, 14}[random.between(0, 3)];
    std::fill_n(message.nonce.begin() + static_cast<ptrdiff_t>(14 - ones), ones, uint8_t{0xff});
    seal_by_openssl(message);
    expect_message(message, random_direction(random), {.in_place = random.coin()});
  });
}

TEST_P(HostForms, CtrWrapsAtTheEdgeOfEachThreadsShare) {
  ModeMessage message = message_of(listed(WARPAES_MODE_CTR), {.length = longest()});
  for (const uint64_t before_wrap : {1u, 2u, 8191u, 8192u, 8193u, 65535u, 65536u}) {
    SCOPED_TRACE(std::to_string(before_wrap) + " blocks before the wrap");
    message.nonce.assign(16, 0xff);
    const uint64_t low = ~uint64_t{0} - (before_wrap - 1);
    for (int i = 0; i < 8; i++) message.nonce[15 - i] = static_cast<uint8_t>(low >> (8 * i));
    seal_by_openssl(message);
    expect_message(message, WARPAES_DIRECTION_ENCRYPT, {});
  }
}

/// Longer than OpenSSL's own limit of 128 bytes for GCM: the reference is composed.
TEST_P(HostForms, LongNonces) {
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_GMAC, WARPAES_MODE_EAX, WARPAES_MODE_SIV}) {
    SCOPED_TRACE(listed(mode).info.name);
    for_seeds(5, [&](Random& random) {
      MessageShape shape = random_shape(listed(mode), random, 5000);
      shape.nonce_length = random.between(100, 300);
      const ModeMessage message = message_of(listed(mode), shape);
      for (const warpaes_direction direction : kDirections) expect_message(message, direction, {});
    });
  }
}

TEST_P(HostForms, BatchesOfAnyGeometryAreOpensslsMessages) {
  for (const ListedMode& mode : all_modes()) {
    SCOPED_TRACE(mode.info.name);
    for_seeds(mode.mode == WARPAES_MODE_GCM ? 30 : 3, [&](Random& random) {
      const size_t count = random.between(1, 40);
      MessageShape like = random_shape(mode, random, longest_of(mode) / 40);
      like.data_unit = like.unused_bits = 0;  // not in batches
      like.aad_length = random.length(300);
      const BatchShape shape = {.layout = kLayouts[random.between(0, std::size(kLayouts) - 1)],
                                .in_place = random.coin(),
                                .key_each = random.coin(),
                                .gap = random.length(5000)};
      const std::vector<ModeMessage> messages = messages_for(mode, shape, count, like);
      for (const warpaes_direction direction : kDirections) {
        expect_batch(messages, direction, shape, {});
        const BatchImage right(messages, direction, shape);
        std::vector<Wrong> wrong = right.what_can_be_wrong();
        for (Wrong& each : wrong) each = random.coin() ? each : Wrong::kNothing;
        expect_batch(messages, direction, shape, wrong);
      }
    });
  }
}

TEST_P(HostForms, ABatchOfNoMessagesIsDone) {
  for (const ListedMode& mode : all_modes()) {
    const TestCipher cipher(context_, mode.mode, key_from(1, mode));
    if (lacks(cipher.status())) continue;
    const auto batch = sized<warpaes_batch>();
    for (const auto call : {warpaes_encrypt_batch, warpaes_decrypt_batch}) {
      const warpaes_status status = call(cipher.get(), &batch);
      EXPECT_TRUE(status == WARPAES_OK || lacks(status)) << mode.info.name << ": " << warpaes_last_error();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, HostForms, engines_and_threads(1, 2, 5), name_of_setting);

}  // namespace
}  // namespace warpaes::core::testing
