// The GPU engine: works on device memory, asynchronous on a stream.
#pragma once

#include "engines/engine.hpp"

namespace warpaes {

extern const Engine cuda_lane_private_tables;

}  // namespace warpaes
