// Batches of fewer messages than lanes, in modes that begin anywhere: lanes walk runs of messages.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulated_engines.hpp"
#include "engines/batch.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "evp_reference.hpp"
#include "primitives/xts_tweak.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

using reference::Bytes;
constexpr size_t kLargest = 6'000;

struct Case {
  const char* name;
  warpaes_mode mode;
  Direction direction;
  const char* evp;
};

constexpr Case kCases[] = {
    {"ecb_encrypt", WARPAES_MODE_ECB, WARPAES_DIRECTION_ENCRYPT, "ECB"},
    {"ecb_decrypt", WARPAES_MODE_ECB, WARPAES_DIRECTION_DECRYPT, "ECB"},
    {"ctr", WARPAES_MODE_CTR, WARPAES_DIRECTION_ENCRYPT, "CTR"},
    {"cbc_decrypt", WARPAES_MODE_CBC, WARPAES_DIRECTION_DECRYPT, "CBC"},
    {"cfb_decrypt", WARPAES_MODE_CFB, WARPAES_DIRECTION_DECRYPT, "CFB"},
    {"xts_encrypt", WARPAES_MODE_XTS, WARPAES_DIRECTION_ENCRYPT, "XTS"},
    {"xts_decrypt", WARPAES_MODE_XTS, WARPAES_DIRECTION_DECRYPT, "XTS"},
};

/// How a batch describes its messages.
struct Layout {
  const char* name;
  bool in_place, key_each, by_arrays;
};

constexpr Layout kLayouts[] = {
    {"apart", false, false, false},
    {"in place", true, false, false},
    {"a key each", false, true, false},
    {"a key each, in place", true, true, false},
    {"arrays, one of the messages in place", false, false, true},
};

/// Rows of kLargest bytes, and what is expected of them.
class Messages {
 public:
  Messages(const Case& what, const Layout& layout, std::vector<uint64_t> lengths)
      : what_(what),
        layout_(layout),
        lengths_(std::move(lengths)),
        input_(random_bytes(random_, count() * kLargest)) {
    keys_ = random_bytes(random_, count() * key_bytes());
    ivs_ = random_bytes(random_, count() * 16);
    // Counters that carry out of 32 and out of 64 bits within the message.
    for (size_t i = 4; i < 16; i++) ivs_[i] = i == 15 ? 0xf0 : 0xff;
    output_ = layout.in_place ? input_ : Bytes(input_.size(), 0xd7);
    expected_ = output_;
    for (size_t m = 0; m < count(); m++) {
      const Bytes answer = answer_of(m);
      std::ranges::copy(answer, expected_.begin() + static_cast<ptrdiff_t>(m * kLargest));
    }
  }

  void expect_right(const Engine& engine) {
    Bytes& output = layout_.in_place ? input_ : output_;
    std::vector<const uint8_t*> inputs;
    std::vector<uint8_t*> outputs;
    Batch batch{.mode = what_.mode, .direction = what_.direction, .messages = count(), .bytes = kLargest};
    batch.input = input_.data();
    batch.output = output.data();
    batch.input_stride = batch.output_stride = kLargest;
    batch.nonces = ivs_.data();
    batch.nonce_stride = batch.nonce_bytes = 16;
    batch.lengths = lengths_.data();
    std::vector<int32_t> statuses(count(), -1);
    batch.statuses = statuses.data();
    if (layout_.by_arrays) {
      for (size_t m = 0; m < count(); m++) {
        inputs.push_back(input_.data() + m * kLargest);
        outputs.push_back(output.data() + m * kLargest);
      }
      std::copy_n(inputs[1], lengths_[1], outputs[1]);
      inputs[1] = outputs[1];
      batch.inputs = inputs.data();
      batch.outputs = outputs.data();
    }
    run(engine, batch);
    EXPECT_EQ(statuses, std::vector<int32_t>(count(), WARPAES_OK));
    for (size_t m = 0; m < count(); m++) {
      const auto row = [m](const Bytes& rows) {
        const auto from = rows.begin() + static_cast<ptrdiff_t>(m * kLargest);
        return Bytes(from, from + kLargest);
      };
      EXPECT_TRUE(row(output) == row(expected_)) << "message " << m << " of " << lengths_[m] << " bytes";
    }
  }

 private:
  size_t count() const { return lengths_.size(); }
  size_t key_bytes() const { return what_.mode == WARPAES_MODE_XTS ? 32 : 24; }

  Bytes key_of(size_t m) const {
    const auto from = keys_.begin() + static_cast<ptrdiff_t>(layout_.key_each ? m * key_bytes() : 0);
    return {from, from + static_cast<ptrdiff_t>(key_bytes())};
  }

