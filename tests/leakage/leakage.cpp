// The leak test: does the time of the GPU's kernels depend on data or keys? It compares fixed with random
// ones by Welch's t.
// Exit code 0: no kernel's time does, and the leaky controls were found. 1: anything else. 4: there is no
// GPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments.hpp"

namespace warpaes::core::leakage {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> engines;
  double seconds = 300;
  int device = 0;
  std::string json;
};

std::vector<const Engine*> chosen_engines(const Options& options) {
  std::vector<const Engine*> chosen;
  for (const std::string& name : options.engines) chosen.push_back(&engine_named(name));
  for (const Engine* engine : engine_table()) {
    if (options.engines.empty() && engine->memory == Memory::device) chosen.push_back(engine);
  }
  for (const Engine* engine : chosen) {
    if (const Availability here = usable(*engine, options.device); !here.available)
      throw Failure(WARPAES_ERROR_ENGINE_UNAVAILABLE, full_name(*engine) + ": " + here.reason);
  }
  return chosen;
}

double to_hundredths(double value) { return std::round(value * 100) / 100; }

const char* name_of(Varied varied) {
  constexpr const char* kNames[] = {"input", "pattern", "key", "tag"};
  return kNames[static_cast<int>(varied)];
}

/// What is known of patterns without computation, by size.
using Baselines = std::map<uint64_t, Comparison>;

/// Patterns are judged by what they save beyond what a copy of them saves: caches and memory treat repeated
/// data a little differently, whatever is computed.
std::optional<double> t_beyond_copy(const Experiment& experiment, const Comparison& found,
                                    const Baselines& baselines) {
  const auto baseline = baselines.find(experiment.bytes);
  if (experiment.varied != Varied::pattern || baseline == baselines.end()) return {};
  return t_between(found, baseline->second);
}

bool is_as_it_must_be(Role role, const Comparison& found, std::optional<double> beyond_copy) {
  const bool differs =
      beyond_copy ? found.differs() && std::abs(*beyond_copy) >= kThreshold : found.differs();
  return role == Role::baseline || differs == (role == Role::control);
}

/// What was found in clock cycles, where they were counted.
Json cycles_of(const std::optional<Comparison>& found) {
  if (!found) return nullptr;
  return {{"launches", {found->first.count, found->second.count}},
          {"mean", {to_hundredths(found->first.mean), to_hundredths(found->second.mean)}},
          {"t", to_hundredths(found->t)},
          {"t_cropped", to_hundredths(found->t_cropped)},
          {"difference", to_hundredths(found->difference)},
          {"detectable", to_hundredths(found->detectable)},
          {"differs", found->differs()}};
}

Json line_of(const Experiment& experiment, const Found& all, std::optional<double> beyond_copy) {
  const Comparison& found = all.time;
  const auto set = [](const Moments& moments) {
    return Json{{"launches", moments.count},
                {"mean_ns", to_hundredths(moments.mean)},
                {"deviation_ns", to_hundredths(std::sqrt(moments.variance))}};
  };
  constexpr const char* kRoles[] = {"product", "baseline", "control"};
  return {{"type", "leakage"},
          {"kernel", experiment.subject},
          {"role", kRoles[static_cast<int>(experiment.role)]},
          {"key_bits", experiment.form.key_bits},
          {"odd_addresses", experiment.form.odd_addresses},
          {"bytes", experiment.bytes},
          {"varied", name_of(experiment.varied)},
          {"fixed", set(found.first)},
          {"random", set(found.second)},
          {"t", to_hundredths(found.t)},
          {"t_cropped", to_hundredths(found.t_cropped)},
          {"t_beyond_copy", beyond_copy ? Json(to_hundredths(*beyond_copy)) : Json(nullptr)},
          {"kept_share", kKeptShare},
          {"threshold", kThreshold},
          {"difference_ns", to_hundredths(found.difference)},
          {"detectable_ns", to_hundredths(found.detectable)},
          {"differs", found.differs()},
          {"cycles", cycles_of(all.cycles)},
          {"passed", is_as_it_must_be(experiment.role, found, beyond_copy)}};
}

