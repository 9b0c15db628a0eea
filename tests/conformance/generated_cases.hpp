// Cases that no standard publishes: sizes around every boundary, all alignments, in place, batches in
// many layouts, counters that wrap, wrong tags. What is expected comes from two engines, which must agree.
#pragma once

#include <functional>

#include "conformance_case.hpp"
#include "share.hpp"

namespace warpaes::core::conformance {

/// OpenSSL's EVP, and the portable T-tables with the modes composed.
class Oracles {
 public:
  Oracles();

  /// Fills output and tags from an encryption case's input; throws std::runtime_error, naming the case,
  /// if the two differ.
  void encrypt(Case& test) const;

 private:
  const Engine& first_;
  const Engine& second_;
};

/// Takes each case with its expected answers. Cases are made one after another, because some are large.
using Visitor = std::function<void(const Case&)>;

/// @param largest bytes of the largest message; at 1 MiB + 7 or less the whole takes seconds on a CPU
/// @param share of them
void visit_generated_cases(uint64_t largest, Share& share, const Visitor& visit);

constexpr uint64_t kLargestOnCpu = (uint64_t{1} << 20) + 7;
constexpr uint64_t kLargestOnGpu = (uint64_t{64} << 20) + 7;

}  // namespace warpaes::core::conformance
