// Tests contexts: which engines they are forced to use or choose, their options, and what they say where
// there is no GPU.
#include <algorithm>

#include "handles_for_tests.hpp"

namespace warpaes::core::testing {
namespace {

warpaes_status create(const warpaes_context_options& wanted) {
  warpaes_context* context = reinterpret_cast<warpaes_context*>(1);
  const warpaes_status status = warpaes_context_create(&wanted, &context);
  EXPECT_EQ(context != nullptr, status == WARPAES_OK);
  if (status == WARPAES_OK) warpaes_context_destroy(context);
  return status;
}

/// The engine that calls of so many bytes go to.
std::string engine_of(const warpaes_context* context, uint64_t length) {
  const char* name = nullptr;
  EXPECT_EQ(warpaes_context_engine(context, length, &name), WARPAES_OK) << warpaes_last_error();
  return name == nullptr ? "" : name;
}

TEST(Context, DefaultsWorkEverywhere) {
  warpaes_context* context = nullptr;
  ASSERT_EQ(warpaes_context_create(nullptr, &context), WARPAES_OK) << warpaes_last_error();
  const char* name = nullptr;
  EXPECT_EQ(warpaes_context_engine(context, 16, &name), WARPAES_OK);
  EXPECT_STREQ(name, "openssl");
  EXPECT_EQ(warpaes_context_engine(context, 16, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_context_engine(nullptr, 16, &name), WARPAES_ERROR_NULL_POINTER);
  warpaes_context_destroy(context);
  warpaes_context_destroy(nullptr);
  EXPECT_EQ(warpaes_context_create(nullptr, nullptr), WARPAES_ERROR_NULL_POINTER);
}

TEST(Context, AForcedEngineIsTheOneThatWorks) {
  for (const std::string& name : usable_engines()) {
    const TestContext context(name.c_str());
    const std::string engine = name.substr(0, name.find('/'));
    EXPECT_EQ(engine_of(context.get(), 1), engine);
    EXPECT_EQ(engine_of(context.get(), uint64_t{1} << 30), engine);
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
  wanted.timing = 3;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_OPTION);
  wanted = options(nullptr);
  wanted.reserved = 1u << 31;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_OPTION);
  for (const uint32_t threads : {4097u, UINT32_MAX}) {
    EXPECT_EQ(create(options(nullptr, threads)), WARPAES_ERROR_OPTION) << threads;
  }
  wanted = options(nullptr);
  wanted.device = static_cast<int32_t>(number_of_devices()) + 1;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_NO_DEVICE) << "a device asked for by number";
  wanted.device = -1;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_NO_DEVICE);
}

TEST(Context, AListOfDevicesIsCheckedAndAllMayBeNone) {
  const int32_t twice[] = {0, 0}, beyond[] = {static_cast<int32_t>(number_of_devices()) + 1};
  const auto of = [](const int32_t* devices, size_t count, int32_t device = 0) {
    warpaes_context_options wanted = options(nullptr);
    wanted.devices = devices;
    wanted.device_count = count;
    wanted.device = device;
    return create(wanted);
  };
  EXPECT_EQ(of(twice, 2), WARPAES_ERROR_OPTION);
  EXPECT_EQ(of(twice, 0), WARPAES_ERROR_OPTION);
  EXPECT_EQ(of(nullptr, 1), WARPAES_ERROR_OPTION);
  EXPECT_EQ(of(twice, WARPAES_ALL_DEVICES), WARPAES_ERROR_OPTION);
  EXPECT_EQ(of(twice, 1, 1), WARPAES_ERROR_OPTION);
  EXPECT_EQ(of(nullptr, WARPAES_ALL_DEVICES, 1), WARPAES_ERROR_OPTION);
  EXPECT_EQ(of(beyond, 1), WARPAES_ERROR_NO_DEVICE);
  EXPECT_EQ(of(twice, 1), WARPAES_OK) << "device 0, which automatic choice can do without";
  EXPECT_EQ(of(nullptr, WARPAES_ALL_DEVICES), WARPAES_OK) << warpaes_last_error();
}

