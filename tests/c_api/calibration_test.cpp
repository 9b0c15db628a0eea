// Tests what warpaes_context_calibrate() tells and where it stores it. What contexts make of the file is in
// tests/properties/speed_store_test.cpp.
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "handles_for_tests.hpp"
#include "warpaes/warpaes.hpp"

namespace warpaes::core::testing {
namespace {

namespace fs = std::filesystem;

/// A cache folder of the test's own.
class Calibration : public ::testing::Test {
 protected:
  Calibration() {
    char name[] = "/tmp/warpaes-calibration-XXXXXX";
    if (mkdtemp(name) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp");
    folder_ = name;
    setenv("XDG_CACHE_HOME", name, 1);
  }
  ~Calibration() override {
    unsetenv("XDG_CACHE_HOME");
    fs::remove_all(folder_);
  }

  fs::path folder_;
};

bool is_true_or_false(uint32_t flag) { return flag <= 1; }

void expect_plausible(const warpaes_calibration& calibration) {
  ASSERT_EQ(calibration.speed_count, 12u);
  for (size_t i = 0; i < calibration.speed_count; i++) {
    const warpaes_host_speed& speed = calibration.speeds[i];
    SCOPED_TRACE(i);
    constexpr const char* kWork[] = {"stream", "gcm", "chained"};
    EXPECT_STREQ(speed.work, kWork[i / 4]);
    EXPECT_EQ(speed.least_length, uint64_t{4} << (20 + i % 4 * 2));
    EXPECT_GT(speed.one_thread, 0);
    EXPECT_GT(speed.all_threads, 0);
    EXPECT_TRUE(is_true_or_false(speed.gpu_for_pageable) && is_true_or_false(speed.gpu_for_pinned));
    EXPECT_EQ(speed.gpu_for_pinned == 1, speed.with_gpu_pinned > 1.05 * speed.all_threads);
    EXPECT_EQ(speed.gpu_for_pageable == 1, speed.with_gpu_pageable > 1.05 * speed.all_threads);
  }
  EXPECT_EQ(calibration.speeds[calibration.speed_count].work, nullptr);
}

TEST_F(Calibration, IsToldAndStored) {
  const warpaes::Calibration told = warpaes::Context().calibrate();
  expect_plausible(told);
  EXPECT_EQ(told.why_no_gpu[0] == '\0', number_of_devices() > 0) << told.why_no_gpu;
  const fs::path file = told.file;
  EXPECT_EQ(file.parent_path(), folder_ / "warpaes");
  EXPECT_TRUE(fs::is_regular_file(file)) << file;
}

/// By a program that knows nothing of the members behind the speeds.
TEST_F(Calibration, IsToldEvenIfItCannotBeStored) {
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  const TestContext context("auto");
  warpaes_calibration calibration;
  std::memset(&calibration, 0x7f, sizeof calibration);
  calibration.size = offsetof(warpaes_calibration, file);
  EXPECT_EQ(warpaes_context_calibrate(context.get(), &calibration), WARPAES_ERROR_FILE);
  const std::string told = warpaes_last_error();
  EXPECT_TRUE(told.starts_with("the speeds cannot be stored in /dev/null/warpaes/speeds-")) << told;
  EXPECT_TRUE(told.ends_with(".txt: Not a directory")) << told;
  expect_plausible(calibration);
  EXPECT_EQ(calibration.size, offsetof(warpaes_calibration, file));
  EXPECT_TRUE(calibration.file[0] == 0x7f && calibration.why_no_gpu[255] == 0x7f);
}

TEST_F(Calibration, IsOfContextsThatHaveAChoice) {
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str());
    auto calibration = sized<warpaes_calibration>();
    EXPECT_EQ(warpaes_context_calibrate(context.get(), &calibration), WARPAES_ERROR_UNSUPPORTED) << engine;
    EXPECT_NE(std::string(warpaes_last_error()).find("\"auto\""), std::string::npos) << warpaes_last_error();
    EXPECT_EQ(calibration.speed_count, 0u);
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Calibration, WrongArgumentsAreRefusedBeforeAnythingIsMeasured) {
  const TestContext context("auto");
  auto calibration = sized<warpaes_calibration>();
  EXPECT_EQ(warpaes_context_calibrate(nullptr, &calibration), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_context_calibrate(context.get(), nullptr), WARPAES_ERROR_NULL_POINTER);
  for (const size_t size : {size_t{0}, size_t{1}, SIZE_MAX}) {
    calibration.size = size;
    EXPECT_EQ(warpaes_context_calibrate(context.get(), &calibration), WARPAES_ERROR_OPTION) << size;
  }
  EXPECT_EQ(calibration.speed_count, 0u);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace warpaes::core::testing