void print(const Experiment& experiment, const Found& all, std::optional<double> beyond_copy) {
  const Comparison& found = all.time;
  const bool passed = is_as_it_must_be(experiment.role, found, beyond_copy);
  fmt::print("{:<52} {}{} {:>9} {:<8} {:>8} {:>9.1f} {:>8.1f} {:>8.2f} {:>8.2f} {:>8} {:>8}  {}{}\n",
             experiment.subject, experiment.form.key_bits, experiment.form.odd_addresses ? "+" : " ",
             experiment.bytes, name_of(experiment.varied), found.first.count + found.second.count,
             found.first.mean, found.difference, found.t, found.t_cropped,
             beyond_copy ? fmt::format("{:.2f}", *beyond_copy) : "",
             all.cycles ? fmt::format("{:.2f}", all.cycles->t_cropped) : "",
             found.differs() ? "differs" : "same", passed ? "" : "  <-- FAILED");
  std::fflush(stdout);
}

/// @return how many experiments did not come out as they must
unsigned run_all(const Options& options, const std::vector<const Engine*>& engines, std::FILE* json) {
  Laboratory laboratory(options.device);
  laboratory.check_control();
  const std::vector<Experiment> experiments = laboratory.experiments(engines);
  double weights = 0;
  for (const Experiment& experiment : experiments) weights += experiment.weight();
  Baselines baselines;
  unsigned wrong = 0;
  fmt::print("{:<52} {:<4} {:>9} {:<8} {:>8} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}  {}\n", "kernel", "bits",
             "bytes", "varied", "launches", "fixed ns", "- random", "t", "cropped", "- copy", "cycles",
             "verdict");
  for (const Experiment& experiment : experiments) {
    const Found found = laboratory.run(experiment, options.seconds * experiment.weight() / weights);
    if (experiment.role == Role::baseline) baselines.emplace(experiment.bytes, found.time);
    const std::optional<double> beyond_copy = t_beyond_copy(experiment, found.time, baselines);
    print(experiment, found, beyond_copy);
    wrong += is_as_it_must_be(experiment.role, found.time, beyond_copy) ? 0 : 1;
    if (json != nullptr) fmt::print(json, "{}\n", line_of(experiment, found, beyond_copy).dump());
  }
  return wrong;
}

int run(int argc, char** argv) {
  CLI::App app{"Does the time of the GPU's kernels depend on data or keys?", "leakage"};
  Options options;
  app.add_option("--engine", options.engines, "Only this engine, NAME/KERNEL; may be repeated");
  app.add_option("--seconds", options.seconds, "For all experiments together")->check(CLI::PositiveNumber);
  app.add_option("--device", options.device, "CUDA device");
  app.add_option("--json", options.json, "File for the results, one object a line");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<const Engine*> engines = chosen_engines(options);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> json(
        options.json.empty() ? nullptr : std::fopen(options.json.c_str(), "w"),
        [](std::FILE* file) { return file == nullptr ? 0 : std::fclose(file); });
    if (!options.json.empty() && json == nullptr)
      throw std::runtime_error(options.json + " cannot be written");
    const unsigned wrong = run_all(options, engines, json.get());
    fmt::print("{}\n", wrong == 0 ? "no kernel's time depends on data or keys; the control's was found to"
                                  : fmt::format("{} experiments FAILED", wrong));
    return wrong == 0 ? 0 : 1;
  } catch (const Failure& failure) {
    fmt::print(stderr, "leakage: error: {}\n", failure.what());
    return failure.status() == WARPAES_ERROR_ENGINE_UNAVAILABLE || failure.status() == WARPAES_ERROR_NO_DEVICE
               ? 4
               : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "leakage: error: {}\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace warpaes::core::leakage

int main(int argc, char** argv) { return warpaes::core::leakage::run(argc, argv); }
