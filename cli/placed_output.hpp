// Where in its memory a piece of output should lie, which a file gets by pwrite().
#pragma once

#include <cstdint>
#include <span>

#include "warpaes/context.hpp"

namespace warpaes::cli {

/// What an output's memory needs beside its bytes.
constexpr uint64_t kPlacingRoom = 4095;

/// The part of the memory whose address has the same distance to a multiple of 4096, a page, as the place in
/// the file: the system copies it to the file's pages with the processor's instruction for copies, which is
/// slow between unequal distances to lines of the cache (docs/design/files.md), and a file that bypasses the
/// page cache takes whole blocks from there without a copy.
inline std::span<uint8_t> placed_output(warpaes::HostBuffer& memory, uint64_t place_in_file) {
  const uint64_t shift = (place_in_file - reinterpret_cast<uintptr_t>(memory.data())) % (kPlacingRoom + 1);
  return std::span(memory.data(), memory.size()).subspan(shift);
}

}  // namespace warpaes::cli
