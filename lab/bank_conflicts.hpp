// A model of shared memory: how many passes the look-ups of a warp take. The time on a GPU follows that
// number, so an attacker can learn it. On the CPU the model stands in for the GPU's clock.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/lesson.hpp"
#include "primitives/host_device.hpp"

namespace warpaes::core::lab {

/// @param word the addresses, divided by 4, of the words that 32 lanes want
/// @return how many passes that takes. Bank w mod 32 delivers one word in a pass, to all lanes that want it;
///        so the result is the largest number of different words that are in one bank
uint32_t passes_of(const uint32_t (&word)[32]);

/// Where entry `v` of a replicated table lies for a lane. The copies of an entry lie side by side.
WARPAES_HOST_DEVICE constexpr uint32_t word_of_entry(uint32_t v, uint32_t lane, uint32_t copies) {
  return v * copies + lane % copies;
}

/// For each full warp of 32 blocks, the sum of all passes when it encrypts AES in ECB with one T-table, from
/// which the last round takes its S-box as well.
/// @param task its `table_copies` counts; its input is used, its output is not
std::vector<uint32_t> passes_of_warps(const Task& task);

}  // namespace warpaes::core::lab
