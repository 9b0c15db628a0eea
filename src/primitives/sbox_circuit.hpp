// The S-box and its inverse as circuits of 3-input gates, for 32 bytes at a time.
// Made by devtools/derive_sbox_circuit.py, which also checks it; docs/design/bitsliced.md tells how.
#pragma once

#include <cstdint>

#include "primitives/lop3.hpp"

namespace warpaes {

/// SubBytes without its constant, FIPS 197 section 5.1.1: S(x) ^ 0x63 of 32 bytes, in place. The caller
/// adds the constant to the round key that follows. 73 gates, at most 29 values at a time.
/// @param bit bit j of all the bytes, bit 0 being the least significant
WARPAES_HOST_DEVICE void sbox_circuit(uint32_t (&bit)[8]) {
  const uint32_t x0 = bit[0];
  const uint32_t x1 = bit[1];
  const uint32_t x2 = bit[2];
  const uint32_t x3 = bit[3];
  const uint32_t x4 = bit[4];
  const uint32_t x5 = bit[5];
  const uint32_t x6 = bit[6];
  const uint32_t x7 = bit[7];
  const uint32_t g0 = lop3<0x66>(x1, x4, x5);
  const uint32_t g1 = lop3<0x96>(x0, x2, x3);
  const uint32_t g2 = lop3<0x96>(x6, g1, g0);
  const uint32_t g3 = lop3<0x96>(x1, x2, x3);
  const uint32_t g4 = lop3<0x96>(x0, x4, g0);
  const uint32_t g5 = lop3<0x5a>(x3, x6, g4);
  const uint32_t g6 = lop3<0x96>(g3, g5, g2);
  const uint32_t g7 = lop3<0x66>(x6, x7, g2);
  const uint32_t g8 = lop3<0x96>(g2, g6, g7);
  const uint32_t g9 = lop3<0x66>(x4, g0, g8);
  const uint32_t g10 = lop3<0x42>(x5, x7, g9);
  const uint32_t g11 = lop3<0x96>(x2, x3, g9);
  const uint32_t g12 = lop3<0x5a>(x3, x4, g11);
  const uint32_t g13 = lop3<0x1e>(g3, g12, g0);
  const uint32_t g14 = lop3<0x78>(g13, g7, g4);
  const uint32_t g15 = lop3<0x96>(x1, g10, g14);
  const uint32_t g16 = lop3<0x56>(g3, g5, g15);
  const uint32_t g17 = lop3<0x66>(x2, g1, g5);
  const uint32_t g18 = lop3<0x78>(x1, g17, g6);
  const uint32_t g19 = lop3<0x78>(g14, x3, g8);
  const uint32_t g20 = lop3<0x66>(x5, g18, g19);
  const uint32_t g21 = lop3<0x66>(x5, g1, g11);
  const uint32_t g22 = lop3<0x66>(x5, g2, g9);
  const uint32_t g23 = lop3<0x6c>(g21, g10, g22);
  const uint32_t g24 = lop3<0xee>(x0, g1, g2);
  const uint32_t g25 = lop3<0x96>(g23, g18, g24);
  const uint32_t g26 = lop3<0x6c>(g9, g23, g11);
  const uint32_t g27 = lop3<0x66>(g9, g13, g26);
  const uint32_t g28 = lop3<0x97>(g16, g27, g20);
  const uint32_t g29 = lop3<0xbb>(g7, g16, g28);
  const uint32_t g30 = lop3<0x77>(x0, g16, g28);
  const uint32_t g31 = lop3<0x96>(g20, g25, g29);
  const uint32_t g32 = lop3<0xc6>(g25, g28, g31);
  const uint32_t g33 = lop3<0xc6>(g27, g29, g32);
  const uint32_t g34 = lop3<0x91>(g28, g31, g33);
  const uint32_t g35 = lop3<0x9b>(g25, g33, g30);
  const uint32_t g36 = lop3<0x1a>(g25, g20, g33);
  const uint32_t g37 = lop3<0x60>(x3, g32, g36);
  const uint32_t g38 = lop3<0x6a>(g5, g36, g37);
  const uint32_t g39 = lop3<0x60>(g9, g34, g35);
  const uint32_t g40 = lop3<0x6a>(g4, g32, g37);
  const uint32_t g41 = lop3<0x66>(g4, g32, g34);
  const uint32_t g42 = lop3<0x28>(g0, g6, g41);
  const uint32_t g43 = lop3<0x6a>(g22, g34, g39);
  const uint32_t g44 = lop3<0x66>(x0, g42, g43);
  const uint32_t g45 = lop3<0x6c>(g7, g42, g32);
  const uint32_t g46 = lop3<0x6a>(g2, g35, g39);
  const uint32_t g47 = lop3<0x28>(g2, g6, g32);
  const uint32_t g48 = lop3<0x66>(g13, g35, g36);
  const uint32_t g49 = lop3<0x28>(g7, g8, g36);
  const uint32_t g50 = lop3<0x6a>(g8, g36, g47);
  const uint32_t g51 = lop3<0x28>(x4, g8, g41);
  const uint32_t g52 = lop3<0x66>(x4, g41, g48);
  const uint32_t g53 = lop3<0xa0>(g0, g24, g52);
  const uint32_t g54 = lop3<0x6a>(g17, g48, g53);
  const uint32_t g55 = lop3<0xa0>(g6, g35, g48);
  const uint32_t g56 = lop3<0x60>(g11, g34, g35);
  const uint32_t g57 = lop3<0x6a>(g12, g52, g56);
  const uint32_t g58 = lop3<0x66>(g29, g54, g57);
  const uint32_t g59 = lop3<0x6a>(g21, g34, g58);
  const uint32_t g60 = lop3<0x66>(g26, g59, g38);
  const uint32_t g61 = lop3<0x96>(g60, g45, g49);
  const uint32_t g62 = lop3<0x6a>(g1, g35, g46);
  const uint32_t g63 = lop3<0x66>(g24, g46, g50);
  const uint32_t g64 = lop3<0x96>(g54, g63, g51);
  const uint32_t g65 = lop3<0x96>(g38, g64, g44);
  const uint32_t g66 = lop3<0x96>(g62, g56, g40);
  const uint32_t g67 = lop3<0x96>(g58, g55, g62);
  const uint32_t g68 = lop3<0x96>(g60, g55, g50);
  const uint32_t g69 = lop3<0x66>(x6, g60, g44);
  const uint32_t g70 = lop3<0x66>(g22, g61, g68);
  const uint32_t g71 = lop3<0x96>(g50, g66, g70);
  const uint32_t g72 = lop3<0x96>(g53, g70, g44);
  bit[0] = g69;
  bit[1] = g63;
  bit[2] = g72;
  bit[3] = g71;
  bit[4] = g68;
  bit[5] = g61;
  bit[6] = g67;
  bit[7] = g65;
}

/// InvSubBytes of what lacks the S-box's constant, section 5.3.2: the inverse of S at x ^ 0x63, of 32
/// bytes, in place. The caller adds the constant to the round key before. 69 gates, at most 26
/// values at a time.
/// @param bit bit j of all the bytes, bit 0 being the least significant
WARPAES_HOST_DEVICE void inverse_sbox_circuit(uint32_t (&bit)[8]) {
  const uint32_t x0 = bit[0];
  const uint32_t x1 = bit[1];
  const uint32_t x2 = bit[2];
  const uint32_t x3 = bit[3];
  const uint32_t x4 = bit[4];
  const uint32_t x5 = bit[5];
  const uint32_t x6 = bit[6];
  const uint32_t x7 = bit[7];
  const uint32_t g0 = lop3<0x96>(x0, x3, x7);
  const uint32_t g1 = lop3<0x66>(x0, x7, g0);
  const uint32_t g2 = lop3<0x96>(x3, x4, x5);
  const uint32_t g3 = lop3<0x96>(x6, g2, g1);
  const uint32_t g4 = lop3<0x96>(x1, x4, g3);
  const uint32_t g5 = lop3<0x96>(x2, x3, g4);
  const uint32_t g6 = lop3<0x66>(x0, x7, g5);
  const uint32_t g7 = lop3<0x96>(x2, x3, g3);
  const uint32_t g8 = lop3<0x96>(x3, g1, g4);
  const uint32_t g9 = lop3<0x96>(x5, g0, g4);
  const uint32_t g10 = lop3<0x96>(x7, g8, g7);
  const uint32_t g11 = lop3<0x66>(g0, g8, g7);
  const uint32_t g12 = lop3<0x5a>(x6, g10, g11);
  const uint32_t g13 = lop3<0x66>(g7, g9, g12);
  const uint32_t g14 = lop3<0x66>(x4, x5, g0);
  const uint32_t g15 = lop3<0x6a>(g14, g5, g2);
  const uint32_t g16 = lop3<0xa6>(x6, g11, g15);
  const uint32_t g17 = lop3<0x6a>(g8, g13, g16);
  const uint32_t g18 = lop3<0x9a>(x7, g1, g17);
  const uint32_t g19 = lop3<0x5a>(g8, g9, g6);
  const uint32_t g20 = lop3<0x9a>(g19, g2, g17);
  const uint32_t g21 = lop3<0x66>(x4, g0, g12);
  const uint32_t g22 = lop3<0x6a>(g21, g10, g15);
  const uint32_t g23 = lop3<0x96>(x6, g20, g22);
  const uint32_t g24 = lop3<0xa6>(g7, g9, g16);
  const uint32_t g25 = lop3<0xac>(g4, g7, g5);
  const uint32_t g26 = lop3<0x96>(g22, g25, g24);
  const uint32_t g27 = lop3<0x96>(g24, g7, g1);
  const uint32_t g28 = lop3<0x36>(x5, g27, g6);
  const uint32_t g29 = lop3<0x6d>(g18, g23, g26);
  const uint32_t g30 = lop3<0xad>(g18, g26, g28);
  const uint32_t g31 = lop3<0x9a>(g23, g28, g29);
  const uint32_t g32 = lop3<0x6c>(g23, g26, g31);
  const uint32_t g33 = lop3<0x78>(g23, g31, g32);
  const uint32_t g34 = lop3<0x8b>(g33, g30, g29);
  const uint32_t g35 = lop3<0xa1>(g28, g29, g30);
  const uint32_t g36 = lop3<0xa0>(g13, g15, g34);
  const uint32_t g37 = lop3<0x66>(x4, g32, g35);
  const uint32_t g38 = lop3<0x6a>(g11, g37, g36);
  const uint32_t g39 = lop3<0x60>(g14, g33, g32);
  const uint32_t g40 = lop3<0x6a>(g12, g37, g39);
  const uint32_t g41 = lop3<0x60>(g9, g34, g37);
  const uint32_t g42 = lop3<0x60>(g7, g34, g37);
  const uint32_t g43 = lop3<0x88>(g10, g6, g33);
  const uint32_t g44 = lop3<0x6a>(g1, g32, g43);
  const uint32_t g45 = lop3<0x6a>(g8, g34, g44);
  const uint32_t g46 = lop3<0x66>(g28, g33, g34);
  const uint32_t g47 = lop3<0x60>(g3, g35, g46);
  const uint32_t g48 = lop3<0x6a>(g21, g35, g39);
  const uint32_t g49 = lop3<0x28>(g4, g21, g46);
  const uint32_t g50 = lop3<0x6a>(x5, g33, g49);
  const uint32_t g51 = lop3<0x96>(g47, g50, g44);
  const uint32_t g52 = lop3<0x6a>(g19, g46, g51);
  const uint32_t g53 = lop3<0x60>(g4, g46, g35);
  const uint32_t g54 = lop3<0x96>(g47, g38, g53);
  const uint32_t g55 = lop3<0x6a>(g10, g35, g54);
  const uint32_t g56 = lop3<0x60>(g5, g32, g33);
  const uint32_t g57 = lop3<0x96>(g41, g42, g53);
  const uint32_t g58 = lop3<0x96>(g49, g43, g57);
  const uint32_t g59 = lop3<0x96>(g38, g56, g58);
  const uint32_t g60 = lop3<0x66>(g27, g48, g36);
  const uint32_t g61 = lop3<0x96>(g41, g50, g60);
  const uint32_t g62 = lop3<0x96>(g45, g55, g40);
  const uint32_t g63 = lop3<0x96>(g49, g57, g55);
  const uint32_t g64 = lop3<0x96>(g49, g48, g63);
  const uint32_t g65 = lop3<0x6a>(g0, g32, g64);
  const uint32_t g66 = lop3<0x96>(g64, g42, g62);
  const uint32_t g67 = lop3<0x96>(g57, g60, g45);
  const uint32_t g68 = lop3<0x96>(g59, g45, g66);
  bit[0] = g65;
  bit[1] = g52;
  bit[2] = g61;
  bit[3] = g68;
  bit[4] = g59;
  bit[5] = g62;
  bit[6] = g63;
  bit[7] = g67;
}

}  // namespace warpaes
