// A table that puts all quantities of the steps of a comparison side by side.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "lab/report/page.hpp"

namespace warpaes::core::lab {

struct Column {
  const Chart* chart;
  bool with_gain = false;  // a column for the gain over the step before
};

/// None unless the charts have the same steps, and each has one line that was measured here. Charts without a
/// line are left out, but there must be at least one with a line.
std::optional<Table> step_table(std::span<const Column> columns);

}  // namespace warpaes::core::lab
