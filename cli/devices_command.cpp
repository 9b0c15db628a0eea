#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "json_lines.hpp"
#include "progress_bar.hpp"
#include "report_options.hpp"
#include "warpaes/context.hpp"

namespace warpaes::cli {
namespace {

/// 13020 is 13.2.
std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

void print_device(size_t device, const DeviceInfo& info, bool json) {
  const std::string capability = fmt::format("{}.{}", info.compute_major, info.compute_minor);
  if (json) {
    print_json_line({{"type", "device"},
                     {"device", device},
                     {"name", info.name},
                     {"compute_capability", capability},
                     {"multiprocessors", info.multiprocessors},
                     {"memory_bytes", info.memory_size},
                     {"free_bytes", info.memory_free},
                     {"driver_version", cuda_version(info.driver_version)},
                     {"runtime_version", cuda_version(info.runtime_version)}});
  } else {
    fmt::print("{}: {}, compute capability {}, {} multiprocessors, {} ({} free), driver for CUDA {}\n",
               device, info.name, capability, info.multiprocessors, readable_bytes(info.memory_size),
               readable_bytes(info.memory_free), cuda_version(info.driver_version));
  }
}

/// "no CUDA device: " and what CUDA says, of which the end is wanted.
std::string why_there_is_none() {
  try {
    (void)warpaes::device_info(0);
    return "";
  } catch (const Error& error) {
    const std::string message = error.what();
    const size_t colon = message.find(": ");
    return colon == std::string::npos ? message : message.substr(colon + 2);
  }
}

void list_devices(bool json) {
  const std::vector<DeviceInfo> all = warpaes::devices();
  for (size_t device = 0; device < all.size(); device++) print_device(device, all[device], json);
  const std::string reason = all.empty() ? why_there_is_none() : "";
  if (json) {
    print_json_line(
        {{"type", "summary"}, {"command", "devices"}, {"devices", all.size()}, {"reason", reason}});
  } else if (all.empty()) {
    fmt::print("no CUDA device: {}\n", reason);
  }
}

}  // namespace

void register_devices(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added = app.add_subcommand("devices", "List the GPUs");
  const auto options = std::make_shared<ReportOptions>();
  options->add_json(*added);
  added->callback([options, &exit_code] {
    list_devices(options->json);
    exit_code = ExitCode::done;
  });
}

}  // namespace warpaes::cli
