// The kernel for batches of messages, a lane each: its body for every mode, with one key and a key each.
#pragma once

#include "emulated_gpu/emulated_grid.hpp"
#include "kernels/batch_policy.hpp"
#include "kernels/ending_lanes.hpp"
#include "kernels/message_lanes.hpp"
#include "kernels/segment_lanes.hpp"
#include "kernels/wrap_lanes.hpp"
#include "kernels/xts_lanes.hpp"

namespace warpaes {

using MessageLanesBody = void (*)(emulated::EmulatedThread&, const LaneArguments&, const uint32_t*,
                                  const uint32_t*);

template <LaunchPolicy Policy, int Rounds, CipherMode Mode, LaneKeys Keys>
constexpr MessageLanesBody message_lanes_body() {
  constexpr int kTables = message_lanes_policy(Policy, Keys, Mode).tables;
  if constexpr (is_xts(Mode)) {
    return xts_lanes<kTables, Rounds, Mode, Keys, emulated::EmulatedThread>;
  } else if constexpr (wraps_keys(Mode)) {
    return wrap_lanes<kTables, Rounds, Mode, Keys, emulated::EmulatedThread>;
  } else if constexpr (pads(Mode)) {
    return ending_lanes<kTables, Rounds, Mode, Keys, emulated::EmulatedThread>;
  } else if constexpr (has_short_segments(Mode)) {
    return segment_lanes<kTables, Rounds, Keys, emulated::EmulatedThread>;
  } else {
    return message_lanes<kTables, Rounds, Mode, Keys, emulated::EmulatedThread>;
  }
}

template <LaunchPolicy Policy, int Rounds, CipherMode Mode>
MessageLanesBody message_lanes_body(LaneKeys keys) {
  return keys == LaneKeys::one ? message_lanes_body<Policy, Rounds, Mode, LaneKeys::one>()
                               : message_lanes_body<Policy, Rounds, Mode, LaneKeys::each>();
}

template <LaunchPolicy Policy, int Rounds>
MessageLanesBody message_lanes_body(CipherMode mode, LaneKeys keys) {
  using enum CipherMode;
  // Kernels for more than one mode, whose arguments say which.
  if (has_short_segments(mode)) return message_lanes_body<Policy, Rounds, cfb8_encrypt>(keys);
  if (pads(mode) || steals(mode)) {
    return inverts_cipher(mode) ? message_lanes_body<Policy, Rounds, cbc_pkcs7_decrypt>(keys)
                                : message_lanes_body<Policy, Rounds, cbc_pkcs7_encrypt>(keys);
  }
  switch (mode) {
    case ecb_encrypt:
      return message_lanes_body<Policy, Rounds, ecb_encrypt>(keys);
    case ecb_decrypt:
      return message_lanes_body<Policy, Rounds, ecb_decrypt>(keys);
    case cbc_encrypt:
      return message_lanes_body<Policy, Rounds, cbc_encrypt>(keys);
    case cbc_decrypt:
      return message_lanes_body<Policy, Rounds, cbc_decrypt>(keys);
    case cfb_encrypt:
      return message_lanes_body<Policy, Rounds, cfb_encrypt>(keys);
    case cfb_decrypt:
      return message_lanes_body<Policy, Rounds, cfb_decrypt>(keys);
    case ofb:
      return message_lanes_body<Policy, Rounds, ofb>(keys);
    case ctr:
      return message_lanes_body<Policy, Rounds, ctr>(keys);
    case xts_encrypt:
      return message_lanes_body<Policy, Rounds, xts_encrypt>(keys);
    case xts_decrypt:
      return message_lanes_body<Policy, Rounds, xts_decrypt>(keys);
    case kw_wrap:
    case kwp_wrap:
      return message_lanes_body<Policy, Rounds, kw_wrap>(keys);
    case kw_unwrap:
    case kwp_unwrap:
      return message_lanes_body<Policy, Rounds, kw_unwrap>(keys);
    default:  // cbc_mac is cmac with other arguments
      return message_lanes_body<Policy, Rounds, cmac>(keys);
  }
}

}  // namespace warpaes
