#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "engines/engine.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "failure.hpp"
#include "planted_faults.hpp"

namespace warpaes::core {
namespace {

TEST(EngineTable, BestFirst) {
  std::vector<std::string> names;
  for (const Engine* engine : engine_table())
    names.push_back(std::string(engine->name) + "/" + engine->kernel);
  EXPECT_EQ(names, (std::vector<std::string>{"cuda/lane_private_tables", "cuda/bitsliced", "openssl/evp",
                                             "portable/t_tables", "portable/fips197"}));
}

TEST(EngineTable, FindsByNameAndByKernel) {
  EXPECT_EQ(&engine_named("openssl"), &openssl_evp);
  EXPECT_STREQ(engine_named("portable").kernel, "t_tables");
  EXPECT_STREQ(engine_named("portable/fips197").kernel, "fips197");
}

TEST(EngineTable, UnknownNamesAreToldTheKnownOnes) {
  for (const char* name : {"", "opencl", "portable/", "portable/evp", "OPENSSL"}) {
    try {
      engine_named(name);
      ADD_FAILURE() << name << " found";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_UNKNOWN_ENGINE);
      EXPECT_EQ(failure.what(), "there is no engine \"" + std::string(name) +
                                    "\"; there are cuda/lane_private_tables, cuda/bitsliced, openssl/evp, "
                                    "portable/t_tables, portable/fips197");
    }
  }
}

/// A name of several rows is that of the first whose class is strict enough.
TEST(EngineTable, ATimingClassIsDemandedByName) {
  EXPECT_EQ(&engine_named("portable", WARPAES_TIMING_LEAKY), &engine_named("portable/t_tables"));
  for (const Engine* engine : engine_table()) {
    for (const TimingClass demanded : {WARPAES_TIMING_CONFLICT_FREE, WARPAES_TIMING_STRICT}) {
      SCOPED_TRACE(full_name(*engine) + ", " + timing_name(demanded));
      try {
        EXPECT_EQ(&engine_named(full_name(*engine), demanded), engine);
        EXPECT_GE(engine->timing, demanded);
        EXPECT_GE(engine_named(engine->name, demanded).timing, demanded);
      } catch (const Failure& failure) {
        EXPECT_LT(engine->timing, demanded);
        EXPECT_EQ(failure.status(), WARPAES_ERROR_ENGINE_UNAVAILABLE);
        EXPECT_EQ(failure.what(), full_name(*engine) + " is " + timing_name(engine->timing) + ", and " +
                                      timing_name(demanded) +
                                      " timing is demanded: choose another engine or demand less");
      }
    }
  }
}

TEST(EngineTable, EveryHostEngineIsUsable) {
  for (const Engine* engine : engine_table()) {
    if (engine->memory != Memory::host) continue;
    EXPECT_EQ(usable(*engine, 0).reason, "");
  }
}

TEST(EngineTable, OpensslSaysWhatItUsesAndIsStrictOnlyWithIt) {
  const bool instructions = std::strstr(openssl_evp.description, "with AES instructions") != nullptr;
  EXPECT_EQ(openssl_evp.timing == WARPAES_TIMING_STRICT, instructions) << openssl_evp.description;
}

TEST(Usable, TakesAFaultyEngineOutByName) {
  const Engine& faulty = conformance::planted_faults()[0].engine;
  const Availability availability = usable(faulty, 0);
  EXPECT_FALSE(availability.available);
  EXPECT_TRUE(availability.failed_self_test);
  EXPECT_EQ(availability.reason,
            "faulty/wrong-from-64-kib failed its self-test: ecb-128 long encrypt: output differs");
}

/// GCM's test has found nothing; once another has, the engine is good for nothing.
TEST(Usable, AFaultInAnotherModeIsFoundWhenThatIsTested) {
  const auto faults = conformance::planted_faults();
  const auto expect_found = [&](const char* kernel, SelfTestExtent extent, const std::string& words) {
    SCOPED_TRACE(kernel);
    const auto found =
        std::ranges::find(faults, std::string(kernel), [](const auto& fault) { return fault.engine.kernel; });
    ASSERT_NE(found, faults.end());
    EXPECT_TRUE(usable(found->engine, 0, SelfTestExtent::gcm).available);
    EXPECT_NO_THROW(require_usable(found->engine, 0, SelfTestExtent::gcm));
    try {
      require_usable(found->engine, 0, extent);
      ADD_FAILURE() << "it passed";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_SELF_TEST);
      EXPECT_NE(std::string(failure.what()).find(words), std::string::npos) << failure.what();
    }
    EXPECT_TRUE(usable(found->engine, 0, SelfTestExtent::gcm).failed_self_test);
  };
  expect_found("loses-the-tail", SelfTestExtent::all, "ctr-128 long crypt: output differs");
  expect_found("counts-in-32-bits", SelfTestExtent::others, "ctr-256 brief crypt: output differs");
}

