// The lowest of the hardware's limits that a result is up against.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "limits.hpp"
#include "workload.hpp"

namespace warpaes::core::bench {

struct Bound {
  const char* limit;  // its name
  double gb_per_s;
};

/// docs/benchmarks.md derives the formulas.
/// @param limits as measured; those that are not among them bound nothing
/// @param place the name of the place where the data lies
/// @return empty for CPU engines and if nothing that applies was measured
std::optional<Bound> lowest_bound(std::span<const MeasuredLimit> limits, const EngineInfo& engine,
                                  const Workload& workload, std::string_view place);

}  // namespace warpaes::core::bench
