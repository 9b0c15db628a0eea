// Contexts: engines forced and chosen, options, and what is told when there is no GPU.
#include <algorithm>

#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

warpaes_status create(const warpaes_context_options& wanted) {
  warpaes_context* context = reinterpret_cast<warpaes_context*>(1);
  const warpaes_status status = warpaes_context_create(&wanted, &context);
  EXPECT_EQ(context != nullptr, status == WARPAES_OK);
  if (status == WARPAES_OK) warpaes_context_destroy(context);
  return status;
}

TEST(Context, DefaultsWorkEverywhere) {
  warpaes_context* context = nullptr;
  ASSERT_EQ(warpaes_context_create(nullptr, &context), WARPAES_OK) << warpaes_last_error();
  EXPECT_STREQ(warpaes_context_engine(context, 16), "openssl");
  warpaes_context_destroy(context);
  EXPECT_EQ(warpaes_context_create(nullptr, nullptr), WARPAES_ERROR_NULL_POINTER);
}

TEST(Context, AForcedEngineIsTheOneThatWorks) {
  for (const std::string& name : usable_engines()) {
    const TestContext context(name.c_str());
    const std::string engine = name.substr(0, name.find('/'));
    EXPECT_EQ(warpaes_context_engine(context.get(), 1), engine);
    EXPECT_EQ(warpaes_context_engine(context.get(), uint64_t{1} << 30), engine);
  }
}

TEST(Context, UnknownEnginesAreNamedWithThoseThereAre) {
  for (const char* name : {"", "Cuda", "openss", "portable/", "portable/t", "cuda/openssl"}) {
    EXPECT_EQ(create(options(name)), WARPAES_ERROR_UNKNOWN_ENGINE) << name;
    EXPECT_NE(std::string(warpaes_last_error()).find("portable/fips197"), std::string::npos)
        << warpaes_last_error();
  }
}

TEST(Context, OptionsOfNoMeaningAreRefused) {
  warpaes_context_options wanted = options(nullptr);
  wanted.size--;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_OPTION);
  wanted = options(nullptr);
  wanted.timing = static_cast<warpaes_timing>(3);
  EXPECT_EQ(create(wanted), WARPAES_ERROR_OPTION);
  for (int i = 0; i < 8; i++) {
    wanted = options(nullptr);
    wanted.reserved[i] = 1u << 31;
    EXPECT_EQ(create(wanted), WARPAES_ERROR_OPTION);
  }
  wanted = options(nullptr);
  wanted.device = warpaes_device_count() + 1;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_NO_DEVICE) << "a device asked for by number";
  wanted.device = -1;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_NO_DEVICE);
}

TEST(Context, StrictTimingLeavesOutWhatIsNot) {
  warpaes_context_options wanted = options("portable");
  wanted.timing = WARPAES_TIMING_CONFLICT_FREE;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_ENGINE_UNAVAILABLE);
  EXPECT_NE(std::string(warpaes_last_error()).find("leaky"), std::string::npos) << warpaes_last_error();

  bool strict_there = false;
  for (size_t i = 0; i < warpaes_engine_count(); i++) {
    warpaes_engine_info info = {};
    ASSERT_EQ(warpaes_engine_get(i, &info), WARPAES_OK);
    strict_there |= info.available && info.timing == WARPAES_TIMING_STRICT;
  }
  wanted = options("auto");
  wanted.timing = WARPAES_TIMING_STRICT;
  EXPECT_EQ(create(wanted), strict_there ? WARPAES_OK : WARPAES_ERROR_ENGINE_UNAVAILABLE);
}

