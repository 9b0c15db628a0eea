// The engine for GPUs with 99 KiB of shared memory. It is not built under sanitizers, as what it has besides
// the others are other numbers of tables in the same kernels.
#include "emulated_engines.hpp"
#include "emulated_machine.hpp"

namespace warpaes::core {

constinit const Engine emulated_two_tables_with_room = lane_private_engine<EmulatedGpu<kTwoTablesWithRoom>>(
    emulated_row("two_tables_with_room", WARPAES_TIMING_LEAKY));

}  // namespace warpaes::core
