#include "pipeline/context.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <thread>

#include "device/device.hpp"
#include "failure.hpp"
#include "modes/mode_table.hpp"
#include "pipeline/context_state.hpp"
#include "process/fork_locks.hpp"
#include "process/residue.hpp"
#include "process/secret_memory.hpp"

namespace warpaes::core {
namespace {

/// The number of CPUs that this process may run on. In a container it may be smaller than the machine's.
unsigned usable_cpus() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return static_cast<unsigned>(CPU_COUNT(&cpus));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

/// Throws OPTION for a number that nobody can mean.
unsigned threads_of(const ContextOptions& options) {
  if (options.threads > kMostThreads) {
    throw Failure(WARPAES_ERROR_OPTION, "a context has {} threads at most, not {}", kMostThreads,
                  options.threads);
  }
  return options.threads == 0 ? usable_cpus() : options.threads;
}

/// Makes a list of devices of the options, and checks it.
ContextOptions resolved(ContextOptions options) {
  if (options.all_devices) {
    options.devices.resize(static_cast<size_t>(std::max(device_count(), 1)));
    std::iota(options.devices.begin(), options.devices.end(), 0);
  }
  std::vector<int> sorted = options.devices;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty() || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    throw Failure(WARPAES_ERROR_OPTION, "a list of devices has each device once, and at least one");
  }
  return options;
}

/// Throws unless the engine meets the options here and now.
void require_fit(const Engine& engine, const ContextOptions& options) {
  require_timing(engine, options.timing);
  for (const int device : options.devices) {
    if (engine.memory == Memory::device) require_device(device);
    require_usable(engine, device, SelfTestExtent::gcm);
    if (engine.memory == Memory::host) return;
  }
}

}  // namespace

WorkKind work_kind(warpaes_mode mode, Direction direction) {
  if (mode == WARPAES_MODE_GCM) return WorkKind::gcm;
  return mode_row(mode).chains_in(direction) ? WorkKind::chained : WorkKind::stream;
}

Context::Context(const ContextOptions& given)
    : state_(std::make_unique<State>(resolved(given), threads_of(given))) {
  require_fork_handlers();
  const ContextOptions& options = state_->options;
  if (options.engine != "auto") {
    const Engine& engine = engine_named(options.engine, options.timing);
    require_fit(engine, options);
    state_->forced = true;
    state_->engines = {&engine};
    state_->why_no_gpu = fmt::format("this context was made with engine \"{}\"", options.engine);
    return;
  }

  const bool by_number = !given.all_devices && options.devices != std::vector<int>{0};
  for (const int device : options.devices) {
    if (by_number) require_device(device);  // a device that somebody names must be there
  }
  std::string obstacles;
  for (const Engine* engine : engine_table()) {
    if (state_->engine_on(engine->memory)) continue;
    try {
      require_fit(*engine, options);
      state_->engines.push_back(engine);
    } catch (const Failure& failure) {
      // If a GPU's engine cannot be used, the CPU's takes its place. But if an engine of the CPU only lacks
      // memory, which passes, no slower one takes its place for as long as the context lives.
      if (engine->memory == Memory::host && failure.is_passing()) throw;
      if (engine->memory == Memory::device) state_->why_no_gpu = failure.what();
      obstacles += fmt::format("\n  {}", failure.what());
    }
  }
  if (state_->engines.empty()) {
    throw Failure(WARPAES_ERROR_ENGINE_UNAVAILABLE, "no engine can be used:" + obstacles);
  }
}

Context::~Context() = default;

const Engine& Context::engine_for(const HostWork& work) const {
  const Engine* const cpu = state_->engine_on(Memory::host);
  const Engine* const gpu = state_->engine_on(Memory::device);
  if (!cpu) return *gpu;
  if (!gpu || work.bytes < state_->sizes.least_for_gpu || !cuda_alive()) return *cpu;
  const CallSize size = call_size(state_->sizes, work.bytes);
  return state_->speeds.of(*this, work.kind, size).gpu_takes_part(work) ? *gpu : *cpu;
}

const Engine& Context::device_engine() const {
  if (const Engine* engine = state_->engine_on(Memory::device)) return *engine;
  throw Failure(WARPAES_ERROR_UNSUPPORTED, "device memory needs a GPU engine: " + state_->why_no_gpu);
}

bool Context::has_device_engine() const { return state_->engine_on(Memory::device) != nullptr; }
bool Context::forced() const { return state_->forced; }
std::span<const int> Context::devices() const { return state_->options.devices; }
std::span<const int> Context::devices_of(const Engine& engine) const {
  return devices().first(engine.memory == Memory::device ? devices().size() : 1);
}
unsigned Context::threads() const { return state_->threads.threads(); }

void Context::require_tested(warpaes_mode mode) const {
  if (mode == WARPAES_MODE_GCM || mode == WARPAES_MODE_GMAC) return;  // tested when the context was made
  // After a fork, or when the GPU has been lost, the CPU does all that it can: it must not wait for a GPU's
  // test.
  const bool cpu_alone = !cuda_alive() && state_->has_cpu();
  for (const Engine* const engine : engines()) {
    if (engine->memory == Memory::device && cpu_alone) continue;
    for (const int device : devices_of(*engine)) require_usable(*engine, device, SelfTestExtent::others);
  }
}

std::span<const Engine* const> Context::engines() const { return state_->engines; }

/// The residue is wiped because key expansion and the engines' preparations leave copies of round keys in
/// registers and on the stack.
Key::Key(const Context& context, std::span<const uint8_t> key)
    : context_(&context), schedule_(std::make_unique<const SecretHolder<KeySchedule>>(key)) {
  for (const Engine* engine : context.engines()) {
    for (const int device : context.devices_of(*engine)) {
      prepared_.push_back({engine, device, engine->prepare(schedule(), device)});
    }
  }
  wipe_residue(StackDepth::callers_thread);
}

Key::~Key() {
  if (schedule_ == nullptr) return;  // moved from
  prepared_.clear();
  schedule_.reset();
  wipe_residue(StackDepth::callers_thread);
}

Key::Key(Key&&) noexcept = default;

const EngineKey& Key::prepared(const Engine& engine, int device) const {
  const auto found = std::find_if(prepared_.begin(), prepared_.end(), [&](const Prepared& each) {
    return each.engine == &engine && (each.device == device || engine.memory == Memory::host);
  });
  if (found == prepared_.end())
    throw Failure(WARPAES_ERROR_INTERNAL, "a key for an engine of another context");
  return *found->key;
}

HostBuffer::HostBuffer(const Context& context, size_t bytes) : size_(bytes) {
  if (bytes > SIZE_MAX / 2) {  // rounded up to whole pages, it could be 0
    throw Failure(WARPAES_ERROR_HOST_MEMORY, "no memory has {} bytes", bytes);
  }
  if (context.has_device_engine() && cuda_alive()) {
    try {
      const auto pinned = std::make_shared<PinnedBuffer>(context.device(), bytes);
      if (bytes > 0) std::memset(pinned->data(), 0, bytes);
      memory_ = {pinned, pinned->data()};
      return;
    } catch (const Failure&) {
      if (context.forced()) throw;
    }
  }
  if (bytes == 0) return;
  try {
    memory_ = {static_cast<uint8_t*>(secret_allocate(bytes)),
               [bytes](uint8_t* memory) { secret_free(memory, bytes); }};
  } catch (const std::bad_alloc&) {
    throw Failure(WARPAES_ERROR_HOST_MEMORY, "no {} bytes of memory", bytes);
  }
}

}  // namespace warpaes::core
