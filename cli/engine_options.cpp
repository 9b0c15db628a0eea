#include "engine_options.hpp"

#include <sched.h>

#include <CLI/CLI.hpp>
#include <map>

namespace warpaes::core::cli {
namespace {

const std::map<std::string, TimingClass> kTimingClasses = {
    {"any", WARPAES_TIMING_LEAKY},
    {timing_name(WARPAES_TIMING_CONFLICT_FREE), WARPAES_TIMING_CONFLICT_FREE},
    {timing_name(WARPAES_TIMING_STRICT), WARPAES_TIMING_STRICT},
};

}  // namespace

void add_timing_option(CLI::App& command, TimingClass& timing) {
  command
      .add_option(
          "--timing", timing,
          "What time may tell: strict, nothing by design; conflict-free, nothing that was measured. An "
          "engine that is weaker is not used")
      ->transform(CLI::CheckedTransformer(kTimingClasses))
      ->option_text("any|conflict-free|strict (any)");
}

void EngineOptions::add_to(CLI::App& command) {
  command
      .add_option("-e,--engine", engine_,
                  "auto: the fastest that runs here; or one that `warpaes engines` lists, which never falls "
                  "back to another")
      ->option_text("NAME (auto)");
  add_timing_option(command, timing_);
  device_option_ = command.add_option("--device", device_, "One of the GPUs that `warpaes devices` lists")
                       ->check(CLI::NonNegativeNumber)
                       ->option_text("NUMBER (0)");
  command.add_option("--threads", threads_, "CPU threads; 0: as many as the machine has")
      ->check(CLI::Range(0u, 4096u))
      ->option_text("NUMBER (0)");
}

warpaes::ContextOptions EngineOptions::context_options() const {
  if (device_option_->count() != 0) (void)warpaes::device_info(static_cast<uint32_t>(device_));
  return {.engine = engine_,
          .device = device_,
          .timing = static_cast<warpaes::Timing>(timing_),
          .threads = threads_};
}

unsigned EngineOptions::usable_threads() const {
  cpu_set_t cpus;
  if (threads_ != 0) return threads_;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return static_cast<unsigned>(CPU_COUNT(&cpus));
  return 1;
}

}  // namespace warpaes::core::cli
