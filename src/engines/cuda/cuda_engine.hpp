// The GPU engines: work on device memory, asynchronously on a stream.
#pragma once

#include "engines/engine.hpp"

namespace warpaes {

extern const Engine cuda_lane_private_tables, cuda_bitsliced;

}  // namespace warpaes