/// A short file waits for the test of the CPU's engine.
TEST(Usable, WhatIsTestedAtFirstUseIsShortOnACpu) {
  static std::atomic<uint64_t> bytes = 0;
  static Engine counting = openssl_evp;
  counting.encrypt_blocks = [](const EngineKey& key, const BlockRun& run, Stream stream) {
    bytes += run.bytes;
    openssl_evp.encrypt_blocks(key, run, stream);
  };
  counting.counter = [](const EngineKey& key, const CounterRun& run, Stream stream) {
    bytes += run.bytes;
    openssl_evp.counter(key, run, stream);
  };
  for (const SelfTestExtent extent : {SelfTestExtent::gcm, SelfTestExtent::others}) {
    bytes = 0;
    EXPECT_TRUE(usable(counting, 0, extent).available);
    EXPECT_LT(bytes, 8192u);
  }
  EXPECT_TRUE(usable(counting, 0).available);
  EXPECT_GT(bytes, 200'000u);
}

TEST(Usable, AbsentIsNotFaulty) {
  static Engine absent = openssl_evp;
  absent.available = [](int) { return Availability{false, "not here"}; };
  const Availability availability = usable(absent, 0);
  EXPECT_FALSE(availability.available);
  EXPECT_FALSE(availability.failed_self_test);
  EXPECT_EQ(availability.reason, "not here");
  absent.available = openssl_evp.available;
  EXPECT_TRUE(usable(absent, 0).available) << "what was not there is asked again";
}

/// For a moment there was no memory: that is told, and the next to ask finds a sound engine.
TEST(Usable, LackOfMemoryIsNoFault) {
  static int failures = 0;
  static Engine starved = openssl_evp;
  starved.prepare = [](const KeySchedule& schedule, int device) {
    if (failures++ == 0) throw Failure(WARPAES_ERROR_DEVICE_MEMORY, "no memory");
    if (failures == 2) throw std::bad_alloc();
    if (failures == 3) throw Failure(WARPAES_ERROR_CAPTURE, "not now");
    return openssl_evp.prepare(schedule, device);
  };
  EXPECT_THROW(usable(starved, 0), Failure);
  EXPECT_THROW(usable(starved, 0), std::bad_alloc);
  EXPECT_THROW(usable(starved, 0), Failure);
  EXPECT_TRUE(usable(starved, 0).available);
}

/// A GPU whose driver fails a call in the middle of the test has not computed wrongly, and is asked again.
TEST(Usable, AFailedCallOfCudaIsNoWrongAnswer) {
  static Status status = WARPAES_OK;
  static Engine unwell = openssl_evp;
  unwell.prepare = [](const KeySchedule& schedule, int device) {
    if (status != WARPAES_OK) throw Failure(status, "cudaMemcpyAsync failed");
    return openssl_evp.prepare(schedule, device);
  };
  for (const Status failed : {WARPAES_ERROR_CUDA, WARPAES_ERROR_NO_DEVICE}) {
    status = failed;
    const Availability availability = usable(unwell, 0);
    EXPECT_FALSE(availability.available);
    EXPECT_FALSE(availability.failed_self_test);
    EXPECT_EQ(availability.reason,
              full_name(unwell) + " came to no end of its self-test: cudaMemcpyAsync failed");
  }
  status = WARPAES_OK;
  EXPECT_TRUE(usable(unwell, 0).available);
}

/// An engine that counts the keys that are prepared: a self-test sets one for each known answer.
template <int which>
struct Counted {
  static inline std::atomic<int> prepared = 0;
  static Engine& engine() {
    static Engine row = [] {
      Engine counting = openssl_evp;
      counting.prepare = [](const KeySchedule& schedule, int device) {
        prepared++;
        return openssl_evp.prepare(schedule, device);
      };
      return counting;
    }();
    return row;
  }
};

/// Threads that ask while the test is under way do the same one, as nobody waits under a lock; nobody tests
/// again after that.
TEST(Usable, TestsAThreadOnceAtMost) {
  using Alone = Counted<0>;
  using Shared = Counted<1>;
  EXPECT_TRUE(usable(Alone::engine(), 0).available);
  EXPECT_GT(Alone::prepared, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++) {
    threads.emplace_back([] { EXPECT_TRUE(usable(Shared::engine(), 0).available); });
  }
  for (std::thread& thread : threads) thread.join();
  const int after_all = Shared::prepared;
  EXPECT_GE(after_all, Alone::prepared);
  EXPECT_LE(after_all, 8 * Alone::prepared);
  EXPECT_TRUE(usable(Shared::engine(), 0).available);
  EXPECT_EQ(Shared::prepared, after_all);
}

}  // namespace
}  // namespace warpaes::core
