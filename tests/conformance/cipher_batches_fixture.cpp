#include "cipher_batches_fixture.hpp"

#include <algorithm>

#include "kernels/kernel.hpp"

namespace warpaes::core::conformance {
namespace {

/// Those that have batches and can run here.
std::vector<EngineUnderTest> engines_with_batches() {
  std::vector<EngineUnderTest> here;
  for (const EngineUnderTest& engine : engines_under_test()) {
    const bool can = std::ranges::any_of(
        cipher_rows(), [&](const CipherRow& row) { return has_cipher_batch(*engine.engine, row.mode); });
    if (can && engine.engine->available(0).available) here.push_back(engine);
  }
  return here;
}

}  // namespace

void CipherBatches::expect_right(const CipherExamples& examples) const {
  const uint64_t launches = kernels::launches();
  EXPECT_EQ(difference(engine(), 0, examples), "");
  if (engine().memory == Memory::device) {
    EXPECT_GT(kernels::launches(), launches);
  }
}

namespace {

INSTANTIATE_TEST_SUITE_P(
    Engines, CipherBatches, testing::ValuesIn(engines_with_batches()), [](const auto& test) {
      std::string name = test.param.name();
      std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
      return name;
    });

}  // namespace
}  // namespace warpaes::core::conformance
