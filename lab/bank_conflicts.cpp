#include "lab/bank_conflicts.hpp"

#include <algorithm>
#include <array>

#include "primitives/t_table_rounds.hpp"

namespace warpaes::core::lab {
namespace {

constexpr uint32_t kLanes = 32, kBanks = 32;

using WarpState = std::array<TTableState, kLanes>;

/// The passes of the 16 look-ups of a round. In each look-up, all lanes use the byte at the same place.
uint32_t passes_of_round(const WarpState& state, uint32_t copies) {
  uint32_t passes = 0;
  for (int place = 0; place < 16; place++) {
    uint32_t word[kLanes];
    for (uint32_t lane = 0; lane < kLanes; lane++) {
      const uint32_t byte = state[lane][place / 4] >> (8 * (place % 4)) & 0xff;
      word[lane] = word_of_entry(byte, lane, copies);
    }
    passes += passes_of(word);
  }
  return passes;
}

uint32_t passes_of_warp(const Task& task, const uint8_t* blocks) {
  const uint32_t* const keys = task.schedule.encryption().word;
  WarpState state;
  for (uint32_t lane = 0; lane < kLanes; lane++) {
    for (int c = 0; c < 4; c++) state[lane][c] = load_le32(blocks + 16 * lane + 4 * c) ^ keys[c];
  }
  uint32_t passes = 0;
  for (int round = 1; round <= task.schedule.rounds(); round++) {
    passes += passes_of_round(state, task.variant.shape.table_copies);
    for (TTableState& s : state) s = t_table_round(kTTableEncryption, s, keys + 4 * round);
  }
  return passes;
}

/// The passes for words at any addresses, found by sorting them.
uint32_t passes_of_sorted(const uint32_t (&word)[32]) {
  std::array<uint32_t, kLanes> sorted;
  std::copy(word, word + kLanes, sorted.begin());
  std::sort(sorted.begin(), sorted.end());
  std::array<uint32_t, kBanks> wanted{};
  for (uint32_t i = 0; i < kLanes; i++) {
    if (i == 0 || sorted[i] != sorted[i - 1]) wanted[sorted[i] % kBanks]++;
  }
  return *std::max_element(wanted.begin(), wanted.end());
}

}  // namespace

uint32_t passes_of(const uint32_t (&word)[32]) {
  // A bit for each word of a bank, as many as 32 copies of a table have, is fast; an attack asks millions of
  // times.
  constexpr uint32_t kBits = 64, kRows = 4 * kBits;
  std::array<std::array<uint64_t, kRows / kBits>, kBanks> rows{};
  std::array<uint8_t, kBanks> wanted{};
  uint32_t most = 0, beyond = 0;
  for (const uint32_t w : word) {
    const uint32_t bank = w % kBanks;
    uint64_t& mask = rows[bank][w / kBanks / kBits % (kRows / kBits)];
    const uint64_t bit = uint64_t{1} << (w / kBanks % kBits);
    wanted[bank] = static_cast<uint8_t>(wanted[bank] + ((mask & bit) == 0 ? 1 : 0));
    mask |= bit;
    most = std::max<uint32_t>(most, wanted[bank]);
    beyond |= w / (kBanks * kRows);
  }
  return beyond == 0 ? most : passes_of_sorted(word);
}

std::vector<uint32_t> passes_of_warps(const Task& task) {
  std::vector<uint32_t> passes(task.bytes / (16 * kLanes));
  for (size_t i = 0; i < passes.size(); i++) passes[i] = passes_of_warp(task, task.input + 16 * kLanes * i);
  return passes;
}

}  // namespace warpaes::core::lab
