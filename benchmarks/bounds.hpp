// Which of the hardware's limits is the lowest for a result, and how much it allows.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "limits.hpp"
#include "workload.hpp"

namespace warpaes::bench {

struct Bound {
  const char* limit;  // the name of the limit
  double gb_per_s;
};

/// docs/benchmarks.md derives the formulas.
/// @param limits those that were measured; others do not count
/// @param place the name of the place where the data lies
/// @return empty for CPU engines, and if no limit that applies was measured
std::optional<Bound> lowest_bound(std::span<const MeasuredLimit> limits, const EngineInfo& engine,
                                  const Workload& workload, std::string_view place);

}  // namespace warpaes::bench
