#pragma once

#include <cstdint>

namespace warpaes::core {

/// Processors of 64 bits have addresses of at most 57 bits today. A length beyond that is a mistake, such as
/// a negative number that was taken for a length.
constexpr uint64_t kAddressSpace = uint64_t{1} << 57;

}  // namespace warpaes::core