  Bytes answer_of(size_t m) const {
    const reference::View message(input_.data() + m * kLargest, lengths_[m]), iv(ivs_.data() + 16 * m, 16);
    const bool encrypt = what_.direction == WARPAES_DIRECTION_ENCRYPT;
    if (message.empty()) return {};
    return reference::crypt(what_.evp, key_of(m), iv, message, encrypt);
  }

  void run(const Engine& engine, const Batch& batch) const {
    const ModeSupport& support = engine.modes[what_.mode];
    if (layout_.key_each) {
      support.run_key_each(0, {keys_.data(), key_bytes(), key_bytes()}, batch, nullptr);
      return;
    }
    const size_t half = what_.mode == WARPAES_MODE_XTS ? 16 : 24;
    const auto first =
        engine.prepare(KeySchedule(Bytes(keys_.begin(), keys_.begin() + static_cast<ptrdiff_t>(half))), 0);
    const auto second = engine.prepare(KeySchedule(Bytes(keys_.begin() + 16, keys_.begin() + 32)), 0);
    BatchKey key{*first, static_cast<int>(8 * half)};
    if (what_.mode == WARPAES_MODE_XTS) key.second = second.get();
    support.run(key, batch, nullptr, nullptr);
  }

  std::mt19937_64 random_{16};
  const Case& what_;
  const Layout& layout_;
  const std::vector<uint64_t> lengths_;
  Bytes input_, keys_, ivs_, output_, expected_;
};

class FewLongMessages : public ::testing::TestWithParam<const Engine*> {};

/// The emulated GPU has 192 lanes, 16 for each of 12 messages, so that runs have 384 bytes. Lengths about
/// multiples of that, of tiles, and, where the mode takes nothing else, of whole blocks.
TEST_P(FewLongMessages, AreRight) {
  for (const Case& what : kCases) {
    for (const Layout& layout : kLayouts) {
      SCOPED_TRACE(std::string(what.name) + ", " + layout.name);
      const bool whole = what.mode == WARPAES_MODE_ECB || what.mode == WARPAES_MODE_CBC;
      std::vector<uint64_t> lengths = {kLargest, 5'999, 384, 0, 400, 448, 4'096, 5'761, 385, 399, 767, 5'775};
      if (whole) {
        for (uint64_t& length : lengths) length = length / 16 * 16;
      }
      Messages(what, layout, lengths).expect_right(*GetParam());
      Messages(what, layout, {4'096, 3'856}).expect_right(*GetParam());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, FewLongMessages, ::testing::ValuesIn(emulated_engines().first(2)),
                         [](const auto& test) { return std::string(test.param->kernel); });

/// The steps by which a lane finds its run's first tweak, against square and multiply.
TEST(XtsTweak, StepsAreProductsByPowersOfX) {
  const XtsTweak tweak{{0x89abcdefu, 0x01234567u, 0xfedcba98u, 0xf6543210u}};
  for (const uint32_t power : {0u, 1u, 31u, 32u, 33u, 2'047u, 2'048u, 2'049u, 4'095u, 65'535u, 1'048'575u}) {
    const XtsTweak stepped = xts_after(tweak, power),
                   expected = xts_product(tweak, xts_power_of_x(power, 20));
    EXPECT_TRUE(std::ranges::equal(stepped.word, expected.word)) << power;
  }
}

/// All lanes have a run of a few long messages, and no message is cut where there are enough of them.
TEST(LaneRuns, OccupyTheLanes) {
  constexpr uint64_t kLanes = 101'376;
  const LaneRuns few(kLanes, 100, 1 << 20);
  EXPECT_EQ(few.bytes, 1088u);
  EXPECT_EQ(few.a_message, 964u);
  const LaneRuns many(kLanes, kLanes / 2 + 1, 1 << 20);
  EXPECT_EQ(many.a_message, 1u);
  const LaneRuns short_ones(kLanes, 2, 256);
  EXPECT_EQ(short_ones.a_message, 1u);
  for (const uint64_t bytes : {257u, 1'000u, 65'536u, 1u << 30}) {
    const LaneRuns runs(kLanes, 10, bytes);
    EXPECT_LE(runs.a_message, kLanes / 10);
    EXPECT_GE(runs.a_message * runs.bytes, bytes);
    EXPECT_LT((runs.a_message - 1) * runs.bytes, bytes);
    EXPECT_EQ(runs.bytes % kTileBytes, 0u);
  }
}

}  // namespace
}  // namespace warpaes::core
