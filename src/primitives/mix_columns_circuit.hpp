// MixColumns and its inverse, each with AddRoundKey, as circuits of XOR gates with three inputs.
// Made by devtools/derive_mix_columns_circuit.py, which also checks it; docs/design/bitsliced.md tells how.
#pragma once

#include <cstdint>

#include "primitives/lop3.hpp"

namespace warpaes::core {

/// MixColumns, FIPS 197 section 5.1.3, plus a round key, on the 32 words of SlicedState.
/// 65 gates, at most 36 values at a time. Key words go in where a gate has an input to spare:
/// bitsliced_keys.hpp finds the words that add up to the round key wanted.
/// @param key 32 words
// NOLINTNEXTLINE(readability-function-size): generated
WARPAES_HOST_DEVICE void mix_columns_circuit(uint32_t (&word)[32], const uint32_t* key) {
  const uint32_t x00 = word[0], x01 = word[4], x02 = word[8], x03 = word[12], x04 = word[16], x05 = word[20],
                 x06 = word[24], x07 = word[28], x10 = word[1], x11 = word[5], x12 = word[9], x13 = word[13],
                 x14 = word[17], x15 = word[21], x16 = word[25], x17 = word[29], x20 = word[2], x21 = word[6],
                 x22 = word[10], x23 = word[14], x24 = word[18], x25 = word[22], x26 = word[26],
                 x27 = word[30], x30 = word[3], x31 = word[7], x32 = word[11], x33 = word[15], x34 = word[19],
                 x35 = word[23], x36 = word[27], x37 = word[31], g0 = lop3<0x96>(x10, x20, key[0]),
                 g1 = lop3<0x96>(x01, x11, key[1]), g2 = lop3<0x96>(x07, x37, key[2]),
                 g3 = lop3<0x96>(x17, x37, key[3]), g4 = lop3<0x96>(x17, x27, key[4]),
                 g5 = lop3<0x96>(x03, x33, key[5]), g6 = lop3<0x96>(x16, x26, key[6]),
                 g7 = lop3<0x96>(x05, x15, key[7]), g8 = lop3<0x96>(x05, x35, key[8]),
                 g9 = lop3<0x96>(x27, g2, g6), g10 = lop3<0x96>(x06, x27, key[9]),
                 g11 = lop3<0x96>(x16, g3, g10), g12 = lop3<0x96>(x16, x36, key[10]),
                 g13 = lop3<0x96>(x25, x35, key[11]), g14 = lop3<0x96>(x06, g12, g13),
                 g15 = lop3<0x96>(x06, g6, g8), g16 = lop3<0x96>(x36, g6, g7),
                 g17 = lop3<0x96>(g8, g16, key[12]), g18 = lop3<0x96>(x36, g14, g17),
                 g19 = lop3<0x96>(x14, g8, key[13]), g20 = lop3<0x96>(x24, x34, key[14]),
                 g21 = lop3<0x96>(x35, g7, g20), g22 = lop3<0x96>(x04, x25, g7),
                 g23 = lop3<0x96>(x24, x25, g19), g24 = lop3<0x96>(g19, g22, key[15]),
                 g25 = lop3<0x96>(x34, g22, key[16]), g26 = lop3<0x96>(x13, g3, key[17]),
                 g27 = lop3<0x96>(x03, g2, g26), g28 = lop3<0x96>(x14, g20, g27),
                 g29 = lop3<0x96>(x23, g4, key[18]), g30 = lop3<0x96>(x13, g20, g29),
                 g31 = lop3<0x96>(x04, g30, key[19]), g32 = lop3<0x96>(g2, g28, g31),
                 g33 = lop3<0x96>(x34, g5, g32), g34 = lop3<0x96>(g27, g30, g33),
                 g35 = lop3<0x96>(x23, g27, key[20]), g36 = lop3<0x96>(x12, g5, key[21]),
                 g37 = lop3<0x96>(x22, g29, g36), g38 = lop3<0x96>(x22, x32, key[22]),
                 g39 = lop3<0x96>(x02, x32, key[23]), g40 = lop3<0x96>(x21, x31, key[24]),
                 g41 = lop3<0x96>(x01, g40, key[25]), g42 = lop3<0x96>(x12, g39, g40),
                 g43 = lop3<0x96>(g5, g38, key[26]), g44 = lop3<0x96>(g3, g35, g39),
                 g45 = lop3<0x96>(x02, g35, g36), g46 = lop3<0x96>(g1, g36, g43),
                 g47 = lop3<0x96>(g4, g26, g43), g48 = lop3<0x96>(x00, x30, key[27]),
                 g49 = lop3<0x96>(x20, g4, g48), g50 = lop3<0x96>(x31, g38, g41),
                 g51 = lop3<0x96>(g0, g4, g41), g52 = lop3<0x96>(g4, g9, g12), g53 = lop3<0x96>(g2, g11, g12),
                 g54 = lop3<0x96>(g2, g48, key[28]), g55 = lop3<0x96>(x00, g0, g2),
                 g56 = lop3<0x96>(g3, g48, g55), g57 = lop3<0x96>(g3, g49, key[29]),
                 g58 = lop3<0x96>(g0, g57, key[30]), g59 = lop3<0x96>(x00, g1, g57),
                 g60 = lop3<0x96>(x21, g1, g54), g61 = lop3<0x96>(x02, g1, g50),
                 g62 = lop3<0x96>(x31, g59, key[31]), g63 = lop3<0x96>(g51, g54, g59), g64 = g42 ^ g50;
  word[0] = g56, word[1] = g49, word[2] = g58, word[3] = g55, word[4] = g63, word[5] = g51, word[6] = g62,
  word[7] = g60, word[8] = g46, word[9] = g61, word[10] = g42, word[11] = g64, word[12] = g45, word[13] = g37,
  word[14] = g47, word[15] = g44, word[16] = g28, word[17] = g31, word[18] = g33, word[19] = g34,
  word[20] = g24, word[21] = g23, word[22] = g21, word[23] = g25, word[24] = g16, word[25] = g18,
  word[26] = g14, word[27] = g15, word[28] = g11, word[29] = g9, word[30] = g52, word[31] = g53;
}

/// InvMixColumns, FIPS 197 section 5.3.3, plus a round key, on the 32 words of SlicedState.
/// 71 gates, at most 38 values at a time. Key words go in where a gate has an input to spare:
/// bitsliced_keys.hpp finds the words that add up to the round key wanted.
/// @param key 32 words
// NOLINTNEXTLINE(readability-function-size): generated
WARPAES_HOST_DEVICE void inverse_mix_columns_circuit(uint32_t (&word)[32], const uint32_t* key) {
  const uint32_t x00 = word[0], x01 = word[4], x02 = word[8], x03 = word[12], x04 = word[16], x05 = word[20],
                 x06 = word[24], x07 = word[28], x10 = word[1], x11 = word[5], x12 = word[9], x13 = word[13],
                 x14 = word[17], x15 = word[21], x16 = word[25], x17 = word[29], x20 = word[2], x21 = word[6],
                 x22 = word[10], x23 = word[14], x24 = word[18], x25 = word[22], x26 = word[26],
                 x27 = word[30], x30 = word[3], x31 = word[7], x32 = word[11], x33 = word[15], x34 = word[19],
                 x35 = word[23], x36 = word[27], x37 = word[31], g0 = lop3<0x96>(x06, x26, key[0]),
                 g1 = lop3<0x96>(x10, x30, key[1]), g2 = lop3<0x96>(x01, x21, key[2]),
                 g3 = lop3<0x96>(x01, g1, key[3]), g4 = lop3<0x96>(x00, x20, g1),
                 g5 = lop3<0x96>(x13, x33, key[4]), g6 = lop3<0x96>(x15, x35, key[5]),
                 g7 = lop3<0x96>(x05, x25, g6), g8 = lop3<0x96>(x02, x22, key[6]),
                 g9 = lop3<0x96>(x02, g2, key[7]), g10 = lop3<0x96>(x07, x17, x27),
                 g11 = lop3<0x96>(g0, g7, key[8]), g12 = lop3<0x96>(x07, x17, g11),
                 g13 = lop3<0x96>(x07, x16, x36), g14 = lop3<0x96>(x27, g0, g13),
                 g15 = lop3<0x96>(x31, g3, g14), g16 = lop3<0x96>(x31, g2, key[9]),
                 g17 = lop3<0x96>(x11, g15, g16), g18 = lop3<0x96>(x00, g12, key[10]),
                 g19 = lop3<0x96>(x37, g4, g10), g20 = lop3<0x96>(x30, g19, key[11]),
                 g21 = lop3<0x96>(g16, g18, g20), g22 = lop3<0x96>(x20, g12, g19),
                 g23 = lop3<0x96>(g17, g21, key[12]), g24 = lop3<0x96>(g2, g19, g23),
                 g25 = lop3<0x96>(x12, g9, g19), g26 = lop3<0x96>(x32, g15, g25),
                 g27 = lop3<0x96>(x32, g8, key[13]), g28 = lop3<0x96>(g17, g27, key[14]),
                 g29 = lop3<0x96>(g25, g28, key[15]), g30 = lop3<0x96>(x12, g8, g15),
                 g31 = lop3<0x96>(g5, g14, key[16]), g32 = lop3<0x96>(x12, g7, g31),
                 g33 = lop3<0x96>(g4, g9, g32), g34 = lop3<0x96>(x13, g29, g33),
                 g35 = lop3<0x96>(g26, g31, g34), g36 = lop3<0x96>(x23, x37, key[17]),
                 g37 = lop3<0x96>(x03, g5, g36), g38 = lop3<0x96>(g13, g33, g36),
                 g39 = lop3<0x96>(g13, g35, g37), g40 = lop3<0x96>(g12, g38, g39),
                 g41 = lop3<0x96>(g27, g32, g40), g42 = lop3<0x96>(x23, g33, g41),
                 g43 = lop3<0x96>(x14, x34, key[18]), g44 = lop3<0x96>(g10, g37, g43),
                 g45 = lop3<0x96>(x24, g40, g43), g46 = lop3<0x96>(x04, g40, key[19]),
                 g47 = lop3<0x96>(g35, g41, key[20]), g48 = lop3<0x96>(g6, g45, g46),
                 g49 = lop3<0x96>(g44, g46, key[21]), g50 = lop3<0x96>(x34, g41, g49),
                 g51 = lop3<0x96>(x35, g44, g50), g52 = lop3<0x96>(x05, g50, key[22]),
                 g53 = lop3<0x96>(x06, x36, g48), g54 = lop3<0x96>(g7, g45, g50),
                 g55 = lop3<0x96>(g7, g51, g52), g56 = lop3<0x96>(x36, g0, g55),
                 g57 = lop3<0x96>(g48, g51, key[23]), g58 = lop3<0x96>(x16, g11, g55),
                 g59 = lop3<0x96>(g55, g57, key[24]), g60 = lop3<0x96>(x37, g12, g53),
                 g61 = lop3<0x96>(g14, g60, key[25]), g62 = lop3<0x96>(g12, g61, key[26]),
                 g63 = lop3<0x96>(g20, g60, g62), g64 = lop3<0x96>(g15, g24, key[27]),
                 g65 = lop3<0x96>(g44, g54, key[28]), g66 = lop3<0x96>(g10, g53, key[29]),
                 g67 = lop3<0x96>(g53, g58, key[30]), g68 = lop3<0x96>(g11, g67, key[31]), g69 = g4 ^ g18,
                 g70 = lop3<0x96>(g18, g22, g63);
  word[0] = g69, word[1] = g70, word[2] = g22, word[3] = g63, word[4] = g24, word[5] = g21, word[6] = g23,
  word[7] = g64, word[8] = g29, word[9] = g28, word[10] = g26, word[11] = g30, word[12] = g38, word[13] = g39,
  word[14] = g47, word[15] = g42, word[16] = g45, word[17] = g54, word[18] = g49, word[19] = g65,
  word[20] = g52, word[21] = g57, word[22] = g59, word[23] = g51, word[24] = g67, word[25] = g56,
  word[26] = g68, word[27] = g58, word[28] = g61, word[29] = g62, word[30] = g60, word[31] = g66;
}

}  // namespace warpaes::core
