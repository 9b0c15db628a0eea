// What a context owns.
#pragma once

#include "failure.hpp"
#include "pipeline/context.hpp"
#include "pipeline/host_speed.hpp"
#include "pipeline/transfer_pool.hpp"
#include "pipeline/transfer_sizes.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {

struct Context::State {
  State(const ContextOptions& context_options, unsigned cpu_threads)
      : options(context_options),
        threads(cpu_threads),
        drivers(static_cast<unsigned>(options.devices.size()) + 1) {
    for (const int device : options.devices) transfers.push_back(std::make_unique<TransferPool>(device));
  }

  /// The engine on that memory, or null.
  const Engine* engine_on(Memory memory) const {
    for (const Engine* engine : engines) {
      if (engine->memory == memory) return engine;
    }
    return nullptr;
  }
  bool has_cpu() const { return engine_on(Memory::host) != nullptr; }

  /// The engine for a message that cannot be shared. Throws UNSUPPORTED if the context has none on the CPU.
  const Engine& cpu_engine() const {
    if (const Engine* const engine = engine_on(Memory::host)) return *engine;
    throw Failure(WARPAES_ERROR_UNSUPPORTED,
                  "one message that chains is for a CPU engine, and this context was made without one");
  }

  const ContextOptions options;
  bool forced = false;
  std::vector<const Engine*> engines;
  std::string why_no_gpu;
  WorkerThreads threads;
  WorkerThreads drivers;  // one for each device, mostly asleep, and the thread that calls
  TransferSizes sizes;
  std::vector<std::unique_ptr<TransferPool>> transfers;  // one for each device
  HostSpeeds speeds;
};

}  // namespace warpaes::core
