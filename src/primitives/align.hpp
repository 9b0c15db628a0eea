// Lengths that fill whole units.
#pragma once

#include <cstdint>

namespace warpaes::core {

/// The next multiple of `unit`. The sum must not overflow.
constexpr uint64_t rounded_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace warpaes::core
