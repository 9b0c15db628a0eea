// Tests the benchmark's check of results: it must pass right results and find wrong ones that were planted.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>

#include "benchmarks/measurement.hpp"

namespace warpaes::bench {
namespace {

enum class Fault { none, wrong_bit, idle };

/// The portable engine in host memory, with a fault.
class FaultyPlace final : public Place {
 public:
  FaultyPlace(const MeasuredEngine& engine, Fault fault)
      : engine_(make_place("pageable", engine)), fault_(fault) {}

  const char* name() const override { return engine_->name(); }
  const EngineInfo* engine() const override { return engine_->engine(); }
  void load(const Dataset& dataset, warpaes_direction direction) override {
    engine_->load(dataset, direction);
  }
  void poison() override { engine_->poison(); }

  /// The fastest engine does nothing. A measurement begins with a fifth of a second of calls, which here is
  /// waited for: thousands of calls would show what the first one does, and there are many of these tests.
  double run(unsigned repeats) override {
    if (fault_ != Fault::idle) engine_->run(repeats);
    if (!warm_) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    warm_ = true;
    return 1e-2;
  }

  /// One bit of the output is wrong, or of the tags where there is nothing else.
  Outcome fetch() override {
    Outcome outcome = engine_->fetch();
    if (fault_ != Fault::wrong_bit) return outcome;
    std::span<const uint8_t>& spoilt = outcome.output.empty() ? outcome.tags : outcome.output;
    copy_.assign(spoilt.begin(), spoilt.end());
    copy_.back() ^= 1;
    spoilt = copy_;
    return outcome;
  }

 private:
  const std::unique_ptr<Place> engine_;
  const Fault fault_;
  bool warm_ = false;
  std::vector<uint8_t> copy_;
};

struct Case {
  const char* mode;
  warpaes_direction direction;
  uint64_t messages, bytes;
  BatchKind kind = {};
};

class Verification : public testing::TestWithParam<Case> {
 protected:
  Result measured(Fault fault) {
    const Case& test = GetParam();
    const Oracle oracle("portable", 0);
    const BenchMode& mode = bench_mode_named(test.mode);
    dataset_.make({&mode, mode.has_192_bits ? 192 : 256, test.messages, test.bytes, 4096, test.kind}, oracle);
    place_.emplace(portable_, fault);
    return measure(*place_, dataset_, test.direction, 1, nullptr);
  }

