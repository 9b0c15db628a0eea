// Engines that are wrong in one way each: the positive controls of self-test and conformance test.
#pragma once

#include <span>

#include "engines/engine.hpp"

namespace warpaes::conformance {

struct PlantedFault {
  Engine engine;          // "faulty/what is wrong"
  const char* self_test;  // what the self-test says; "" if it has no case for this
  const char* mode;       // the row of the matrix in which the conformance test finds it
  const char* finding;    // part of what it says there
};

std::span<const PlantedFault> planted_faults();

}  // namespace warpaes::conformance
