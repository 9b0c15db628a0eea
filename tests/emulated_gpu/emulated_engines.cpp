#include "emulated_engines.hpp"

#include "emulated_machine.hpp"
#include "kernels/kernel_rows.hpp"

namespace warpaes::core {
namespace {

/// A kernel of the table on the emulated GPU.
template <class Kernel>
struct EmulatedLauncher {
  /// It needs no preparation, but to name its launch here has it compiled.
  static kernels::CudaError prepare(const LaunchPolicy&) {
    static constexpr auto kLaunch = kernels::emulate<kFourTables, Kernel>;
    return kLaunch == nullptr ? 1 : 0;
  }
};

}  // namespace

constinit const Engine emulated_four_tables =
    lane_private_engine<EmulatedGpu<kFourTables>>(emulated_row("four_tables", WARPAES_TIMING_LEAKY));
constinit const Engine emulated_bitsliced =
    bitsliced_engine<EmulatedGpu<kFourTables>>(emulated_row("bitsliced", WARPAES_TIMING_STRICT));

std::span<const Engine* const> emulated_engines() {
  static constexpr const Engine* kEngines[] = {&emulated_four_tables, &emulated_two_tables,
                                               &emulated_bitsliced,
#ifdef WARPAES_EMULATES_TWO_TABLES_WITH_ROOM
                                               &emulated_two_tables_with_room
#endif
  };
  return kEngines;
}

std::span<const kernels::KernelRow> emulated_kernel_table() {
  static constexpr auto kRows = kernels::kernel_rows<EmulatedLauncher>();
  return kRows;
}

}  // namespace warpaes::core
