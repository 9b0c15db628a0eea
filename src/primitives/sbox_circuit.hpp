// The S-box and its inverse as circuits of 3-input gates, for 32 bytes at a time.
// Made by devtools/derive_sbox_circuit.py, which also checks it; docs/design/bitsliced.md tells how.
#pragma once

#include <cstdint>

#include "primitives/lop3.hpp"

namespace warpaes::core {

/// SubBytes without its constant, FIPS 197 section 5.1.1: S(x) ^ 0x63 of 32 bytes, in place. The
/// caller adds the constant to the round key that follows.
/// 65 gates, at most 25 values at a time.
/// @param bit bit j of all the bytes, bit 0 being the least significant
// NOLINTNEXTLINE(readability-function-size): generated
WARPAES_HOST_DEVICE void sbox_circuit(uint32_t (&bit)[8]) {
  const uint32_t x0 = bit[0], x1 = bit[1], x2 = bit[2], x3 = bit[3], x4 = bit[4], x5 = bit[5], x6 = bit[6],
                 x7 = bit[7], g0 = lop3<0x69>(x3, x4, x7), g1 = lop3<0x96>(x1, x6, g0),
                 g2 = lop3<0x96>(x4, x5, g1), g3 = lop3<0x96>(x1, x2, x5), g4 = lop3<0xc5>(x1, g1, g1),
                 g5 = lop3<0x69>(x0, g3, g2), g6 = lop3<0x96>(x5, g4, g5), g7 = lop3<0x78>(x1, g5, g6),
                 g8 = lop3<0x3c>(x7, g5, g7), g9 = lop3<0x96>(g1, g2, g8), g10 = lop3<0x96>(x3, g3, g9),
                 g11 = lop3<0xbd>(x0, x6, g3), g12 = lop3<0x65>(g1, g3, g11), g13 = lop3<0x82>(g0, g6, g8),
                 g14 = lop3<0x96>(x3, g12, g13), g15 = lop3<0x99>(x6, g4, g10), g16 = lop3<0x8d>(g2, g9, g15),
                 g17 = lop3<0x99>(g0, g12, g16), g18 = lop3<0x69>(g1, g7, g14), g19 = lop3<0x39>(g0, g11, g9),
                 g20 = lop3<0x39>(g2, g13, g10), g21 = lop3<0x87>(x2, x7, g0),
                 g22 = lop3<0x96>(g17, g20, g21), g23 = lop3<0xa9>(x6, x7, g20),
                 g24 = lop3<0x69>(g19, g7, g23), g25 = lop3<0x19>(g18, g24, g22),
                 g26 = lop3<0x56>(g4, g9, g17), g27 = lop3<0x69>(g18, g25, g26),
                 g28 = lop3<0xc7>(g22, g25, g27), g29 = lop3<0xb4>(g27, g28, g18),
                 g30 = lop3<0xa8>(g18, g25, g29), g31 = lop3<0x6d>(g26, g24, g29),
                 g32 = lop3<0xcd>(g24, g25, g26), g33 = lop3<0x6e>(g25, g28, g32),
                 g34 = lop3<0x91>(g24, g28, g31), g35 = lop3<0x69>(g33, g30, g34),
                 g36 = lop3<0x66>(g23, g34, g35), g37 = lop3<0x06>(g1, g32, g35),
                 g38 = lop3<0xeb>(x7, g9, g31), g39 = lop3<0x6a>(g5, g35, g38),
                 g40 = lop3<0x82>(g3, g15, g35), g41 = lop3<0xa9>(g2, g33, g38),
                 g42 = lop3<0x65>(g10, g33, g40), g43 = lop3<0x14>(x0, g3, g30),
                 g44 = lop3<0x9a>(g4, g28, g42), g45 = lop3<0x53>(g3, g31, g30),
                 g46 = lop3<0xa9>(x6, g31, g45), g47 = lop3<0x65>(g3, g31, g44),
                 g48 = lop3<0x9a>(x6, g30, g47), g49 = lop3<0x82>(g2, g9, g32),
                 g50 = lop3<0xa6>(g15, g32, g42), g51 = lop3<0x9c>(x7, g49, g36),
                 g52 = lop3<0x9a>(g6, g36, g46), g53 = lop3<0x66>(g17, g48, g52),
                 g54 = lop3<0x9a>(g8, g34, g51), g55 = lop3<0x69>(g54, g37, g41),
                 g56 = lop3<0x69>(g55, g52, g50), g57 = lop3<0x9a>(g9, g28, g56),
                 g58 = lop3<0x69>(g41, g49, g43), g59 = lop3<0x69>(g57, g43, g39),
                 g60 = lop3<0x66>(g42, g51, g59), g61 = lop3<0x66>(x5, g54, g57),
                 g62 = lop3<0xa9>(g0, g34, g55), g63 = lop3<0x96>(g40, g46, g62),
                 g64 = lop3<0x69>(g44, g62, g58);
  bit[0] = g60, bit[1] = g55, bit[2] = g58, bit[3] = g53, bit[4] = g61, bit[5] = g56, bit[6] = g64,
  bit[7] = g63;
}

/// InvSubBytes of what lacks the S-box's constant, section 5.3.2: the inverse of S at x ^ 0x63, of 32
/// bytes, in place. The caller adds the constant to the round key before.
/// 64 gates, at most 23 values at a time.
/// @param bit bit j of all the bytes, bit 0 being the least significant
// NOLINTNEXTLINE(readability-function-size): generated
WARPAES_HOST_DEVICE void inverse_sbox_circuit(uint32_t (&bit)[8]) {
  const uint32_t x0 = bit[0], x1 = bit[1], x2 = bit[2], x3 = bit[3], x4 = bit[4], x5 = bit[5], x6 = bit[6],
                 x7 = bit[7], g0 = lop3<0x96>(x1, x5, x6), g1 = lop3<0x5a>(x0, x1, g0),
                 g2 = lop3<0x3c>(x0, x3, g1), g3 = lop3<0x96>(x2, g0, g2), g4 = lop3<0x96>(x1, x4, g3),
                 g5 = lop3<0x5a>(g0, g1, g4), g6 = lop3<0x99>(x6, x7, g5), g7 = lop3<0x69>(x1, x3, g6),
                 g8 = lop3<0x4b>(x3, x6, g5), g9 = lop3<0x96>(x3, x4, g7), g10 = lop3<0xc3>(x1, x4, g5),
                 g11 = lop3<0x96>(x5, x7, g2), g12 = lop3<0x65>(g3, g11, g8), g13 = lop3<0x9a>(g2, g6, g12),
                 g14 = lop3<0x59>(x6, x7, g13), g15 = lop3<0x9a>(g1, g10, g14), g16 = lop3<0xf6>(x5, x7, g3),
                 g17 = lop3<0x96>(g2, g15, g16), g18 = lop3<0x3c>(x5, g7, g14), g19 = lop3<0x21>(x1, g4, g18),
                 g20 = lop3<0x96>(g12, g15, g19), g21 = lop3<0x6a>(g0, g7, g12),
                 g22 = lop3<0x9a>(x7, g2, g21), g23 = lop3<0x96>(x6, g21, g14),
                 g24 = lop3<0x95>(g9, g18, g23), g25 = lop3<0x8c>(g22, g20, g24),
                 g26 = lop3<0x2d>(g17, g22, g25), g27 = lop3<0x6c>(g24, g20, g26),
                 g28 = lop3<0x6c>(g22, g26, g27), g29 = lop3<0x94>(g22, g28, g25),
                 g30 = lop3<0x78>(g24, g25, g27), g31 = lop3<0x99>(x2, g27, g30),
                 g32 = lop3<0xeb>(g0, g9, g31), g33 = lop3<0x6c>(g27, g32, g2),
                 g34 = lop3<0x6a>(g3, g30, g32), g35 = lop3<0xd7>(x2, g9, g27),
                 g36 = lop3<0x99>(g11, g31, g29), g37 = lop3<0x87>(g28, g29, g36),
                 g38 = lop3<0x99>(g21, g27, g37), g39 = lop3<0x09>(g10, g29, g37),
                 g40 = lop3<0x1e>(g39, g37, g6), g41 = lop3<0x14>(g1, g18, g37),
                 g42 = lop3<0xc3>(g36, g38, g35), g43 = lop3<0x6f>(g1, g30, g42),
                 g44 = lop3<0x14>(x1, g18, g42), g45 = lop3<0x95>(g18, g29, g43),
                 g46 = lop3<0x69>(g43, g44, g41), g47 = lop3<0x9c>(x5, g45, g31),
                 g48 = lop3<0x6a>(g9, g29, g47), g49 = lop3<0x69>(g33, g39, g48),
                 g50 = lop3<0x6a>(g0, g36, g33), g51 = lop3<0x28>(x6, g5, g38),
                 g52 = lop3<0x6c>(g38, g40, g5), g53 = lop3<0x6a>(g7, g36, g52),
                 g54 = lop3<0x69>(g45, g53, g44), g55 = lop3<0x95>(g11, g30, g53),
                 g56 = lop3<0x96>(g40, g34, g54), g57 = lop3<0x69>(g55, g46, g35),
                 g58 = lop3<0x69>(g50, g55, g51), g59 = lop3<0x66>(g4, g52, g58),
                 g60 = lop3<0x69>(g51, g59, g46), g61 = lop3<0x9a>(g4, g42, g60),
                 g62 = lop3<0x69>(g50, g47, g61), g63 = lop3<0x69>(g59, g61, g56);
  bit[0] = g57, bit[1] = g49, bit[2] = g62, bit[3] = g63, bit[4] = g56, bit[5] = g58, bit[6] = g54,
  bit[7] = g60;
}

}  // namespace warpaes::core
