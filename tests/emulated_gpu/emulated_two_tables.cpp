// The engine for GPUs with little shared memory in a file of its own: all kernels compiled once more take as
// long as those of the other engines together.
#include "emulated_engines.hpp"
#include "emulated_machine.hpp"

namespace warpaes::core {

constinit const Engine emulated_two_tables =
    lane_private_engine<EmulatedGpu<kTwoTables>>(emulated_identity("two_tables", WARPAES_TIMING_LEAKY));

}  // namespace warpaes::core
