// A kernel of somebody's own that deciphers with warpaes/device.cuh.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpaes::testing {

/// Blocks that the current device has deciphered. Throws std::runtime_error with CUDA's word for what failed.
/// @param tables 1, 2 or 4, for which the device has room
/// @param key 16, 24 or 32 bytes
/// @param sealed blocks of 16 bytes. For CBC the first one is the initialization vector, of which no block is
///        made; for ECB it is a block as all others, and `chained` is false
std::vector<uint8_t> deciphered(int tables, std::span<const uint8_t> key, std::span<const uint8_t> sealed,
                                bool chained);

/// Has a thread block of the current device as much shared memory as that many tables take?
bool has_room_for(int tables);

}  // namespace warpaes::testing
