// leakage: does the time of the GPU's kernels depend on data or keys? Fixed against random, Welch's t.
// Exit code 0: no kernel's does, and that of the leaky control was found to; 1: anything else; 4: no GPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "experiments.hpp"

namespace warpaes::leakage {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> engines;
  double seconds = 60;
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

Json line_of(const Experiment& experiment, const Comparison& found) {
  const auto set = [](const Moments& moments) {
    return Json{{"launches", moments.count},
                {"mean_ns", to_hundredths(moments.mean)},
                {"deviation_ns", to_hundredths(std::sqrt(moments.variance))}};
  };
  return {{"type", "leakage"},
          {"kernel", experiment.subject},
          {"control", experiment.leaky},
          {"bytes", experiment.bytes},
          {"varied", experiment.varied == Varied::input ? "input" : "key"},
          {"fixed", set(found.first)},
          {"random", set(found.second)},
          {"t", to_hundredths(found.t)},
          {"t_cropped", to_hundredths(found.t_cropped)},
          {"kept_share", kKeptShare},
          {"threshold", kThreshold},
          {"detectable_ns", to_hundredths(found.detectable_nanoseconds)},
          {"differs", found.differs()},
          {"passed", found.differs() == experiment.leaky}};
}

/// @return how many experiments did not come out as they must
unsigned run_all(const Options& options, const std::vector<const Engine*>& engines, std::FILE* json) {
  Laboratory laboratory(options.device);
  laboratory.check_control();
  const std::vector<Experiment> experiments = laboratory.experiments(engines);
  fmt::print("{:<44} {:>7} {:<6} {:>8} {:>9} {:>9} {:>8} {:>8}  {}\n", "kernel", "bytes", "varied",
             "launches", "fixed ns", "random ns", "t", "cropped", "verdict");
  unsigned wrong = 0;
  for (const Experiment& experiment : experiments) {
    const Comparison found =
        laboratory.run(experiment, options.seconds / static_cast<double>(experiments.size()));
    const Json line = line_of(experiment, found);
    const bool passed = line["passed"];
    wrong += passed ? 0 : 1;
    fmt::print("{:<44} {:>7} {:<6} {:>8} {:>9.0f} {:>9.0f} {:>8.2f} {:>8.2f}  {}{}\n", experiment.subject,
               experiment.bytes, std::string(line["varied"]), found.first.count + found.second.count,
               found.first.mean, found.second.mean, found.t, found.t_cropped,
               found.differs() ? "differs" : "no difference", passed ? "" : "  <-- FAILED");
    std::fflush(stdout);
    if (json != nullptr) fmt::print(json, "{}\n", line.dump());
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
}  // namespace warpaes::leakage

int main(int argc, char** argv) { return warpaes::leakage::run(argc, argv); }
