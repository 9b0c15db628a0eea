// The engine for GPUs with little shared memory. It is in a file of its own because it takes as long to
// compile all kernels once more as to compile all other engines.
#include "emulated_engines.hpp"
#include "emulated_machine.hpp"

namespace warpaes::core {

constinit const Engine emulated_two_tables =
    lane_private_engine<EmulatedGpu<kTwoTables>>(emulated_row("two_tables", WARPAES_TIMING_LEAKY));

}  // namespace warpaes::core
