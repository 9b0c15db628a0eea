// The GPU engines: work on device memory, asynchronously on a stream.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

extern const Engine cuda_lane_private_tables, cuda_bitsliced;

}  // namespace warpaes::core
