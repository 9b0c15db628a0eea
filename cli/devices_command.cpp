#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "device/device.hpp"
#include "json_lines.hpp"
#include "progress_bar.hpp"
#include "report_options.hpp"

namespace warpaes::cli {
namespace {

/// 13020 is 13.2.
std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

void print_device(int device, const warpaes_device_info& info, bool json) {
  const std::string capability = fmt::format("{}.{}", info.compute_major, info.compute_minor);
  if (json) {
    print_json_line({{"type", "device"},
                     {"device", device},
                     {"name", info.name},
                     {"compute_capability", capability},
                     {"multiprocessors", info.multiprocessors},
                     {"memory_bytes", info.memory_bytes},
                     {"free_bytes", info.free_bytes},
                     {"driver_version", cuda_version(info.driver_version)},
                     {"runtime_version", cuda_version(info.runtime_version)}});
  } else {
    fmt::print("{}: {}, compute capability {}, {} multiprocessors, {} ({} free), driver for CUDA {}\n",
               device, info.name, capability, info.multiprocessors, readable_bytes(info.memory_bytes),
               readable_bytes(info.free_bytes), cuda_version(info.driver_version));
  }
}

void list_devices(bool json) {
  std::string reason;
  const int count = device_count(&reason);
  for (int device = 0; device < count; device++) print_device(device, device_info(device), json);
  if (json) {
    print_json_line({{"type", "summary"}, {"command", "devices"}, {"devices", count}, {"reason", reason}});
  } else if (count == 0) {
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
