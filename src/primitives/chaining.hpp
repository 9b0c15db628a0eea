// The modes of batches, and how a block depends on the one before it, in those where it does: SP 800-38A
// sections 6.1 (ECB), 6.2 (CBC), 6.3 (CFB), 6.4 (OFB) and 6.5 (CTR) and its addendum (ciphertext stealing),
// RFC 5652 section 6.3 (PKCS#7), SP 800-38B (CMAC), IEEE 1619 (XTS), SP 800-38F (KW, KWP).
#pragma once

#include <array>
#include <cstdint>

#include "primitives/byte_order.hpp"
#include "primitives/gf_double.hpp"
#include "primitives/host_device.hpp"

namespace warpaes::core {

/// A mode, with the direction if the mode does different things in the two.
enum class CipherMode {
  ecb_encrypt,
  ecb_decrypt,
  cbc_encrypt,
  cbc_decrypt,
  cfb_encrypt,
  cfb_decrypt,
  ofb,
  ctr,
  cmac,
  xts_encrypt,
  xts_decrypt,
  kw_wrap,
  kw_unwrap,
  kwp_wrap,
  kwp_unwrap,
  ecb_pkcs7_encrypt,
  ecb_pkcs7_decrypt,
  cbc_pkcs7_encrypt,
  cbc_pkcs7_decrypt,
  cbc_cs1_encrypt,
  cbc_cs1_decrypt,
  cbc_cs2_encrypt,
  cbc_cs2_decrypt,
  cbc_cs3_encrypt,
  cbc_cs3_decrypt,
  cfb8_encrypt,
  cfb8_decrypt,
  cfb1_encrypt,
  cfb1_decrypt,
  cmac_check,
};

/// Does the mode only make or check a message's tag? Then it has no IV and no output.
WARPAES_HOST_DEVICE constexpr bool makes_tags(CipherMode mode) {
  return mode == CipherMode::cmac || mode == CipherMode::cmac_check;
}

/// Does the mode wrap or unwrap keys (SP 800-38F)?
WARPAES_HOST_DEVICE constexpr bool wraps_keys(CipherMode mode) {
  return mode >= CipherMode::kw_wrap && mode <= CipherMode::kwp_unwrap;
}
WARPAES_HOST_DEVICE constexpr bool unwraps_keys(CipherMode mode) {
  return mode == CipherMode::kw_unwrap || mode == CipherMode::kwp_unwrap;
}

/// Does the mode add or remove the padding of PKCS#7 (RFC 5652 section 6.3)?
WARPAES_HOST_DEVICE constexpr bool pads(CipherMode mode) {
  return mode >= CipherMode::ecb_pkcs7_encrypt && mode <= CipherMode::cbc_pkcs7_decrypt;
}
WARPAES_HOST_DEVICE constexpr bool unpads(CipherMode mode) {
  return mode == CipherMode::ecb_pkcs7_decrypt || mode == CipherMode::cbc_pkcs7_decrypt;
}

WARPAES_HOST_DEVICE constexpr bool pads_in_ecb(CipherMode mode) {
  return mode == CipherMode::ecb_pkcs7_encrypt || mode == CipherMode::ecb_pkcs7_decrypt;
}

/// Is it CBC with ciphertext stealing: CBC-CS1, CBC-CS2 or CBC-CS3?
WARPAES_HOST_DEVICE constexpr bool steals(CipherMode mode) {
  return mode >= CipherMode::cbc_cs1_encrypt && mode <= CipherMode::cbc_cs3_decrypt;
}

/// Is it CFB with segments shorter than a block: CFB-8 or CFB-1?
WARPAES_HOST_DEVICE constexpr bool has_short_segments(CipherMode mode) {
  return mode >= CipherMode::cfb8_encrypt && mode <= CipherMode::cfb1_decrypt;
}

/// Does each message have 16 bytes of its own: an IV, the first counter block, or the data unit's number?
WARPAES_HOST_DEVICE constexpr bool has_iv(CipherMode mode) {
  return !makes_tags(mode) && !wraps_keys(mode) && mode != CipherMode::ecb_encrypt &&
         mode != CipherMode::ecb_decrypt && !pads_in_ecb(mode);
}

WARPAES_HOST_DEVICE constexpr bool is_xts(CipherMode mode) {
  return mode == CipherMode::xts_encrypt || mode == CipherMode::xts_decrypt;
}

/// Does the mode apply the inverse cipher to the message? The others apply the cipher in both directions.
WARPAES_HOST_DEVICE constexpr bool inverts_cipher(CipherMode mode) {
  return mode == CipherMode::ecb_decrypt || mode == CipherMode::cbc_decrypt ||
         mode == CipherMode::xts_decrypt || unwraps_keys(mode) || unpads(mode) ||
         mode == CipherMode::cbc_cs1_decrypt || mode == CipherMode::cbc_cs2_decrypt ||
         mode == CipherMode::cbc_cs3_decrypt;
}

/// Does the mode decrypt a chain, so that a block's result needs the ciphertext of the block before?
WARPAES_HOST_DEVICE constexpr bool unchains(CipherMode mode) {
  return mode == CipherMode::cbc_decrypt || mode == CipherMode::cfb_decrypt;
}

/// Can work on a message begin at any of its blocks? In the other modes a block waits for the result of the
/// block before, or the last block is a special case.
WARPAES_HOST_DEVICE constexpr bool begins_anywhere(CipherMode mode) {
  return mode == CipherMode::ecb_encrypt || mode == CipherMode::ecb_decrypt || mode == CipherMode::ctr ||
         unchains(mode) || is_xts(mode);
}

WARPAES_HOST_DEVICE constexpr bool needs_whole_blocks(CipherMode mode) {
  return mode == CipherMode::ecb_encrypt || mode == CipherMode::ecb_decrypt ||
         mode == CipherMode::cbc_encrypt || mode == CipherMode::cbc_decrypt;
}

using MacBlock = std::array<uint8_t, 16>;

/// What the last block of a message is masked with before it is encrypted.
struct MacMasks {
  MacBlock whole;   // CMAC: K1
  MacBlock padded;  // CMAC: K2
};

/// doubled() of gf_double.hpp, of a block's bytes.
inline MacBlock mac_doubled(const MacBlock& block) {
  const Columns product =
      doubled({load_le32(&block[0]), load_le32(&block[4]), load_le32(&block[8]), load_le32(&block[12])});
  MacBlock made;
  store_le32(&made[0], product.a);
  store_le32(&made[4], product.b);
  store_le32(&made[8], product.c);
  store_le32(&made[12], product.d);
  return made;
}

/// SP 800-38B section 6.1. @param l the cipher's output for a block of zeros
inline MacMasks cmac_subkeys(const MacBlock& l) {
  const MacBlock k1 = mac_doubled(l);
  return {k1, mac_doubled(k1)};
}

}  // namespace warpaes::core
