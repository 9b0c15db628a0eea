#pragma once

#include <cstdint>

namespace warpaes::cli {

struct ByteRange {
  uint64_t offset = 0, bytes = 0;
};

}  // namespace warpaes::cli
