// The kernel for batches of messages, a lane each: its body for every mode, with one key and a key each.
#pragma once

#include "emulated_gpu/emulated_grid.hpp"
#include "kernels/message_lanes.hpp"

namespace warpaes {

using MessageLanesBody = void (*)(emulated::EmulatedThread&, const LaneArguments&, const uint32_t*);

/// Null for modes that invert the cipher and are to have a key each.
template <int Tables, int Rounds, CipherMode Mode>
MessageLanesBody message_lanes_body(LaneKeys keys) {
  if (keys == LaneKeys::one)
    return message_lanes<Tables, Rounds, Mode, LaneKeys::one, emulated::EmulatedThread>;
  if constexpr (inverts_cipher(Mode)) {
    return nullptr;
  } else {
    return message_lanes<Tables, Rounds, Mode, LaneKeys::each, emulated::EmulatedThread>;
  }
}

template <int Tables, int Rounds>
MessageLanesBody message_lanes_body(CipherMode mode, LaneKeys keys) {
  using enum CipherMode;
  switch (mode) {
    case ecb_encrypt:
      return message_lanes_body<Tables, Rounds, ecb_encrypt>(keys);
    case ecb_decrypt:
      return message_lanes_body<Tables, Rounds, ecb_decrypt>(keys);
    case cbc_encrypt:
      return message_lanes_body<Tables, Rounds, cbc_encrypt>(keys);
    case cbc_decrypt:
      return message_lanes_body<Tables, Rounds, cbc_decrypt>(keys);
    case cfb_encrypt:
      return message_lanes_body<Tables, Rounds, cfb_encrypt>(keys);
    case cfb_decrypt:
      return message_lanes_body<Tables, Rounds, cfb_decrypt>(keys);
    case ofb:
      return message_lanes_body<Tables, Rounds, ofb>(keys);
    case ctr:
      return message_lanes_body<Tables, Rounds, ctr>(keys);
    default:  // cbc_mac is cmac with other arguments
      return message_lanes_body<Tables, Rounds, cmac>(keys);
  }
}

}  // namespace warpaes
