// EAX' hash, which is CMAC with a number before the string: OMAC^t of Bellare, Rogaway and Wagner, "The EAX
// Mode of Operation" (FSE 2004), figure 4.
#pragma once

#include "modes/mac_chain.hpp"

namespace warpaes::core {

/// The number, in a block; the string is for the caller to add.
inline void start_omac(Cmac& cmac, uint8_t number) {
  MacBlock block{};
  block[15] = number;
  cmac.start();
  cmac.add(block.data(), block.size());
}

inline MacBlock omac(Cmac& cmac, uint8_t number, const uint8_t* data, uint64_t bytes) {
  start_omac(cmac, number);
  cmac.add(data, bytes);
  return cmac.finish();
}

}  // namespace warpaes::core
