// What tests of messages on the emulated GPU are made of.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace warpaes::core {

/// Of a generator with a fixed seed, so that a test that fails does so again.
inline std::vector<uint8_t> random_bytes(std::mt19937_64& random, size_t count) {
  std::vector<uint8_t> made(count);
  for (uint8_t& byte : made) byte = static_cast<uint8_t>(random());
  return made;
}

}  // namespace warpaes::core
