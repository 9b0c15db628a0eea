// Runs a study: each row is measured, verified and reported at once as a line of JSON, which docs/lab.md
// describes.
#pragma once

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/studies/study.hpp"

namespace warpaes::core::lab {

struct StudyOptions {
  int device = 0;
  uint64_t most_bytes = 0;    // larger data is left out; 0: no limit on a GPU, 4 MiB without one
  double most_seconds = 0.5;  // calls that would take longer, judged by the size before, are left out
  // What has not begun by then (steady_seconds) is left out.
  double until = std::numeric_limits<double>::infinity();
};

/// Takes each line, and may throw to end the run.
using TakeLine = std::function<void(const nlohmann::ordered_json& line)>;

struct StudyCounts {
  unsigned results = 0, left_out = 0, wrong = 0;
};

StudyCounts run_study(const Study& study, const StudyOptions& options, const TakeLine& take);

}  // namespace warpaes::core::lab
