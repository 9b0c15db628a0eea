// The modes of operation for C++20: mode.h, which says what each of them is for. A part of warpaes.hpp.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/mode.hpp needs C++20 (-std=c++20). The C interface is warpaes/warpaes.h."
#else

#include <vector>

#include "warpaes/memory.hpp"
#include "warpaes/mode.h"

namespace warpaes {
inline namespace v0 {

/// The modes of mode.h, under the same names.
enum class Mode : warpaes_mode {
  gcm = WARPAES_MODE_GCM,
  gcm_siv = WARPAES_MODE_GCM_SIV,
  ccm = WARPAES_MODE_CCM,
  eax = WARPAES_MODE_EAX,
  ocb3 = WARPAES_MODE_OCB3,
  siv = WARPAES_MODE_SIV,
  ecb = WARPAES_MODE_ECB,
  ecb_pkcs7 = WARPAES_MODE_ECB_PKCS7,
  cbc = WARPAES_MODE_CBC,
  cbc_pkcs7 = WARPAES_MODE_CBC_PKCS7,
  cbc_cs1 = WARPAES_MODE_CBC_CS1,
  cbc_cs2 = WARPAES_MODE_CBC_CS2,
  cbc_cs3 = WARPAES_MODE_CBC_CS3,
  cfb = WARPAES_MODE_CFB,
  cfb8 = WARPAES_MODE_CFB8,
  cfb1 = WARPAES_MODE_CFB1,
  ofb = WARPAES_MODE_OFB,
  ctr = WARPAES_MODE_CTR,
  xts = WARPAES_MODE_XTS,
  cmac = WARPAES_MODE_CMAC,
  gmac = WARPAES_MODE_GMAC,
  kw = WARPAES_MODE_KW,
  kwp = WARPAES_MODE_KWP,
};

/// What is done with a message.
enum class Direction : warpaes_direction {
  encrypt = WARPAES_DIRECTION_ENCRYPT,
  decrypt = WARPAES_DIRECTION_DECRYPT,
};

/// What is known of a mode.
using ModeInfo = warpaes_mode_info;

namespace detail {

constexpr warpaes_mode plain(Mode mode) { return static_cast<warpaes_mode>(mode); }
constexpr warpaes_direction plain(Direction direction) { return static_cast<warpaes_direction>(direction); }

}  // namespace detail

/// The name of a mode, its standard, and the lengths that it takes.
inline ModeInfo mode_info(Mode mode) {
  ModeInfo info = {};
  info.size = sizeof info;
  detail::require(warpaes_mode_get(detail::plain(mode), &info));
  return info;
}

/// All modes of the library that is loaded, which may be newer than this header.
inline std::vector<Mode> modes() {
  std::vector<Mode> all;
  ModeInfo info = {};
  info.size = sizeof info;
  for (warpaes_mode mode = 1; warpaes_mode_get(mode, &info) == WARPAES_OK; mode++) {
    all.push_back(static_cast<Mode>(mode));
  }
  return all;
}

/// The room that the output of a message of `length` bytes needs.
inline uint64_t output_size(Mode mode, Direction direction, uint64_t length) {
  uint64_t size = 0;
  detail::require(warpaes_output_size(detail::plain(mode), detail::plain(direction), length, &size));
  return size;
}

/// The length of a sealed message of `length` bytes of plaintext: Cipher::seal().
inline uint64_t sealed_size(Mode mode, uint64_t length) {
  const ModeInfo info = mode_info(mode);
  if (info.sealed_overhead == 0) throw Error(WARPAES_ERROR_MODE, "the mode has no sealed messages");
  if (length > info.longest_message || length > UINT64_MAX - info.sealed_overhead) {
    throw Error(WARPAES_ERROR_LENGTH, "the mode has no message of this length");
  }
  return length + info.sealed_overhead;
}

}  // namespace v0
}  // namespace warpaes

#endif
