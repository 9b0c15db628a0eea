// The self-test and the conformance test must find every planted fault and name it, and must find none in a
// right engine.
#include "planted_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "conformance_run.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "engines/self_test.hpp"
#include "failure.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr uint64_t kLargest = 70'000;

/// The faults that are the engines' own. The one that throws says that its GPU has failed, which is no fault
/// of an engine: here it has another status.
const std::vector<PlantedFault>& faults_of_engines() {
  static const std::vector<PlantedFault> faults = [] {
    std::vector<PlantedFault> made(planted_faults().begin(), planted_faults().end());
    const auto throws = std::ranges::find(made, std::string("throws"),
                                          [](const PlantedFault& fault) { return fault.engine.kernel; });
    throws->engine.encrypt_blocks = [](const EngineKey&, const BlockRun&, Stream) {
      throw Failure(WARPAES_ERROR_INTERNAL, "planted: an illegal memory access");
    };
    return made;
  }();
  return faults;
}

TEST(SelfTest, NamesEveryFaultThatItHasACaseFor) {
  for (const PlantedFault& fault : faults_of_engines()) {
    EXPECT_EQ(self_test(fault.engine, 0).failure, fault.self_test) << fault.engine.kernel;
  }
}

/// Of what a CPU's engine is asked before its first use, no answer is left out: each function has a fault.
TEST(SelfTest, ACpuEnginesFirstUseFindsAFaultInEachFunction) {
  const auto expect = [](auto Engine::* function, const auto& wrong, const std::string& words) {
    Engine engine = openssl_evp;
    engine.*function = wrong;
    EXPECT_EQ(self_test(engine, 0, SelfTestExtent::others).failure, words + "output differs");
    EXPECT_NE(self_test(engine, 0, SelfTestExtent::all).failure, "") << words;
  };
  const auto nothing = [](const EngineKey&, const auto&, Stream) {};
  const auto nothing_unchained = [](const EngineKey&, const ChainRun&, void*, Stream) {};
  expect(&Engine::encrypt_blocks, nothing, "ecb-128 encrypt: ");
  expect(&Engine::decrypt_blocks, nothing, "ecb-128 decrypt: ");
  expect(&Engine::counter, nothing, "ctr-128 crypt: ");
  expect(&Engine::cbc_encrypt, nothing, "cbc-128 encrypt: ");
  expect(&Engine::cfb_encrypt, nothing, "cfb-128 encrypt: ");
  expect(&Engine::ofb, nothing, "ofb-128 encrypt: ");
  expect(&Engine::cbc_decrypt, nothing_unchained, "cbc-128 decrypt: ");
  expect(&Engine::cfb_decrypt, nothing_unchained, "cfb-128 decrypt: ");
  expect(
      &Engine::xts, [](const XtsKeys&, Direction, const XtsRun&, Stream) {},
      "xts-256 encrypt data units of 2133 bytes: ");
  for (const auto& [mode, name] : {std::pair(WARPAES_MODE_CCM, "ccm"), {WARPAES_MODE_OCB3, "ocb3"}}) {
    Engine engine = openssl_evp;
    engine.modes[mode].run = [](const BatchKey&, const Batch&, void*, Stream) {};
    EXPECT_EQ(self_test(engine, 0, SelfTestExtent::others).failure,
              name + std::string("-128 encrypt: ciphertext or tag differs"));
  }
}

TEST(SelfTest, AFailedCallOfCudaPassesThrough) {
  int passed = 0;
  for (const PlantedFault& fault : planted_faults()) {
    try {
      self_test(fault.engine, 0);
    } catch (const Failure& failure) {
      passed++;
      EXPECT_STREQ(fault.engine.kernel, "throws");
      EXPECT_EQ(failure.status(), WARPAES_ERROR_CUDA);
    }
  }
  EXPECT_EQ(passed, 1);
}

