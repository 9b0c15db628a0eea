// A model of shared memory: how many passes a warp's look-ups take. A GPU's time follows it, and so can an
// attacker; on the CPU it stands in for the GPU's clock.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/lesson.hpp"
#include "primitives/host_device.hpp"

namespace warpaes::core::lab {

/// The words that 32 lanes want, by address / 4. Bank w mod 32 gives one word in a pass, to all who want it:
/// so it is the largest number of different words of one bank.
uint32_t passes_of(const uint32_t (&word)[32]);

/// Where entry `v` of a table with copies lies for a lane: copies of an entry side by side.
WARPAES_HOST_DEVICE constexpr uint32_t word_of_entry(uint32_t v, uint32_t lane, uint32_t copies) {
  return v * copies + lane % copies;
}

/// All passes of each warp of 32 blocks that is full, when AES is encrypted in ECB with one T-table, the last
/// round's S-box taken from it too.
/// @param task its `table_copies` count; the input is used, the output is not
std::vector<uint32_t> passes_of_warps(const Task& task);

}  // namespace warpaes::core::lab
