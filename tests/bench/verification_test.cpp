// The benchmark's check of results: right ones pass, planted wrong ones are found.
#include <gtest/gtest.h>

#include <algorithm>

#include "benchmarks/measurement.hpp"

namespace warpaes::bench {
namespace {

/// A place for any engine row that works in host memory, whether or not it is in the table.
class RowPlace final : public Place {
 public:
  explicit RowPlace(const Engine& engine) : engine_(engine) {}

  const char* name() const override { return "pageable"; }
  const Engine* engine() const override { return &engine_; }

  void load(const Dataset& dataset, Direction direction) override {
    const Workload& workload = dataset.workload();
    mode_ = workload.mode;
    key_ = engine_.prepare(KeySchedule(dataset.key()), 0);
    tweak_key_ = engine_.prepare(KeySchedule(dataset.tweak_key()), 0);
    output_.resize(workload.compared_bytes(direction));
    tags_.assign(dataset.tags(), dataset.tags() + dataset.tags_bytes());
    statuses_.resize(workload.has_statuses() ? workload.messages : 0);
    call_ = dataset.call(direction);
    call_.nonces = dataset.nonces();
    call_.input = dataset.input(direction);
    call_.output = output_.data();
    call_.tags = tags_.data();
    call_.statuses = statuses_.empty() ? nullptr : statuses_.data();
    call_.prepared_tweak_key = tweak_key_.get();
    call_.lengths = dataset.lengths().empty() ? nullptr : dataset.lengths().data();
    call_.keys = dataset.keys().empty() ? nullptr : dataset.keys().data();
  }

  void poison() override {
    fill(output_, 0xa5);
    if (call_.direction == WARPAES_ENCRYPT) fill(tags_, 0xa5);
    std::fill(statuses_.begin(), statuses_.end(), -1);
  }

  double run(unsigned) override {
    mode_->on_device(engine_, *key_, call_, DeviceBuffer(), nullptr);
    return 1e-2;
  }

  Outcome fetch() override { return {output_, tags_, statuses_}; }

 private:
  const Engine& engine_;
  const BenchMode* mode_ = nullptr;
  std::unique_ptr<EngineKey> key_, tweak_key_;
  std::vector<uint8_t> output_, tags_;
  std::vector<int32_t> statuses_;
  Call call_{};
};

const Engine& portable() { return engine_named("portable"); }

void flip_last_bit(const BlockRun& run) {
  if (run.bytes > 0) run.output[run.bytes - 1] ^= 1;
}

/// The portable engine with one bit of each run wrong.
Engine engine_with_a_wrong_bit() {
  Engine engine = portable();
  engine.encrypt_blocks = [](const EngineKey& key, const BlockRun& run, Stream stream) {
    portable().encrypt_blocks(key, run, stream);
    flip_last_bit(run);
  };
  engine.decrypt_blocks = [](const EngineKey& key, const BlockRun& run, Stream stream) {
    portable().decrypt_blocks(key, run, stream);
    flip_last_bit(run);
  };
  engine.counter = nullptr;  // composed from encrypt_blocks
  engine.gcm = nullptr;
  return engine;
}

/// The engine that is fast because it does nothing.
Engine idle_engine() {
  Engine engine = portable();
  engine.encrypt_blocks = engine.decrypt_blocks = [](const EngineKey&, const BlockRun&, Stream) {};
  engine.counter = [](const EngineKey&, const CounterRun&, Stream) {};
  engine.gcm = [](const EngineKey&, const AeadBatch&, void*, Stream) {};
  engine.cipher_batch = [](const EngineKey&, const CipherBatch&, Stream) {};
  engine.xts_batch = [](const XtsKeys&, const CipherBatch&, Stream) {};
  return engine;
}

struct Case {
  const char* mode;
  Direction direction;
  uint64_t messages, bytes;
  BatchKind kind = {};
};

class Verification : public testing::TestWithParam<Case> {
 protected:
  Result measured(const Engine& engine) {
    const Case& test = GetParam();
    const Oracle oracle("portable", 0);
    const BenchMode& mode = bench_mode_named(test.mode);
    dataset_.make({&mode, mode.has_192_bits ? 192 : 256, test.messages, test.bytes, 4096, test.kind}, oracle);
    RowPlace place(engine);
    return measure(place, dataset_, test.direction, 1, nullptr);
  }

