// The line of progress, for terminals of all widths.
#include "progress_bar.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>
#include <thread>

#include "failure_report.hpp"

namespace warpaes::cli {
namespace {

constexpr size_t kWidest = 120;

bool ends_in_unit(const std::string& line) {
  for (const std::string_view unit : {" MB", " MB/s", " %", " left"}) {
    if (line.ends_with(unit)) return true;
  }
  return false;
}

TEST(ProgressLine, OfManyFilesLosesWholeFigures) {
  const ProgressState state{"26 of 300 files", 83'400'000, std::nullopt, 832e6};
  EXPECT_EQ(progress_line(state, 40), "26 of 300 files  83.4 MB  832 MB/s");
  EXPECT_EQ(progress_line(state, 35), "26 of 300 files  83.4 MB  832 MB/s");
  EXPECT_EQ(progress_line(state, 30), "26 of 300 files  83.4 MB");
  EXPECT_EQ(progress_line(state, 20), "83.4 MB  832 MB/s");
}

TEST(ProgressLine, IsNeverCutWithinAFigure) {
  const ProgressState state{"a-name-that-is-longer-than-most-of-the-line.tar", 83'400'000, 832'000'000,
                            83.2e6};
  for (size_t columns = 21; columns <= kWidest; columns++) {
    const std::string line = progress_line(state, columns);
    EXPECT_LT(line.size(), columns + std::string_view("…").size());
    EXPECT_TRUE(ends_in_unit(line)) << line;
  }
}

TEST(ProgressBar, IsTakenAwayBeforeAWarning) {
  constexpr std::chrono::milliseconds kLongerThanBetweenTwo{150};
  testing::internal::CaptureStderr();
  {
    ProgressBar bar(true, "name", 100);
    std::this_thread::sleep_for(kLongerThanBetweenTwo);
    bar.update(50);
    print_warning("one");
    print_warning("another");
  }
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(told.ends_with(" left\r\x1b[Kwarpaes: warning: one\nwarpaes: warning: another\n")) << told;
}

TEST(ReadableBytes, OneIsOne) {
  EXPECT_EQ(readable_bytes(0), "0 bytes");
  EXPECT_EQ(readable_bytes(1), "1 byte");
  EXPECT_EQ(readable_bytes(2), "2 bytes");
}

}  // namespace
}  // namespace warpaes::cli