/// Whatever is demanded, what works is no weaker: for every row of the table, forced and chosen.
TEST(Context, NoEngineIsWeakerThanDemanded) {
  for (const warpaes_timing demanded : {WARPAES_TIMING_CONFLICT_FREE, WARPAES_TIMING_STRICT}) {
    warpaes_context_options wanted = options("auto");
    wanted.timing = demanded;
    warpaes_context* automatic = nullptr;
    const bool made = warpaes_context_create(&wanted, &automatic) == WARPAES_OK;
    const std::string chosen = made ? warpaes_context_engine(automatic, 1) : "";
    warpaes_timing best_of_chosen = WARPAES_TIMING_LEAKY;
    for (size_t i = 0; i < warpaes_engine_count(); i++) {
      warpaes_engine_info info = {};
      ASSERT_EQ(warpaes_engine_get(i, &info), WARPAES_OK);
      if (info.name == chosen) best_of_chosen = std::max(best_of_chosen, info.timing);
      const std::string name = std::string(info.name) + "/" + info.kernel;
      SCOPED_TRACE(name);
      wanted.engine = name.c_str();
      if (info.timing < demanded) {
        EXPECT_EQ(create(wanted), WARPAES_ERROR_ENGINE_UNAVAILABLE);
        EXPECT_NE(std::string(warpaes_last_error()).find("timing is demanded"), std::string::npos)
            << warpaes_last_error();
      } else {
        EXPECT_EQ(create(wanted) == WARPAES_OK, info.available == 1) << warpaes_last_error();
      }
    }
    EXPECT_EQ(made, best_of_chosen >= demanded);
    warpaes_context_destroy(automatic);
  }
}

TEST(Context, WithoutAGpuAForcedOneIsRefusedAndSaysWhy) {
  if (warpaes_device_count() > 0) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(create(options("cuda")), WARPAES_ERROR_NO_DEVICE);
  const std::string told = warpaes_last_error();
  EXPECT_TRUE(told.find("driver") != std::string::npos || told.find("cudaError") != std::string::npos)
      << told;
  warpaes_device_info device = {};
  EXPECT_EQ(warpaes_device_get(0, &device), WARPAES_ERROR_NO_DEVICE);

  const TestContext context("auto");
  const TestKey key(context, Bytes(16, 0));
  uint8_t block[16] = {};
  EXPECT_EQ(warpaes_ecb_encrypt_device(key.get(), block, block, 16, nullptr), WARPAES_ERROR_UNSUPPORTED);
  EXPECT_NE(std::string(warpaes_last_error()).find("no CUDA device"), std::string::npos)
      << warpaes_last_error();
}

TEST(Engines, EachSaysWhatItIsAndWhyItCannotRun) {
  ASSERT_GE(warpaes_engine_count(), 4u);
  for (size_t i = 0; i < warpaes_engine_count(); i++) {
    warpaes_engine_info info = {};
    ASSERT_EQ(warpaes_engine_get(i, &info), WARPAES_OK);
    EXPECT_STRNE(info.name, "");
    EXPECT_STRNE(info.kernel, "");
    EXPECT_STRNE(info.description, "");
    EXPECT_EQ(info.available == 0, info.reason[0] != '\0') << info.name;
    EXPECT_TRUE(info.available || info.on_device) << info.name << ": " << info.reason;
  }
  warpaes_engine_info info = {};
  EXPECT_EQ(warpaes_engine_get(warpaes_engine_count(), &info), WARPAES_ERROR_UNKNOWN_ENGINE);
  EXPECT_EQ(warpaes_engine_get(0, nullptr), WARPAES_ERROR_NULL_POINTER);
}

TEST(Devices, EachIsDescribed) {
  for (int i = 0; i < warpaes_device_count(); i++) {
    warpaes_device_info info = {};
    ASSERT_EQ(warpaes_device_get(i, &info), WARPAES_OK) << warpaes_last_error();
    EXPECT_STRNE(info.name, "");
    EXPECT_GT(info.multiprocessors, 0);
    EXPECT_GE(info.memory_bytes, info.free_bytes);
  }
  warpaes_device_info info = {};
  EXPECT_EQ(warpaes_device_get(warpaes_device_count(), &info), WARPAES_ERROR_NO_DEVICE);
  EXPECT_EQ(warpaes_device_get(-1, &info), WARPAES_ERROR_NO_DEVICE);
  EXPECT_EQ(warpaes_device_get(0, nullptr), WARPAES_ERROR_NULL_POINTER);
}

}  // namespace
}  // namespace warpaes::testing