 private:
  Dataset dataset_;
};

TEST_P(Verification, AcceptsTheRightResult) {
  const Result result = measured(portable());
  EXPECT_TRUE(result.verified()) << result.mismatch;
  EXPECT_EQ(result.oracle, "openssl");
}

TEST_P(Verification, FindsOneWrongBit) { EXPECT_FALSE(measured(engine_with_a_wrong_bit()).verified()); }

TEST_P(Verification, FindsThatNothingWasDone) { EXPECT_FALSE(measured(idle_engine()).verified()); }

INSTANTIATE_TEST_SUITE_P(
    Modes, Verification,
    testing::Values(
        Case{"ecb", WARPAES_ENCRYPT, 1, 4096}, Case{"ecb", WARPAES_DECRYPT, 1, 4096},
        Case{"ctr", WARPAES_ENCRYPT, 1, 4099}, Case{"gcm", WARPAES_ENCRYPT, 1, 4099},
        Case{"gcm", WARPAES_DECRYPT, 1, 4099}, Case{"gcm", WARPAES_ENCRYPT, 7, 513},
        Case{"gcm", WARPAES_DECRYPT, 7, 513}, Case{"cbc-encrypt", WARPAES_ENCRYPT, 7, 512},
        Case{"cfb-encrypt", WARPAES_ENCRYPT, 7, 513}, Case{"ofb", WARPAES_ENCRYPT, 7, 513},
        Case{"cmac", WARPAES_ENCRYPT, 7, 513}, Case{"xts", WARPAES_ENCRYPT, 1, 9001},
        Case{"xts", WARPAES_DECRYPT, 1, 9001}, Case{"cbc-decrypt", WARPAES_DECRYPT, 1, 4096},
        Case{"cfb-decrypt", WARPAES_DECRYPT, 1, 4099}, Case{"ecb-batch", WARPAES_DECRYPT, 7, 512},
        Case{"ctr-batch", WARPAES_ENCRYPT, 7, 528}, Case{"ctr-batch", WARPAES_ENCRYPT, 7, 528, {false, true}},
        Case{"cbc-decrypt-batch", WARPAES_DECRYPT, 7, 512},
        Case{"cfb-decrypt-batch", WARPAES_DECRYPT, 7, 528, {false, true}},
        Case{"xts-batch", WARPAES_ENCRYPT, 7, 512}, Case{"xts-batch", WARPAES_DECRYPT, 7, 513},
        Case{"xts-batch", WARPAES_DECRYPT, 7, 513, {false, true}}, Case{"kw-batch", WARPAES_ENCRYPT, 7, 32},
        Case{"kw-batch", WARPAES_DECRYPT, 7, 32}, Case{"kw-batch", WARPAES_DECRYPT, 7, 32, {false, true}},
        Case{"cbc-encrypt", WARPAES_ENCRYPT, 7, 512, {true, false}},
        Case{"cmac", WARPAES_ENCRYPT, 7, 513, {true, false}},
        Case{"cbc-decrypt-batch", WARPAES_DECRYPT, 7, 512, {true, true}},
        Case{"gcm", WARPAES_ENCRYPT, 7, 513, {true, false}},
        Case{"gcm", WARPAES_DECRYPT, 7, 513, {false, true}},
        Case{"gcm", WARPAES_DECRYPT, 9, 64, {true, true}}, Case{"gcm-siv", WARPAES_ENCRYPT, 7, 513},
        Case{"gcm-siv", WARPAES_DECRYPT, 1, 4099}, Case{"ccm", WARPAES_ENCRYPT, 7, 513},
        Case{"ccm", WARPAES_DECRYPT, 1, 4099}, Case{"eax", WARPAES_ENCRYPT, 7, 513},
        Case{"eax", WARPAES_DECRYPT, 1, 4099}, Case{"ocb3", WARPAES_ENCRYPT, 7, 513},
        Case{"ocb3", WARPAES_DECRYPT, 1, 4099}, Case{"siv", WARPAES_ENCRYPT, 7, 513},
        Case{"siv", WARPAES_DECRYPT, 1, 4099}, Case{"siv", WARPAES_DECRYPT, 7, 513, {false, true}}));

TEST(Mismatch, NamesTheTagOrStatusThatIsWrong) {
  const Oracle oracle("portable", 0);
  Dataset dataset;
  dataset.make({&bench_mode_named("gcm"), 128, 3, 32}, oracle);
  const std::vector<uint8_t> good(dataset.tags(), dataset.tags() + dataset.tags_bytes());
  const auto mismatch = [&](const std::vector<uint8_t>& tags, const std::vector<int32_t>& statuses) {
    const Outcome outcome{{dataset.expected_output(WARPAES_DECRYPT), 96}, tags, statuses};
    return mismatch_in(outcome, dataset, WARPAES_DECRYPT);
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
