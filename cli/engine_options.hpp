#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "option_parser.hpp"
#include "warpaes/context.hpp"

namespace warpaes::cli {

/// --engine, --timing, --device, --threads.
class EngineOptions {
 public:
  void add_to(CLI::App& command);
  /// The same without --engine.
  void add_machine_to(CLI::App& command);

  /// Throws if a device that was named does not exist.
  warpaes::ContextOptions context_options() const;
  /// CPU threads that were asked for, or as many as this process may use.
  unsigned usable_threads() const;
  bool forced() const { return engine_ != "auto"; }
  bool names_devices() const { return !devices_.empty(); }

 private:
  std::string engine_ = "auto";
  warpaes_timing timing_ = WARPAES_TIMING_LEAKY;
  std::string devices_;
  unsigned threads_ = 0;
};

/// Adds --device, a list of GPUs as text, which is checked.
void add_device_option(CLI::App& command, std::string& list);
/// The GPUs in a list that --device has taken. Throws if one that is named does not exist.
std::vector<int32_t> devices_in(const std::string& list);

/// The name of a timing class, as "conflict-free".
const char* timing_name(warpaes_timing timing);

/// Adds --timing, the weakest timing class that is acceptable.
void add_timing_option(CLI::App& command, warpaes_timing& timing);

}  // namespace warpaes::cli
