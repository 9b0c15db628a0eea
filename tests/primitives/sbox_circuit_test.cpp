// The circuits against the S-box's definition, at every input.
#include "primitives/sbox_circuit.hpp"

#include <gtest/gtest.h>

#include "primitives/sbox.hpp"

namespace warpaes::core {
namespace {

constexpr uint8_t kAffineConstant = 0x63;

/// All 256 bytes through a circuit, 32 at a time: the byte first + i is bit i of each word.
std::array<uint8_t, 256> through(void (*circuit)(uint32_t (&)[8])) {
  std::array<uint8_t, 256> result{};
  for (int first = 0; first < 256; first += 32) {
    uint32_t bit[8] = {};
    for (int i = 0; i < 32; i++) {
      for (int j = 0; j < 8; j++) bit[j] |= static_cast<uint32_t>((first + i) >> j & 1) << i;
    }
    circuit(bit);
    for (int i = 0; i < 32; i++) {
      for (int j = 0; j < 8; j++) result[first + i] |= static_cast<uint8_t>((bit[j] >> i & 1) << j);
    }
  }
  return result;
}

TEST(SBoxCircuit, IsTheSBoxWithoutItsConstant) {
  const std::array<uint8_t, 256> result = through([](uint32_t (&bit)[8]) { sbox_circuit(bit); });
  for (int x = 0; x < 256; x++) EXPECT_EQ(result[x], kSBox[x] ^ kAffineConstant) << "at " << x;
}

TEST(SBoxCircuit, TheInverseTakesItsInputWithoutTheConstant) {
  const std::array<uint8_t, 256> result = through([](uint32_t (&bit)[8]) { inverse_sbox_circuit(bit); });
  for (int x = 0; x < 256; x++) EXPECT_EQ(result[x], kInverseSBox[x ^ kAffineConstant]) << "at " << x;
}

TEST(Lop3, TakesItsTableInTheConventionOfPtx) {
  const uint32_t a = 0xf0, b = 0xcc, c = 0xaa;
  const auto expect_table = [=]<size_t kTable>() { EXPECT_EQ((lop3<kTable>(a, b, c) & 0xff), kTable); };
  [&]<size_t... kTables>(std::index_sequence<kTables...>) {
    (expect_table.template operator()<kTables>(), ...);
  }(std::make_index_sequence<256>{});
  EXPECT_EQ((lop3<0x6a>(a, b, c) & 0xff), (c ^ (a & b)) & 0xff);
}

}  // namespace
}  // namespace warpaes::core
