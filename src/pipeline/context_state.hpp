// What a context owns.
#pragma once

#include <mutex>

#include "pipeline/context.hpp"
#include "pipeline/host_speed.hpp"
#include "pipeline/staging.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes {

struct Context::State {
  State(const ContextOptions& context_options, unsigned cpu_threads)
      : options(context_options), threads(cpu_threads), staging(context_options.device) {}

  /// The engine on that memory, or null.
  const Engine* engine_on(Memory memory) const {
    for (const Engine* engine : engines) {
      if (engine->memory == memory) return engine;
    }
    return nullptr;
  }

  const ContextOptions options;
  bool forced = false;
  std::vector<const Engine*> engines;
  std::string why_no_gpu;
  WorkerThreads threads;
  StagingPool staging;
  std::once_flag speed_measured;
  HostSpeed speed;
};

}  // namespace warpaes