TEST(Context, StrictTimingLeavesOutWhatIsNot) {
  warpaes_context_options wanted = options("portable");
  wanted.timing = WARPAES_TIMING_CONFLICT_FREE;
  EXPECT_EQ(create(wanted), WARPAES_ERROR_ENGINE_UNAVAILABLE);
  EXPECT_NE(std::string(warpaes_last_error()).find("leaky"), std::string::npos) << warpaes_last_error();

  bool strict_there = false;
  for (const warpaes_engine_info& info : all_engines()) {
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
    const std::string chosen = made ? engine_of(automatic, 1) : "";
    warpaes_timing best_of_chosen = WARPAES_TIMING_LEAKY;
    for (const warpaes_engine_info& info : all_engines()) {
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
  if (number_of_devices() > 0) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(create(options("cuda")), WARPAES_ERROR_NO_DEVICE);
  const std::string told = warpaes_last_error();
  EXPECT_TRUE(told.find("driver") != std::string::npos || told.find("cudaError") != std::string::npos)
      << told;
  auto device = sized<warpaes_device_info>();
  EXPECT_EQ(warpaes_device_get(0, &device), WARPAES_ERROR_NO_DEVICE);

  const TestContext context("auto");
  const TestCipher cipher(context, WARPAES_MODE_ECB, Bytes(16, 0));
  uint8_t block[16] = {};
  auto message = sized<warpaes_message>();
  message.input = message.output = block;
  message.length = message.output_capacity = sizeof block;
  EXPECT_EQ(warpaes_encrypt_device(cipher.get(), &message, nullptr, 0, nullptr), WARPAES_ERROR_UNSUPPORTED);
  EXPECT_NE(std::string(warpaes_last_error()).find("no CUDA device"), std::string::npos)
      << warpaes_last_error();
}

TEST(Engines, EachSaysWhatItIsAndWhyItCannotRun) {
  const std::vector<warpaes_engine_info> engines = all_engines();
  ASSERT_GE(engines.size(), 4u);
  for (const warpaes_engine_info& info : engines) {
    EXPECT_STRNE(info.name, "");
    EXPECT_STRNE(info.kernel, "");
    EXPECT_STRNE(info.description, "");
    EXPECT_EQ(info.available == 0, info.reason[0] != '\0') << info.name;
    EXPECT_TRUE(info.available || info.on_device) << info.name << ": " << info.reason;
  }
  auto info = sized<warpaes_engine_info>();
  EXPECT_EQ(warpaes_engine_get(engines.size(), &info), WARPAES_ERROR_OPTION);
  EXPECT_EQ(warpaes_engine_get(0, nullptr), WARPAES_ERROR_NULL_POINTER);
}

TEST(Devices, EachIsDescribed) {
  const uint32_t count = number_of_devices();
  for (uint32_t i = 0; i < count; i++) {
    auto info = sized<warpaes_device_info>();
    ASSERT_EQ(warpaes_device_get(i, &info), WARPAES_OK) << warpaes_last_error();
    EXPECT_STRNE(info.name, "");
    EXPECT_GT(info.multiprocessors, 0);
    EXPECT_GE(info.memory_size, info.memory_free);
  }
  auto info = sized<warpaes_device_info>();
  EXPECT_EQ(warpaes_device_get(count, &info), WARPAES_ERROR_NO_DEVICE);
  EXPECT_EQ(warpaes_device_get(UINT32_MAX, &info), WARPAES_ERROR_NO_DEVICE);
  EXPECT_EQ(warpaes_device_get(count, nullptr), WARPAES_ERROR_NO_DEVICE);
  EXPECT_EQ(warpaes_device_get(UINT32_MAX, nullptr), WARPAES_ERROR_NO_DEVICE);
}

/// Page-locked where there is a GPU, ordinary memory elsewhere: zero at first, and as good as any other.
TEST(HostMemory, IsGivenAndTakenBack) {
  const TestContext context("auto");
  for (const size_t length : {size_t{1}, size_t{4096}, size_t{10'000'000}}) {
    void* memory = nullptr;
    ASSERT_EQ(warpaes_host_alloc(context.get(), length, &memory), WARPAES_OK) << warpaes_last_error();
    auto* const bytes = static_cast<uint8_t*>(memory);
    EXPECT_EQ(std::count(bytes, bytes + length, 0), static_cast<ptrdiff_t>(length));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 16, 0u);
    std::fill_n(bytes, length, uint8_t{1});
    EXPECT_EQ(warpaes_host_free(context.get(), memory), WARPAES_OK) << warpaes_last_error();
  }
  EXPECT_EQ(warpaes_host_free(context.get(), nullptr), WARPAES_OK);
}

TEST(HostMemory, MisuseIsRefused) {
  const TestContext context("openssl"), other("openssl");
  void* memory = reinterpret_cast<void*>(1);
  EXPECT_EQ(warpaes_host_alloc(nullptr, 16, &memory), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_host_alloc(context.get(), 16, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_host_alloc(context.get(), SIZE_MAX, &memory), WARPAES_ERROR_HOST_MEMORY);
  EXPECT_EQ(memory, nullptr);
  ASSERT_EQ(warpaes_host_alloc(context.get(), 100, &memory), WARPAES_OK);
  EXPECT_EQ(warpaes_host_free(nullptr, memory), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_host_free(context.get(), static_cast<uint8_t*>(memory) + 1), WARPAES_ERROR_OPTION);
  EXPECT_EQ(warpaes_host_free(other.get(), memory), WARPAES_ERROR_OPTION);
  EXPECT_EQ(warpaes_host_free(context.get(), memory), WARPAES_OK);
  EXPECT_EQ(warpaes_host_free(context.get(), memory), WARPAES_ERROR_OPTION) << "it was freed before";
}

}  // namespace
}  // namespace warpaes::core::testing