TEST(SelfTest, RightRowsPassAllChecks) {
  for (const Engine* engine : engine_table()) {
    if (engine->memory != Memory::host) continue;
    const SelfTestReport report = self_test(*engine, 0);
    EXPECT_EQ(report.failure, "") << engine->name;
    for (const SelfTestExtent extent : {SelfTestExtent::gcm, SelfTestExtent::others})
      EXPECT_EQ(self_test(*engine, 0, extent).failure, "") << engine->name;
    EXPECT_GE(report.checks, engine->modes[WARPAES_MODE_GCM].run == nullptr ? 18 : 70) << engine->name;
  }
}

/// So few cases do not have all that is rare: long messages and additional data, a nonce made for its
/// counter.
TEST(Conformance, RandomCasesFindEveryFaultThatIsNotRare) {
  const std::set<std::string> rare = {"carries-out-of-32-bits", "wrong-from-64-kib", "ignores-long-aad",
                                      "ignores-aad-from-4-kib"};
  std::vector<EngineUnderTest> engines;
  for (const PlantedFault& fault : faults_of_engines()) {
    if (rare.contains(fault.engine.kernel)) continue;
    engines.push_back({&fault.engine, kLargest, 1});
    engines.back().only_mode = fault.mode;
  }
  ConformanceRun run(engines, 0, false, nullptr);
  run.run_random(1, 3000);
  for (size_t engine = 0; engine < engines.size(); engine++) {
    bool found = false;
    for (const int key_bits : {128, 192, 256})
      found = found || !run.scores().first_failure(engine, engines[engine].only_mode, key_bits).empty();
    EXPECT_TRUE(found) << engines[engine].name();
  }
}

/// One walk for all faults, with a right engine among them.
TEST(Conformance, GeneratedCasesFindEveryFault) {
  std::vector<EngineUnderTest> engines = {{&openssl_evp, kLargest, 1}};
  for (const PlantedFault& fault : faults_of_engines()) {
    engines.push_back({&fault.engine, kLargest, 1});
    engines.back().only_mode = fault.mode;
  }
  ConformanceRun run(engines, 0, false, nullptr);
  run.run_generated();

  const auto found = [&](size_t engine, const char* mode) {
    for (const int key_bits : {128, 192, 256}) {
      const std::string failure = run.scores().first_failure(engine, mode, key_bits);
      if (!failure.empty()) return failure;
    }
    return std::string();
  };
  for (const char* mode : {"ecb", "ctr", "gcm", "gcm-siv", "ccm", "eax", "ocb3", "siv"})
    EXPECT_EQ(found(0, mode), "");
  size_t engine = 1;
  for (const PlantedFault& fault : faults_of_engines()) {
    EXPECT_NE(found(engine, fault.mode).find(fault.finding), std::string::npos)
        << fault.engine.kernel << " found as: " << found(engine, fault.mode);
    engine++;
  }
}

TEST(Conformance, ARequiredEngineThatCannotRunIsAFailure) {
  Engine absent = openssl_evp;
  absent.available = [](int) { return Availability{false, "planted: not here"}; };
  for (const bool require : {false, true}) {
    ConformanceRun run({{&absent, kLargest, 1}}, 0, require, nullptr);
    EXPECT_EQ(run.scores().passed(), 0u);
    EXPECT_EQ(run.scores().skipped(), 1u);
    EXPECT_EQ(run.scores().failed(), require ? 1u : 0u);
  }
}

TEST(Conformance, AGpuEnginesAnswerWithoutALaunchDoesNotCount) {
  Engine posing = openssl_evp;
  posing.memory = Memory::device;
  Case test;
  test.mode = Mode::ctr;
  test.bytes = 16;
  EXPECT_NE(launch_missing(posing, test, 0), "");
  EXPECT_EQ(launch_missing(posing, test, 1), "");
  EXPECT_EQ(launch_missing(openssl_evp, test, 0), "");
  test.bytes = 0;
  EXPECT_EQ(launch_missing(posing, test, 0), "");
  test.mode = Mode::gcm;  // an empty message has a tag
  EXPECT_NE(launch_missing(posing, test, 0), "");
}

}  // namespace
}  // namespace warpaes::core::conformance
