// Tests counters that wrap, which random messages hardly ever have: the kernels' ways to count are compared
// with plain ones.
#include <gtest/gtest.h>

#include <vector>

#include "kernels/warp/gcm_siv_counters.hpp"
#include "kernels/warp/ocb3_offsets.hpp"

namespace warpaes::core {
namespace {

void expect_equal(Columns a, Columns b) {
  EXPECT_EQ(a.a, b.a);
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.c, b.c);
  EXPECT_EQ(a.d, b.d);
}

/// The counter of a block is its first four bytes, little-endian, modulo 2^32 (RFC 8452 section 4).
TEST(SivCounters, AreTheFirstTwoRoundsWhereverTheyBegin) {
  std::vector<uint8_t> shared(4 * kTableBytes);
  LanePrivateTables<4>::fill(shared.data(), kT0.data(), 0, 1);
  const LanePrivateTables<4> tables(shared.data(), 7);
  const std::vector<uint8_t> bytes = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  const KeySchedule schedule(bytes);
  const RoundKeys& keys = schedule.encryption();
  for (const uint32_t begin : {0u, 1u, 255u, 256u, 0xffu << 8, 0x0000ff81u, 0x00ffff90u, 0xffffff00u,
                               0xffffff80u, 0xffffffc1u, 0xffffffffu}) {
    SCOPED_TRACE(begin);
    const Columns first = siv_first_counter({begin, 0x01020304, 0xf0e0d0c0, 0x05060708});
    const auto first_block = [&] { return first; };
    SivCounters<4, decltype(first_block)> counters(tables, keys, first_block,
                                                   begin - 40);  // a group that the message does not fill
    for (uint32_t group = begin - 40; group != begin - 40 + 5 * 128; group += 128) {
      counters.start_rows(group + 127);
      for (uint32_t counter = group; counter != group + 128; counter++) {
        const Columns block =
            LanePrivateTables<4>::add_round_key({counter, first.b, first.c, first.d}, keys, 0);
        expect_equal(tables.encrypt<10, 3>(counters.after_two_rounds(counter), keys),
                     tables.encrypt<10, 1>(block, keys));
      }
    }
  }
}

Columns next_offset(const OcbKey& key, Columns offset, uint64_t i) {
  return offset ^ key.l[std::countr_zero(i)];
}

/// RFC 7253 section 4.2, step by step.
TEST(OcbOffsets, AreTheSumsOfTheSteps) {
  const uint8_t zeros_encrypted[16] = {0xc6, 0xa1, 0x3b, 0x37, 0x87, 0x8f, 0x5b, 0x82,
                                       0x6f, 0x4f, 0x81, 0x62, 0xa1, 0xc8, 0xd8, 0x79};
  OcbKey key;
  fill_ocb_key(key, zeros_encrypted);
  Columns offset{0, 0, 0, 0};
  for (uint64_t i = 1; i < 5000; i++) {
    offset = next_offset(key, offset, i);
    expect_equal(ocb_offset_sum(key, i), offset);
  }
  for (const uint64_t far : {uint64_t{1} << 20, (uint64_t{1} << 32) - 1, uint64_t{1} << 34}) {
    expect_equal(ocb_offset_sum(key, far), next_offset(key, ocb_offset_sum(key, far - 1), far));
  }
}

/// Wherever a lane begins, and over the carries of the groups' numbers.
TEST(OcbOffsets, OfALaneAreThoseOfItsBlocks) {
  OcbKey key;
  const std::vector<uint8_t> zeros_encrypted(16, 0x9d);
  fill_ocb_key(key, zeros_encrypted.data());
  const Columns offset_0{1, 2, 3, 4};
  for (const uint32_t lanes : {8u, 16u, 32u}) {
    for (const uint32_t group : {0u, 1u, 5u, 255u, 4095u, 0x00fffffeu, 0x0fffffffu - 3}) {
      for (uint32_t lane = 0; lane < lanes; lane++) {
        OcbLaneOffsets offsets(key, offset_0, group, lanes, lane);
        for (uint64_t half = 0; half < 6; half++) {
          const uint64_t i = (2 * uint64_t{group} + half) * lanes + lane + 1;
          expect_equal(offsets.current(), offset_0 ^ ocb_offset_sum(key, i));
          if (half % 2 == 0) {
            offsets.to_second_half();
          } else {
            offsets.to_next_group();
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpaes::core
