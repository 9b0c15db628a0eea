// The production kernels on the emulated GPU, as engines like any other: "emulated_gpu/four_tables" and
// "emulated_gpu/two_tables", after the two launch policies of kernels/launch_policy.hpp, and
// "emulated_gpu/bitsliced". Their device memory is the host's.
#pragma once

#include <span>

#include "engines/engine.hpp"

namespace warpaes {

extern const Engine emulated_four_tables, emulated_two_tables, emulated_bitsliced;

/// All of them.
std::span<const Engine* const> emulated_engines();

}  // namespace warpaes
