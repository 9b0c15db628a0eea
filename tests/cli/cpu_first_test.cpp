// Which files are the CPU's without asking for a GPU.
#include "cpu_first.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace warpaes::cli {
namespace {

constexpr uint64_t kGB = 1'000'000'000;

static_assert(cpu_is_done_first(19 * kGB, 10e9) && !cpu_is_done_first(21 * kGB, 10e9));
static_assert(cpu_is_done_first(std::nullopt, 5e9) && !cpu_is_done_first(std::nullopt, 0.5e9));

bool is_the_cpus(const std::string& arguments, std::optional<uint64_t> bytes) {
  CLI::App app;
  EngineOptions options;
  options.add_to(app);
  app.parse(arguments);
  CpuFirst cpu(options, 1);
  const warpaes::Context* const context = cpu.context_for(bytes);
  EXPECT_TRUE(context == nullptr || context->engine(1 << 20) == "openssl");
  EXPECT_EQ(cpu.context_for(bytes), context) << "asked again";
  return context != nullptr;
}

TEST(CpuFirst, HasShortFilesAndNoneThatTakeItLong) {
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1} << 20, kShortFile}) {
    EXPECT_TRUE(is_the_cpus("", bytes)) << bytes;
  }
  EXPECT_FALSE(is_the_cpus("", uint64_t{1} << 50)) << "a PiB";
}

TEST(CpuFirst, LeavesWhatIsNamedToOthers) {
  for (const char* const arguments : {"--engine openssl", "--engine portable", "--device all"}) {
    EXPECT_FALSE(is_the_cpus(arguments, 100)) << arguments;
  }
}

}  // namespace
}  // namespace warpaes::cli
