#include "engine_options.hpp"

#include "device/device.hpp"

namespace warpaes::cli {

void EngineOptions::add_to(CLI::App& command) {
  command
      .add_option("-e,--engine", engine_,
                  "auto: the fastest that runs here; or one that `warpaes engines` lists, which never falls "
                  "back to another")
      ->option_text("NAME (auto)");
  device_option_ = command.add_option("--device", device_, "One of the GPUs that `warpaes devices` lists")
                       ->check(CLI::NonNegativeNumber)
                       ->option_text("NUMBER (0)");
  command.add_option("--threads", threads_, "CPU threads; 0: as many as the machine has")
      ->check(CLI::Range(0u, 4096u))
      ->option_text("NUMBER (0)");
}

ContextOptions EngineOptions::context_options() const {
  if (device_option_->count() != 0) require_device(device_);
  return {.engine = engine_, .device = device_, .timing = WARPAES_TIMING_LEAKY, .threads = threads_};
}

std::string full_name(const Engine& engine) { return std::string(engine.name) + "/" + engine.kernel; }

const char* timing_name(TimingClass timing) {
  switch (timing) {
    case WARPAES_TIMING_LEAKY:
      return "leaky";
    case WARPAES_TIMING_CONFLICT_FREE:
      return "conflict-free";
    case WARPAES_TIMING_STRICT:
      return "strict";
  }
  return "unknown";
}

}  // namespace warpaes::cli
