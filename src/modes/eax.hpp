// The hash of EAX, OMAC^t, is CMAC of the string with a number before it: Bellare, Rogaway and Wagner, "The
// EAX Mode of Operation" (FSE 2004), figure 4.
#pragma once

#include "modes/mac_chain.hpp"

namespace warpaes::core {

/// Begins OMAC with its number as a block. The caller adds the string.
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
