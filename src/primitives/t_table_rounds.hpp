// AES by T-tables: SubBytes and MixColumns of a byte are one look-up in a table of 256 words, ShiftRows
// is the choice of the bytes (Daemen and Rijmen, AES proposal, section 5.2.1). One table serves all four
// rows, rotated. Its addresses depend on the key: this is the CPU's reference, not its product.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "primitives/byte_order.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core {

/// What differs between the two directions. Row r of column c comes from column c + r * step: ShiftRows
/// goes one way, InvShiftRows the other.
struct TTableDirection {
  const std::array<uint32_t, 256>& table;
  const std::array<uint8_t, 256>& box;
  int step;
};

inline constexpr TTableDirection kTTableEncryption{kT0, kSBox, 1};
inline constexpr TTableDirection kTTableDecryption{kInverseT0, kInverseSBox, 3};

using TTableState = std::array<uint32_t, 4>;  // columns, row 0 in the low bits

/// One inner round: (Inv)SubBytes, (Inv)ShiftRows, (Inv)MixColumns, AddRoundKey.
constexpr TTableState t_table_round(const TTableDirection& direction, const TTableState& state,
                                    const uint32_t* round_key) {
  TTableState next{};
  for (int column = 0; column < 4; column++) {
    next[column] = round_key[column];
    for (int row = 0; row < 4; row++) {
      const uint32_t from = state[(column + row * direction.step) % 4];
      next[column] ^= std::rotl(direction.table[from >> (8 * row) & 0xff], 8 * row);
    }
  }
  return next;
}

/// The last round, which mixes no columns.
constexpr TTableState t_table_last_round(const TTableDirection& direction, const TTableState& state,
                                         const uint32_t* round_key) {
  TTableState next{};
  for (int column = 0; column < 4; column++) {
    next[column] = round_key[column];
    for (int row = 0; row < 4; row++) {
      const uint32_t from = state[(column + row * direction.step) % 4];
      next[column] ^= static_cast<uint32_t>(direction.box[from >> (8 * row) & 0xff]) << (8 * row);
    }
  }
  return next;
}

/// @param keys schedule.encryption() or, decrypting, schedule.decryption()
inline void t_table_block(const TTableDirection& direction, const RoundKeys& keys, int rounds,
                          const uint8_t* input, uint8_t* output) {
  TTableState state;
  for (int i = 0; i < 4; i++) state[i] = load_le32(input + 4 * i) ^ keys.word[i];
  for (int round = 1; round < rounds; round++) state = t_table_round(direction, state, keys.word + 4 * round);
  state = t_table_last_round(direction, state, keys.word + 4 * rounds);
  for (int i = 0; i < 4; i++) store_le32(output + 4 * i, state[i]);
}

}  // namespace warpaes::core
