// The production kernels on the emulated GPU, as engines like any other: "emulated_gpu/four_tables" and
// "emulated_gpu/two_tables", after the GPUs of kernels/policy.hpp with much and with little shared memory,
// "emulated_gpu/two_tables_with_room" after those between, and "emulated_gpu/bitsliced". Their device memory
// is the host's.
#pragma once

#include <span>

#include "engines/engine.hpp"
#include "kernels/kernel_table.hpp"

namespace warpaes::core {

extern const Engine emulated_four_tables, emulated_two_tables, emulated_bitsliced;
/// Not in builds with sanitizers.
extern const Engine emulated_two_tables_with_room;

/// All that the build has.
std::span<const Engine* const> emulated_engines();

/// The rows of kernel_table(), whose kernels run on the emulated GPU.
std::span<const kernels::KernelRow> emulated_kernel_table();

}  // namespace warpaes::core
