// Numbers of bytes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpaes::bench {

/// Reads a whole number with a unit of 1000s (kB, MB and so on) or 1024s (KiB, MiB and so on), in upper or
/// lower case, as in "1048576", "1MiB", "1 MiB" and "16kB". Empty for anything else, for 0, and for what does
/// not fit into 64 bits.
std::optional<uint64_t> parse_size(std::string_view text);

/// Writes 1048576 as "1 MiB". It takes a unit only if the number stays whole.
std::string size_text(uint64_t bytes);

}  // namespace warpaes::bench
