#include "engine_options.hpp"

#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>

#include "option_checks.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kAllDevices = "all";

/// The numbers of a list such as "0,1,2"; empty if it is none, or if it has a number twice.
std::vector<int32_t> numbers_in(const std::string& list) {
  std::set<int32_t> different;
  std::vector<int32_t> numbers;
  for (const auto part : std::views::split(list, ',')) {
    const std::string_view text(part.begin(), part.end());
    const std::optional<int32_t> number = number_in<int32_t>(text);
    if (!number || !different.insert(*number).second) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::string is_list_of_devices(const std::string& text) {
  if (text == kAllDevices || !numbers_in(text).empty()) return "";
  return "'" + text + "' is no list of devices: write 0, or 0,1, or all";
}

/// An engine's name has no such beginning: who types -e for --encrypt, as for `openssl enc`, has the next
/// option taken for its value.
std::string is_no_option(const std::string& text) {
  return text.starts_with('-') ? "no engine has such a name" : "";
}

}  // namespace

const char* timing_name(warpaes_timing timing) {
  switch (timing) {
    case WARPAES_TIMING_LEAKY:
      return "leaky";
    case WARPAES_TIMING_CONFLICT_FREE:
      return "conflict-free";
    case WARPAES_TIMING_STRICT:
      return "strict";
    default:
      return "unknown";
  }
}

void add_timing_option(CLI::App& command, warpaes_timing& timing) {
  const std::map<std::string, warpaes_timing> classes = {
      {"any", WARPAES_TIMING_LEAKY},
      {timing_name(WARPAES_TIMING_CONFLICT_FREE), WARPAES_TIMING_CONFLICT_FREE},
      {timing_name(WARPAES_TIMING_STRICT), WARPAES_TIMING_STRICT},
  };
  command
      .add_option("--timing", timing,
                  "The weakest class of timing that is accepted. strict: no address and no branch depends on "
                  "secrets; conflict-free: look-ups in shared memory, which no lane's data can make slower; "
                  "any: all. docs/side-channels.md in the sources of WarpAES has what was measured")
      ->transform(named(classes))
      ->option_text("any|conflict-free|strict (any)");
}

void add_device_option(CLI::App& command, std::string& list) {
  command
      .add_option("--device", list,
                  "The GPUs that share the work, of those that `warpaes devices` lists: 0, or 0,1, or all; "
                  "a GPU that is missing is an error. Without this option: GPU 0, if there is one")
      ->check(is_list_of_devices)
      ->option_text("NUMBER,...|all");
}

std::vector<int32_t> devices_in(const std::string& list) {
  if (list == kAllDevices) {
    std::vector<int32_t> all(std::max(warpaes::device_count(), 1U));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const std::vector<int32_t> devices = numbers_in(list);
  for (const int32_t device : devices) (void)warpaes::device_info(static_cast<uint32_t>(device));
  return devices;
}

void EngineOptions::add_to(CLI::App& command) {
  command
      .add_option("-e,--engine", engine_,
                  "auto: the fastest that runs here; or one that `warpaes engines` lists, which never falls "
                  "back to another")
      ->check(is_no_option)
      ->type_name("auto|cuda|openssl|portable")  // what completions offer
      ->option_text("NAME (auto)");
  add_machine_to(command);
}

void EngineOptions::add_machine_to(CLI::App& command) {
  add_timing_option(command, timing_);
  add_device_option(command, devices_);
  command
      .add_option("--threads", threads_, "CPU threads; 0: one for each processor that this process may use")
      ->transform(number(0u, 4096u))
      ->option_text("NUMBER (0)");
}

warpaes::ContextOptions EngineOptions::context_options() const {
  warpaes::ContextOptions options{
      .engine = engine_, .timing = static_cast<warpaes::Timing>(timing_), .threads = threads_};
  options.all_devices = devices_ == kAllDevices;
  // Whoever asks for GPUs is told that there is none, as with --device 0.
  if (options.all_devices && warpaes::device_count() == 0) (void)warpaes::device_info(0);
  if (devices_.empty() || options.all_devices) return options;
  options.devices = devices_in(devices_);
  return options;
}

unsigned EngineOptions::usable_threads() const {
  cpu_set_t cpus;
  if (threads_ != 0) return threads_;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return static_cast<unsigned>(CPU_COUNT(&cpus));
  return 1;
}

}  // namespace warpaes::cli
