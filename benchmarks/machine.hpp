// The machine that a benchmark ran on. It is recorded with every set of results.
#pragma once

#include <optional>
#include <string>

#include "nvml.hpp"
#include "warpaes/warpaes.h"

namespace warpaes::bench {

struct Machine {
  std::string date;  // UTC, ISO 8601
  std::string version;
  std::optional<std::string> commit, sources_sha256;  // of what was built, if that is known

  std::optional<warpaes_device_info> gpu;
  std::optional<std::string> driver;
  std::optional<int> highest_clock_mhz, highest_memory_clock_mhz, power_limit_watts;

  std::string cpu;
  unsigned cores, threads;
  std::string openssl, system;
};

Machine describe_machine(int device, const Nvml& nvml);

}  // namespace warpaes::bench
