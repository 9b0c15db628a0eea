// The check of a GPU's output finds the faults that it is there for, and no others.
#include "container/output_check.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"
#include "sealed_example.hpp"

namespace warpaes::core::test {
namespace {

using namespace cobblestone;

class OutputCheckTest : public testing::Test {
 protected:
  static constexpr size_t kChunks = 200;

  OutputCheckTest() : on_device_(engine_named("openssl")) { on_device_.memory = Memory::device; }

  void check(OutputChecker& checker, const Bytes& container) const {
    const auto sealed = std::span(container).subspan(kHeaderBytes);
    checker.check(threads_, 0, plaintext_, sealed);
  }
  Salt salt() const {
    Salt salt;
    std::copy_n(container_.begin(), kSaltBytes, salt.begin());
    return salt;
  }

  mutable WorkerThreads threads_{3};
  warpaes::Context context_{{.engine = "openssl"}};
  Bytes key_ = pattern_bytes(32);
  Bytes plaintext_ = pattern_bytes((kChunks - 1) * kChunkBytes + 100);
  Bytes container_ = seal_with(context_, key_, plaintext_);
  Engine on_device_;  // as if a GPU had done it
};

TEST_F(OutputCheckTest, RightOutputPasses) {
  for (const warpaes_container_check extent :
       {WARPAES_CONTAINER_CHECK_NONE, WARPAES_CONTAINER_CHECK_SAMPLE, WARPAES_CONTAINER_CHECK_FULL}) {
    OutputChecker checker(extent, on_device_, WARPAES_TIMING_LEAKY, {.key = key_}, salt());
    EXPECT_NO_THROW(check(checker, container_));
  }
}

TEST_F(OutputCheckTest, FullFindsOneWrongBitAnywhereAndNamesTheChunk) {
  for (const uint64_t chunk : {uint64_t{0}, uint64_t{77}, uint64_t{kChunks - 1}}) {
    Bytes wrong = container_;
    wrong[chunk_offset(chunk) + 99] ^= 1;
    OutputChecker checker(WARPAES_CONTAINER_CHECK_FULL, engine_named("openssl"), WARPAES_TIMING_LEAKY,
                          {.key = key_}, salt());
    try {
      check(checker, wrong);
      ADD_FAILURE() << "not found: chunk " << chunk;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_SELF_TEST);
      EXPECT_NE(std::string(failure.what())
                    .find("openssl/evp encrypted chunk " + std::to_string(chunk) + " wrongly"),
                std::string::npos)
          << failure.what();
    }
  }
}

TEST_F(OutputCheckTest, SampleFindsAFaultInEveryChunk) {
  Bytes wrong = container_;
  for (uint64_t chunk = 0; chunk < kChunks; chunk++) wrong[chunk_offset(chunk) + 50] ^= 1;
  OutputChecker checker(WARPAES_CONTAINER_CHECK_SAMPLE, on_device_, WARPAES_TIMING_LEAKY, {.key = key_},
                        salt());
  EXPECT_THROW(check(checker, wrong), Failure);
}

TEST_F(OutputCheckTest, HowManyChunksAreChecked) {
  const struct {
    warpaes_container_check extent;
    const Engine& engine;
    uint64_t checked;
  } cases[] = {
      {WARPAES_CONTAINER_CHECK_NONE, on_device_, 0},
      {WARPAES_CONTAINER_CHECK_SAMPLE, on_device_, 4},  // ceil(200 / 64)
      {WARPAES_CONTAINER_CHECK_FULL, on_device_, kChunks},
      {WARPAES_CONTAINER_CHECK_SAMPLE, engine_named("openssl"), 0},
      {WARPAES_CONTAINER_CHECK_FULL, engine_named("openssl"), kChunks},
  };
  for (const auto& [extent, engine, checked] : cases) {
    OutputChecker checker(extent, engine, WARPAES_TIMING_LEAKY, {.key = key_}, salt());
    check(checker, container_);
    EXPECT_EQ(checker.checked_chunks(), checked);
  }
}

/// As a CPU without AES instructions is for a context of timing class STRICT.
TEST_F(OutputCheckTest, NoEngineOfAWeakerClassGetsTheKey) {
  const auto stronger = static_cast<TimingClass>(WARPAES_TIMING_STRICT + 1);
  OutputChecker checker(WARPAES_CONTAINER_CHECK_SAMPLE, on_device_, stronger, {.key = key_}, salt());
  check(checker, container_);
  EXPECT_EQ(checker.checked_chunks(), 0u);
  try {
    const OutputChecker refused(WARPAES_CONTAINER_CHECK_FULL, on_device_, stronger, {.key = key_}, salt());
    ADD_FAILURE() << "a check of everything that checks nothing";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), WARPAES_ERROR_ENGINE_UNAVAILABLE) << failure.what();
  }
}

}  // namespace
}  // namespace warpaes::core::test
