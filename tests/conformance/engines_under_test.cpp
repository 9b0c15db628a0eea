#include "engines_under_test.hpp"

#include <deque>

#include "emulated_engines.hpp"
#include "generated_cases.hpp"

namespace warpaes::core::conformance {
namespace {

/// Emulation runs a thread after another, and its grid is small: batches of 300 KB reach every path.
constexpr uint64_t kLargestEmulated = 300'009;
// Longer messages of the slowest engines would take a minute. These are several groups of 4 KiB for each of
// the six warps of the emulated GPU; and a CPU's threads share those of every engine alike.
constexpr uint64_t kLargestOfSlow = 66'000;
constexpr unsigned kEmulatedSample = 7;

struct ComposedEngine {
  std::string kernel;
  Engine row;
};

/// The row without its fused functions, so that modes compose them from its blocks.
const Engine& composed_form(const Engine& engine) {
  static std::deque<ComposedEngine> rows;  // a deque, so that rows stay where they are
  ComposedEngine& composed = rows.emplace_back(std::string(engine.kernel) + "-composed", engine);
  composed.row.kernel = composed.kernel.c_str();
  composed.row.counter = nullptr;
  composed.row.modes = {};
  composed.row.cbc_encrypt = composed.row.cfb_encrypt = composed.row.ofb = nullptr;
  composed.row.cbc_decrypt = composed.row.cfb_decrypt = nullptr;
  composed.row.xts = nullptr;
  return composed.row;
}

uint64_t largest_of(const Engine& engine) {
  if (engine.memory != Memory::host) return kLargestOnGpu;
  return engine.kernel == std::string_view("fips197") ? kLargestOfSlow : kLargestOnCpu;
}

uint64_t largest_of_emulated(const Engine& engine) {
  return std::string_view(engine.kernel).starts_with("two_tables") ? kLargestOfSlow : kLargestEmulated;
}

}  // namespace

std::vector<EngineUnderTest> engines_under_test() {
  std::vector<EngineUnderTest> engines;
  for (const Engine* engine : engine_table()) {
    const bool on_host = engine->memory == Memory::host;
    engines.push_back({engine, largest_of(*engine), 1, on_host});
    if (on_host && engine->modes[WARPAES_MODE_GCM].run != nullptr)
      engines.push_back({&composed_form(*engine), kLargestOnCpu, 1});
  }
  for (const Engine* engine : emulated_engines())
    engines.push_back({engine, largest_of_emulated(*engine), kEmulatedSample, false});
  return engines;
}

}  // namespace warpaes::core::conformance
