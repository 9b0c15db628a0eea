// How a block depends on the one before it, for the modes in which it does: SP 800-38A sections 6.2 (CBC),
// 6.3 (CFB) and 6.4 (OFB), SP 800-38B (CMAC), SP 800-38C appendix A (the CBC-MAC of CCM).
#pragma once

#include <array>
#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes {

/// cbc_mac is CMAC without masking and padding, as CCM needs it. It authenticates messages of one length
/// only, and so is no mode of the public interface.
enum class Chaining { cbc_encrypt, cfb_encrypt, ofb, cmac, cbc_mac };

/// Has a tag a message, and no IV and no output.
WARPAES_HOST_DEVICE constexpr bool makes_tags(Chaining chaining) {
  return chaining == Chaining::cmac || chaining == Chaining::cbc_mac;
}

WARPAES_HOST_DEVICE constexpr bool needs_whole_blocks(Chaining chaining) {
  return chaining == Chaining::cbc_encrypt || chaining == Chaining::cbc_mac;
}

using MacBlock = std::array<uint8_t, 16>;

/// What the last block of a message is masked with before it is encrypted.
struct MacMasks {
  MacBlock whole;   // CMAC: K1
  MacBlock padded;  // CMAC: K2
};

/// Times x in GF(2^128) as SP 800-38B section 6.1 has it: bit 0 of the block is the highest power.
inline MacBlock mac_doubled(const MacBlock& block) {
  MacBlock doubled{};
  for (size_t i = 0; i < 15; i++) doubled[i] = static_cast<uint8_t>(block[i] << 1 | block[i + 1] >> 7);
  doubled[15] = static_cast<uint8_t>(block[15] << 1 ^ (block[0] >> 7) * 0x87);
  return doubled;
}

/// SP 800-38B section 6.1. @param l the cipher's output for a block of zeros
inline MacMasks cmac_subkeys(const MacBlock& l) {
  const MacBlock k1 = mac_doubled(l);
  return {k1, mac_doubled(k1)};
}

}  // namespace warpaes
