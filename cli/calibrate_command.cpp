// calibrate: how fast the CPU and the GPU are together on host memory, for the programs that run here later.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "engine_options.hpp"
#include "failure.hpp"
#include "json_lines.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/speed_store.hpp"
#include "report_options.hpp"

namespace warpaes::core::cli {
namespace {

struct CalibrateCommand {
  EngineOptions engine_options;
  ReportOptions report_options;

  void run() const;
};

core::ContextOptions automatic(const warpaes::ContextOptions& options) {
  core::ContextOptions made;
  made.timing = static_cast<TimingClass>(options.timing);
  made.threads = options.threads;
  made.all_devices = options.all_devices;
  if (!options.devices.empty()) made.devices = options.devices;
  return made;
}

/// Empty if there is one.
std::string why_no_gpu(const core::Context& context) {
  try {
    context.device_engine();
    return {};
  } catch (const Failure& failure) {
    return failure.what();
  }
}

constexpr char kRow[] = "{:<10} {:>10} {:>12} {:>12} {:>20} {:>20} {:>16}\n";

/// With which memory the GPU takes part.
const char* gpu_part(const HostSpeed& speed) {
  const bool pageable = speed.gpu_takes_part({.bytes = 0, .pinned = false}),
             pinned = speed.gpu_takes_part({.bytes = 0, .pinned = true});
  if (pageable) return pinned ? "always" : "pageable";
  return pinned ? "pinned" : "never";
}

/// @param least the shortest call that it is the speed of
void print_speed(WorkKind kind, uint64_t least, const HostSpeed& speed, bool json) {
  if (json) {
    print_json_line({{"type", "speed"},
                     {"work", name_of(kind)},
                     {"least_bytes", least},
                     {"one_thread", speed.one_thread},
                     {"all_threads", speed.all_threads},
                     {"with_gpu_pageable", speed.with_gpu_pageable},
                     {"with_gpu_pinned", speed.with_gpu_pinned},
                     {"gpu_takes_part", gpu_part(speed)}});
    return;
  }
  const auto gigabytes = [](double bytes) {
    return bytes == 0 ? std::string("-") : fmt::format("{:.2f}", bytes / 1e9);
  };
  fmt::print(kRow, name_of(kind), fmt::format("{} MiB", least >> 20), gigabytes(speed.one_thread),
             gigabytes(speed.all_threads), gigabytes(speed.with_gpu_pageable),
             gigabytes(speed.with_gpu_pinned), gpu_part(speed));
}

void CalibrateCommand::run() const {
  const core::Context context(automatic(engine_options.context_options()));
  const bool json = report_options.json;
  if (!json) {
    fmt::print(kRow, "GB/s", "calls from", "one thread", "all threads", "with GPU (pageable)",
               "with GPU (pinned)", "GPU takes part");
  }
  AllHostSpeeds speeds;
  for (const WorkKind kind : {WorkKind::stream, WorkKind::gcm, WorkKind::chained}) {
    for (CallSize size = 0; size < kCallSizes; size++) {
      HostSpeed& speed = speeds[static_cast<size_t>(kind)][size];
      speed = measure_host_speed(context, kind, size);
      print_speed(kind, least_bytes(context.state().sizes, size), speed, json);
    }
  }
  store_speeds(context, speeds);
  const std::string file = speed_file(context).string(), no_gpu = why_no_gpu(context);
  if (json) {
    print_json_line({{"type", "summary"}, {"command", "calibrate"}, {"file", file}, {"why_no_gpu", no_gpu}});
  } else {
    if (!no_gpu.empty()) fmt::print("without a GPU: {}\n", no_gpu);
    fmt::print("stored in {}\n", file);
  }
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

}  // namespace warpaes::core::cli