 private:
  const MeasuredEngine portable_{{.engine = "portable"}};
  std::optional<FaultyPlace> place_;
  Dataset dataset_;
};

TEST_P(Verification, AcceptsTheRightResult) {
  const Result result = measured(Fault::none);
  EXPECT_TRUE(result.verified()) << result.mismatch;
  EXPECT_EQ(result.oracle, "openssl");
}

TEST_P(Verification, FindsOneWrongBit) { EXPECT_FALSE(measured(Fault::wrong_bit).verified()); }

TEST_P(Verification, FindsThatNothingWasDone) { EXPECT_FALSE(measured(Fault::idle).verified()); }

INSTANTIATE_TEST_SUITE_P(
    Modes, Verification,
    testing::Values(
        Case{"ecb", WARPAES_DIRECTION_ENCRYPT, 1, 4096}, Case{"ecb", WARPAES_DIRECTION_DECRYPT, 1, 4096},
        Case{"ctr", WARPAES_DIRECTION_ENCRYPT, 1, 4099}, Case{"gcm", WARPAES_DIRECTION_ENCRYPT, 1, 4099},
        Case{"gcm", WARPAES_DIRECTION_DECRYPT, 1, 4099}, Case{"gcm", WARPAES_DIRECTION_ENCRYPT, 7, 513},
        Case{"gcm", WARPAES_DIRECTION_DECRYPT, 7, 513},
        Case{"cbc-encrypt", WARPAES_DIRECTION_ENCRYPT, 7, 512},
        Case{"cfb-encrypt", WARPAES_DIRECTION_ENCRYPT, 7, 513},
        Case{"ofb", WARPAES_DIRECTION_ENCRYPT, 7, 513}, Case{"cmac", WARPAES_DIRECTION_ENCRYPT, 7, 513},
        Case{"xts", WARPAES_DIRECTION_ENCRYPT, 1, 9001}, Case{"xts", WARPAES_DIRECTION_DECRYPT, 1, 9001},
        Case{"cbc-decrypt", WARPAES_DIRECTION_DECRYPT, 1, 4096},
        Case{"cfb-decrypt", WARPAES_DIRECTION_DECRYPT, 1, 4099},
        Case{"ecb-batch", WARPAES_DIRECTION_DECRYPT, 7, 512},
        Case{"ctr-batch", WARPAES_DIRECTION_ENCRYPT, 7, 528},
        Case{"ctr-batch", WARPAES_DIRECTION_ENCRYPT, 7, 528, {false, true}},
        Case{"cbc-decrypt-batch", WARPAES_DIRECTION_DECRYPT, 7, 512},
        Case{"cfb-decrypt-batch", WARPAES_DIRECTION_DECRYPT, 7, 528, {false, true}},
        Case{"xts-batch", WARPAES_DIRECTION_ENCRYPT, 7, 512},
        Case{"xts-batch", WARPAES_DIRECTION_DECRYPT, 7, 513},
        Case{"xts-batch", WARPAES_DIRECTION_DECRYPT, 7, 513, {false, true}},
        Case{"kw-batch", WARPAES_DIRECTION_ENCRYPT, 7, 32},
        Case{"kw-batch", WARPAES_DIRECTION_DECRYPT, 7, 32},
        Case{"kw-batch", WARPAES_DIRECTION_DECRYPT, 7, 32, {false, true}},
        Case{"cbc-encrypt", WARPAES_DIRECTION_ENCRYPT, 7, 512, {true, false}},
        Case{"cmac", WARPAES_DIRECTION_ENCRYPT, 7, 513, {true, false}},
        Case{"cbc-decrypt-batch", WARPAES_DIRECTION_DECRYPT, 7, 512, {true, true}},
        Case{"gcm", WARPAES_DIRECTION_ENCRYPT, 7, 513, {true, false}},
        Case{"gcm", WARPAES_DIRECTION_DECRYPT, 7, 513, {false, true}},
        Case{"gcm", WARPAES_DIRECTION_DECRYPT, 9, 64, {true, true}},
        Case{"gcm-siv", WARPAES_DIRECTION_ENCRYPT, 7, 513},
        Case{"gcm-siv", WARPAES_DIRECTION_DECRYPT, 1, 4099}, Case{"ccm", WARPAES_DIRECTION_ENCRYPT, 7, 513},
        Case{"ccm", WARPAES_DIRECTION_DECRYPT, 1, 4099}, Case{"eax", WARPAES_DIRECTION_ENCRYPT, 7, 513},
        Case{"eax", WARPAES_DIRECTION_DECRYPT, 1, 4099}, Case{"ocb3", WARPAES_DIRECTION_ENCRYPT, 7, 513},
        Case{"ocb3", WARPAES_DIRECTION_DECRYPT, 1, 4099}, Case{"siv", WARPAES_DIRECTION_ENCRYPT, 7, 513},
        Case{"siv", WARPAES_DIRECTION_DECRYPT, 1, 4099},
        Case{"siv", WARPAES_DIRECTION_DECRYPT, 7, 513, {false, true}}));

TEST(Mismatch, NamesTheTagOrStatusThatIsWrong) {
  const Oracle oracle("portable", 0);
  Dataset dataset;
  dataset.make({&bench_mode_named("gcm"), 128, 3, 32}, oracle);
  const std::vector<uint8_t> good(dataset.tags(), dataset.tags() + dataset.tags_bytes());
  const auto mismatch = [&](const std::vector<uint8_t>& tags, const std::vector<int32_t>& statuses) {
    const Outcome outcome{{dataset.expected_output(WARPAES_DIRECTION_DECRYPT), 96}, tags, statuses};
    return mismatch_in(outcome, dataset, WARPAES_DIRECTION_DECRYPT);
  };
  std::vector<uint8_t> bad = good;
  bad[2 * kTagBytes] ^= 0x80;
  EXPECT_EQ(mismatch(good, {0, 0, 0}), "");
  EXPECT_EQ(mismatch(bad, {0, 0, 0}), "tag of message 2 differs from openssl's");
  EXPECT_EQ(mismatch({}, {0, 0, 0}), "tags are missing");
  EXPECT_EQ(mismatch(good, {0, WARPAES_ERROR_AUTHENTICATION, 0}), "message 1 has status 100");
}

}  // namespace
}  // namespace warpaes::bench
