// Kernel parameters go to the device byte for byte as they lie in memory. So no byte of those that hold key
// material may be left uninitialised, as it could be a part of another key.
#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>
#include <vector>

#include "kernels/team/small_gcm.hpp"
#include "kernels/team/team_key.hpp"
#include "kernels/warp/ocb3_offsets.hpp"
#include "kernels/warp/ocb3_pass.hpp"
#include "primitives/bitsliced_keys.hpp"

namespace warpaes::core {
namespace {

template <class... Parameters>
constexpr bool kNoPadding = (std::has_unique_object_representations_v<Parameters> && ...);

static_assert(
    kNoPadding<RoundKeys, GhashPowers, DigitPowers, TeamPowers, TeamKey, OcbKey, OcbKeys, SlicedKeys>);

/// Does fill() write every byte, whatever was there before?
template <class Parameters, class Fill>
bool is_filled(const Fill& fill) {
  alignas(Parameters) uint8_t memory[2][sizeof(Parameters)];
  for (uint8_t* const one : memory) {
    std::memset(one, one == memory[0] ? 0x00 : 0xff, sizeof(Parameters));
    fill(*reinterpret_cast<Parameters*>(one));
  }
  return std::memcmp(memory[0], memory[1], sizeof(Parameters)) == 0;
}

TEST(KeyParameters, AreFilledToTheLastByte) {
  const Gf128 h{0x0123456789abcdef, 0xfedcba9876543210};
  const std::vector<uint8_t> block(16, 0x5c);
  EXPECT_TRUE(is_filled<GhashPowers>([&](GhashPowers& powers) { fill_powers(powers, h); }));
  EXPECT_TRUE(is_filled<DigitPowers>([&](DigitPowers& powers) { fill_digit_powers(powers, h); }));
  EXPECT_TRUE(is_filled<TeamPowers>([&](TeamPowers& powers) { fill_team_powers(powers, h, 8); }));
  EXPECT_TRUE(is_filled<OcbKey>([&](OcbKey& key) { fill_ocb_key(key, block.data()); }));
}

}  // namespace
}  // namespace warpaes::core
