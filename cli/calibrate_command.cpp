// calibrate: how fast the CPU and the GPU are together on host memory, for the programs that run here later.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "command.hpp"
#include "engine_options.hpp"
#include "failure_report.hpp"
#include "json_lines.hpp"
#include "report_options.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

struct CalibrateCommand {
  EngineOptions engine_options;
  ReportOptions report_options;

  void run() const;
  void print_speeds(const Calibration& calibration) const;
};

constexpr char kRow[] = "{:<10} {:>10} {:>12} {:>12} {:>20} {:>20} {:>16}\n";

/// In which kinds of host memory the GPU takes part in calls, as --json says it.
const char* gpu_part(const HostSpeed& speed) {
  if (speed.gpu_for_pageable) return speed.gpu_for_pinned ? "always" : "pageable";
  return speed.gpu_for_pinned ? "pinned" : "never";
}

void print_speed_json(const HostSpeed& speed) {
  print_json_line({{"type", "speed"},
                   {"work", speed.work},
                   {"least_bytes", speed.least_length},
                   {"one_thread", speed.one_thread},
                   {"all_threads", speed.all_threads},
                   {"with_gpu_pageable", speed.with_gpu_pageable},
                   {"with_gpu_pinned", speed.with_gpu_pinned},
                   {"gpu_takes_part", gpu_part(speed)}});
}

void print_speed(const HostSpeed& speed) {
  const auto gigabytes = [](double bytes) {
    return bytes == 0 ? std::string("-") : fmt::format("{:.2f}", bytes / 1e9);
  };
  fmt::print(kRow, speed.work, fmt::format("{} MiB", speed.least_length >> 20), gigabytes(speed.one_thread),
             gigabytes(speed.all_threads), gigabytes(speed.with_gpu_pageable),
             gigabytes(speed.with_gpu_pinned), gpu_part(speed));
}

void CalibrateCommand::print_speeds(const Calibration& calibration) const {
  if (!report_options.json)
    fmt::print(kRow, "GB/s", "calls from", "one thread", "all threads", "with GPU (pageable)",
               "with GPU (pinned)", "GPU takes part");
  for (const HostSpeed& speed : std::span(calibration.speeds, calibration.speed_count))
    (report_options.json ? print_speed_json : print_speed)(speed);
  std::fflush(stdout);  // a program that ends with an error does not
}

/// The file in which the library looks for the answer; empty if no folder for it is known.
std::filesystem::path place_for_answer() {
  const auto folder = [](const char* variable) {
    const char* const path = secure_getenv(variable);
    return path != nullptr && *path == '/' ? std::filesystem::path(path) : std::filesystem::path();
  };
  const std::filesystem::path cache = folder("XDG_CACHE_HOME"), home = folder("HOME");
  if (!cache.empty()) return cache / "warpaes";
  return home.empty() ? home : home / ".cache" / "warpaes";
}

/// Asked before some seconds are spent measuring.
void require_place_for_answer() {
  const auto refuse = [](const std::string& why) {
    throw Refusal(ExitCode::error, why, "$XDG_CACHE_HOME can name a folder that may be written to");
  };
  const std::filesystem::path place = place_for_answer();
  if (place.empty()) refuse("neither $XDG_CACHE_HOME nor $HOME names a folder");
  std::error_code error;
  std::filesystem::create_directories(place, error);
  if (!error && faccessat(AT_FDCWD, place.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    error = {errno, std::generic_category()};
  if (error) refuse(fmt::format("no speeds can be stored in {}: {}", shown(place.string()), error.message()));
}

void CalibrateCommand::run() const {
  require_place_for_answer();
  Calibration calibration = {};
  try {
    Context(engine_options.context_options()).calibrate(calibration);
  } catch (const Error& error) {
    // It took some seconds to measure them, so they are told as well if they could not be stored.
    if (error.status() == WARPAES_ERROR_FILE) print_speeds(calibration);
    throw;
  }
  print_speeds(calibration);
  const std::string_view no_gpu = calibration.why_no_gpu;
  if (report_options.json) {
    print_json_line(
        {{"type", "summary"}, {"command", "calibrate"}, {"file", calibration.file}, {"why_no_gpu", no_gpu}});
    return;
  }
  if (!no_gpu.empty()) fmt::print("without a GPU: {}\n", no_gpu);
  fmt::print("stored in {}\n", calibration.file);
}

}  // namespace

void register_calibrate(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added = app.add_subcommand(
      "calibrate", "Measure whether the GPU should take part in work on host memory, and keep the answer");
  const auto command = std::make_shared<CalibrateCommand>();
  command->engine_options.add_machine_to(*added);
  command->report_options.add_json(*added);
  added->callback([command, &exit_code] {
    command->run();
    exit_code = ExitCode::done;
  });
}

}  // namespace warpaes::cli
