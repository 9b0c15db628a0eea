// The lines of a study's JSON.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/samples.hpp"
#include "lab/studies/energy_meter.hpp"
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {

using Line = nlohmann::ordered_json;

/// A place on the x axis of a panel: a size, a value, or the number of a step.
struct Where {
  double x;
  uint64_t bytes;  // of the data
};

struct Measured {
  bench::Spread seconds;
  unsigned samples = 0, repeats = 0;
  std::string mismatch;  // empty: verified
  std::optional<Resources> resources;
  std::optional<double> seconds_p99;  // of single calls; the median is then their 50th percentile
  std::optional<EnergyUse> energy;
};

/// The mode of the subject, as the benchmarks name it.
std::string_view mode_text(const Subject& subject);

Line study_line(const Study& study);
/// The steps of a panel, in their order on the axis.
std::vector<std::string> steps_of(const Panel& panel);
Line chart_line(const Study& study, const Panel& panel, const Quantity& quantity);
/// What is known before anything is measured: the study's line, and those of its charts.
std::vector<Line> outline_of(const Study& study);
Line published_line(const Study& study, const Panel& panel, const Published& published);
Line result_line(const Study& study, const Panel& panel, const Subject& subject, const Where& where,
                 const Measured& measured);
/// A finding: the sizes at which this subject is faster than OpenSSL on one core.
/// @param faster for each size at which both were measured: is it?
Line crossover_line(const Study& study, const Panel& panel, const Subject& subject,
                    const std::map<uint64_t, bool>& faster);
/// A finding: the power that the machine uses while nothing runs.
Line idle_line(const Study& study, const Panel& panel, const EnergyReading& idle);
Line left_out_line(const Study& study, const Panel& panel, const Subject& subject, const std::string& where,
                   const std::string& reason);

}  // namespace warpaes::core::lab
