// Engines of which each is wrong in one way. The self-test and the conformance test must find them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace warpaes::core::conformance {

struct PlantedFault {
  Engine engine;          // "faulty/what is wrong"
  std::string self_test;  // what the self-test says; "" if it has no case for this
  const char* mode;       // the row of the matrix in which the conformance test finds it
  const char* finding;    // part of what it says there
};

std::span<const PlantedFault> planted_faults();

/// Those among them that are in GCM-SIV, CCM, EAX, OCB3 and SIV.
std::vector<PlantedFault> planted_aead_faults();
/// Those in batches with a key each, of data units and of wrapped keys.
std::vector<PlantedFault> planted_batch_faults();

}  // namespace warpaes::core::conformance
