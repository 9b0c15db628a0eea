// The engines that the conformance test walks: those of the product's table, the composed forms on each host
// engine that has forms of its own, and the emulated GPU.
#pragma once

#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace warpaes::core::conformance {

struct EngineUnderTest {
  const Engine* engine;
  uint64_t largest;      // bytes of its largest message
  unsigned sample;       // runs one in so many cases
  bool composes = true;  // what it has not fused; too slow if each block is a launch

  std::string only_mode = {};  // a row of the matrix: no cases of others; empty: all
  std::string name() const { return std::string(engine->name) + "/" + engine->kernel; }
};

std::vector<EngineUnderTest> engines_under_test();

}  // namespace warpaes::core::conformance
