// However a message is cut into parts, and wherever they are written, the parts give what OpenSSL gives for
// the whole. A failure prints its seed: WARPAES_SEED=… runs that one alone.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <tuple>

#include "operation_rows.hpp"

namespace warpaes::testing {
namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}
  uint64_t between(uint64_t low, uint64_t high) { return low + generator_() % (high - low + 1); }
  Bytes bytes(size_t count) {
    Bytes made(count);
    for (uint8_t& each : made) each = static_cast<uint8_t>(generator_());
    return made;
  }
  size_t length(size_t most) { return between(0, most >> between(0, 16)); }

 private:
  std::mt19937_64 generator_;
};

Trial random_trial(Random& random, const OperationRow& row, size_t longest) {
  const bool is_xts = row.mode == WARPAES_MODE_XTS;
  Trial trial{row,
              random.bytes((is_xts ? 2 : 1) * (16 + 8 * random.between(0, 2))),
              random.bytes(row.iv_bytes),
              random.between(16, 16 << random.between(0, 8)),
              random.between(8, 16),
              {}};
  size_t bytes = std::max<size_t>(random.length(longest / row.slowness), row.least);
  bytes -= bytes % row.multiple;
  const size_t last = bytes % trial.unit_bytes;
  if (is_xts && last < 16) bytes -= last;
  trial.message = random.bytes(bytes);
  return trial;
}

/// How parts are laid out: each output apart from its input, or at its beginning.
Bytes in_parts(Random& random, const TestOperation& operation, const Bytes& message, bool in_place) {
  Bytes output;
  const size_t most = std::max<size_t>(message.size() >> random.between(0, 12), 1);
  for (size_t at = 0; at < message.size();) {
    const size_t part = std::min<size_t>(random.between(0, most), message.size() - at);
    uint64_t ready = 0, written = 0;
    EXPECT_EQ(warpaes_operation_update_bytes(operation.get(), part, &ready), WARPAES_OK);
    Bytes input(message.begin() + static_cast<ptrdiff_t>(at),
                message.begin() + static_cast<ptrdiff_t>(at + part));
    Bytes apart(in_place ? 0 : ready);
    if (in_place) input.resize(std::max<size_t>(part, ready));
    Bytes& to = in_place ? input : apart;
    EXPECT_EQ(warpaes_operation_update(operation.get(), input.data(), part, to.data(), ready, &written),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(written, ready);
    output.insert(output.end(), to.begin(), to.begin() + static_cast<ptrdiff_t>(written));
    at += part;
  }
  uint64_t most_left = 0, written = 0;
  EXPECT_EQ(warpaes_operation_finish_bytes(operation.get(), &most_left), WARPAES_OK);
  Bytes rest(most_left);
  EXPECT_EQ(warpaes_operation_finish(operation.get(), rest.data(), rest.size(), &written), WARPAES_OK)
      << warpaes_last_error();
  output.insert(output.end(), rest.begin(), rest.begin() + static_cast<ptrdiff_t>(written));
  return output;
}

using Setting = std::tuple<std::string, unsigned>;

class Chunking : public ::testing::TestWithParam<Setting> {
 protected:
  TestContext context_{std::get<0>(GetParam()).c_str(), std::get<1>(GetParam())};
  bool is_slow() const { return std::get<0>(GetParam()).starts_with("portable"); }
  bool is_gpu() const { return std::get<0>(GetParam()).starts_with("cuda"); }

  void run(Random& random, const OperationRow& row) {
    const Trial trial = random_trial(random, row, is_slow() ? 1 << 15 : 3 << 20);
    const TrialKeys keys(context_, trial);
    Bytes ciphertext = expected_of(trial);
    for (const auto direction : {WARPAES_ENCRYPT, WARPAES_DECRYPT}) {
      if (direction == WARPAES_DECRYPT && makes_tag(row)) break;
      const TestOperation operation(keys.get(), keys.options(direction));
      if (is_gpu() && operation.status() == WARPAES_ERROR_UNSUPPORTED) continue;
      ASSERT_EQ(operation.status(), WARPAES_OK) << warpaes_last_error();
      const bool encrypting = direction == WARPAES_ENCRYPT;
      const Bytes& input = encrypting ? trial.message : ciphertext;
      const Bytes found = in_parts(random, operation, input, random.between(0, 1) == 1);
      if (encrypting && ciphertext.empty()) ciphertext = found;  // XTS-192: there and back
      EXPECT_TRUE(found == (encrypting ? ciphertext : trial.message)) << (encrypting ? "encrypt" : "decrypt");
    }
  }
};

TEST_P(Chunking, AnyPartsGiveTheWhole) {
  const char* const wanted = std::getenv("WARPAES_SEED");
  const uint64_t first = wanted ? std::strtoull(wanted, nullptr, 10) : 1;
  for (uint64_t seed = first; seed < first + (wanted ? 1 : 24); seed++) {
    for (const OperationRow& row : operation_rows()) {
      if (is_gpu() && row.slowness > 1) continue;
      SCOPED_TRACE("WARPAES_SEED=" + std::to_string(seed) + ", " + row.name);
      Random random(seed);
      run(random, row);
      if (HasFailure()) return;
    }
  }
}

TEST_P(Chunking, CounterModeGoesWhereItIsTold) {
  Random random(7);
  const OperationRow& row = *std::find_if(operation_rows().begin(), operation_rows().end(),
                                          [](const OperationRow& r) { return r.mode == WARPAES_MODE_CTR; });
  Trial trial{row, random.bytes(32), Bytes(16, 0xff), 0, 0, random.bytes(5'000)};
  const Bytes whole = expected_of(trial);
  const TrialKeys keys(context_, trial);
  const TestOperation operation(keys.get(), keys.options(WARPAES_ENCRYPT));
  for (int i = 0; i < 200; i++) {
    const size_t at = random.between(0, whole.size()), bytes = random.between(0, whole.size() - at);
    Bytes part(bytes);
    uint64_t written = 0;
    ASSERT_EQ(warpaes_operation_seek(operation.get(), at), WARPAES_OK);
    ASSERT_EQ(warpaes_operation_update(operation.get(), trial.message.data() + at, bytes, part.data(), bytes,
                                       &written),
              WARPAES_OK);
    const auto from = whole.begin() + static_cast<ptrdiff_t>(at);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), from)) << bytes << " bytes at " << at;
  }
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const std::string& engine : usable_engines()) {
    for (const unsigned threads : {1u, 3u}) all.emplace_back(engine, threads);
  }
  all.emplace_back("auto", 2);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Engines, Chunking, ::testing::ValuesIn(settings()), [](const auto& tested) {
  std::string name = std::get<0>(tested.param) + "_" + std::to_string(std::get<1>(tested.param));
  std::replace_if(name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace warpaes::testing
