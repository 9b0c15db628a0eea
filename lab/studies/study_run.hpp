// A study run: each row measured, verified and told at once, as a line of JSON (docs/lab.md describes them).
#pragma once

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/studies/study.hpp"

namespace warpaes::core::lab {

struct StudyOptions {
  int device = 0;
  uint64_t most_bytes = 0;    // larger data is left out; 0: 4 MiB without a GPU, and else none
  double most_seconds = 0.5;  // so is a call that would take longer, going by the size before
  double until = std::numeric_limits<double>::infinity();  // and all that has not begun then (steady_seconds)
};

/// Takes each line, and may throw to end the run.
using TakeLine = std::function<void(const nlohmann::ordered_json& line)>;

struct StudyCounts {
  unsigned results = 0, left_out = 0, wrong = 0;
};

StudyCounts run_study(const Study& study, const StudyOptions& options, const TakeLine& take);

}  // namespace warpaes::core::lab
