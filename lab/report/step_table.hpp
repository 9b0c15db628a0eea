// All that is known of each step of a comparison, side by side.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "lab/report/page.hpp"

namespace warpaes::core::lab {

struct Column {
  const Chart* chart;
  bool with_gain = false;  // over the step before, in a column of its own
};

/// None unless the charts have the same steps, and one line each that was measured here; one of them must be
/// there. Charts without a line are left out.
std::optional<Table> step_table(std::span<const Column> columns);

}  // namespace warpaes::core::lab
