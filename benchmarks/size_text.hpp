// Numbers of bytes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpaes::core::bench {

/// "1048576", "1MiB", "1 MiB", "16kB": a whole number, and a unit of 1000s (kB, MB, …) or 1024s (KiB,
/// MiB, …), upper or lower case. Empty for anything else, for 0 and for what exceeds 64 bits.
std::optional<uint64_t> parse_size(std::string_view text);

/// 1048576 as "1 MiB"; a unit is taken only if the number stays whole.
std::string size_text(uint64_t bytes);

}  // namespace warpaes::core::bench
