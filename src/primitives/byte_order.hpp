// Integers in bytes, whatever the machine's own order and the pointer's alignment.
#pragma once

#include <cstdint>

#include "primitives/host_device.hpp"

namespace warpaes::core {

WARPAES_HOST_DEVICE uint32_t load_le32(const uint8_t* from) {
  return static_cast<uint32_t>(from[0]) | static_cast<uint32_t>(from[1]) << 8 |
         static_cast<uint32_t>(from[2]) << 16 | static_cast<uint32_t>(from[3]) << 24;
}

WARPAES_HOST_DEVICE uint32_t load_be32(const uint8_t* from) {
  return static_cast<uint32_t>(from[3]) | static_cast<uint32_t>(from[2]) << 8 |
         static_cast<uint32_t>(from[1]) << 16 | static_cast<uint32_t>(from[0]) << 24;
}

WARPAES_HOST_DEVICE uint64_t load_le64(const uint8_t* from) {
  return load_le32(from) | static_cast<uint64_t>(load_le32(from + 4)) << 32;
}

WARPAES_HOST_DEVICE uint64_t load_be64(const uint8_t* from) {
  return static_cast<uint64_t>(load_be32(from)) << 32 | load_be32(from + 4);
}

WARPAES_HOST_DEVICE void store_le32(uint8_t* to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

WARPAES_HOST_DEVICE void store_be32(uint8_t* to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
}

WARPAES_HOST_DEVICE void store_le64(uint8_t* to, uint64_t value) {
  for (int i = 0; i < 8; i++) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

WARPAES_HOST_DEVICE void store_be64(uint8_t* to, uint64_t value) {
  for (int i = 0; i < 8; i++) to[i] = static_cast<uint8_t>(value >> (56 - 8 * i));
}

}  // namespace warpaes::core
