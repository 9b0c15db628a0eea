// Finds the kernel that was compiled for what a call asks for at run time.
#pragma once

#include <type_traits>

#include "kernels/lane/block_modes.hpp"
#include "kernels/lane/cbc_pkcs7_cts.hpp"
#include "kernels/lane/cfb8_cfb1.hpp"
#include "kernels/lane/key_wrap.hpp"
#include "kernels/lane/xts.hpp"

namespace warpaes::core {

/// Calls visit with the direction as a compile-time constant.
template <class Visit>
void with_direction(warpaes_direction direction, const Visit& visit) {
  if (direction == WARPAES_DIRECTION_ENCRYPT) {
    visit(std::integral_constant<warpaes_direction, WARPAES_DIRECTION_ENCRYPT>{});
  } else {
    visit(std::integral_constant<warpaes_direction, WARPAES_DIRECTION_DECRYPT>{});
  }
}

/// Calls visit with the kernel for batches of this mode in which each lane has a message. Some modes share a
/// kernel and differ in its arguments only.
template <LaneKeys Keys, class Visit>
void with_lane_kernel(CipherMode mode, const Visit& visit) {
  using enum CipherMode;
  constexpr warpaes_direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;
  switch (mode) {
    case ecb_encrypt:
      return visit(kernels::lane::BlockModes<ecb_encrypt, Keys>{});
    case ecb_decrypt:
      return visit(kernels::lane::BlockModes<ecb_decrypt, Keys>{});
    case cbc_encrypt:
      return visit(kernels::lane::BlockModes<cbc_encrypt, Keys>{});
    case cbc_decrypt:
      return visit(kernels::lane::BlockModes<cbc_decrypt, Keys>{});
    case cfb_encrypt:
      return visit(kernels::lane::BlockModes<cfb_encrypt, Keys>{});
    case cfb_decrypt:
      return visit(kernels::lane::BlockModes<cfb_decrypt, Keys>{});
    case ofb:
      return visit(kernels::lane::BlockModes<ofb, Keys>{});
    case ctr:
      return visit(kernels::lane::BlockModes<ctr, Keys>{});
    case cmac:
    case cmac_check:
      return visit(kernels::lane::BlockModes<cmac, Keys>{});
    case xts_encrypt:
      return visit(kernels::lane::Xts<kEncrypt, Keys>{});
    case xts_decrypt:
      return visit(kernels::lane::Xts<kDecrypt, Keys>{});
    case kw_wrap:
    case kwp_wrap:
      return visit(kernels::lane::KeyWrap<kEncrypt, Keys>{});
    case kw_unwrap:
    case kwp_unwrap:
      return visit(kernels::lane::KeyWrap<kDecrypt, Keys>{});
    case ecb_pkcs7_encrypt:
    case cbc_pkcs7_encrypt:
    case cbc_cs1_encrypt:
    case cbc_cs2_encrypt:
    case cbc_cs3_encrypt:
      return visit(kernels::lane::CbcPkcs7Cts<kEncrypt, Keys>{});
    case ecb_pkcs7_decrypt:
    case cbc_pkcs7_decrypt:
    case cbc_cs1_decrypt:
    case cbc_cs2_decrypt:
    case cbc_cs3_decrypt:
      return visit(kernels::lane::CbcPkcs7Cts<kDecrypt, Keys>{});
    case cfb8_encrypt:
    case cfb8_decrypt:
    case cfb1_encrypt:
    case cfb1_decrypt:
      return visit(kernels::lane::Cfb8Cfb1<Keys>{});
  }
}

}  // namespace warpaes::core
