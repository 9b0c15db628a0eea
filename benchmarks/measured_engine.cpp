#include "measured_engine.hpp"

#include <string_view>
#include <thread>

namespace warpaes::bench {
namespace {

constexpr const char* kShared = "shared";

std::string full_name(const EngineInfo& engine) { return std::string(engine.name) + "/" + engine.kernel; }

bool is_named(const EngineInfo& engine, const std::string& name) {
  return engine.name == name || full_name(engine) == name;
}

/// What stands in the place of an engine's name if there is a choice.
EngineInfo not_forced() {
  EngineInfo info{};
  info.name = kShared;
  info.kernel = "automatic";
  return info;
}

/// The one that has calls on device memory.
int32_t first_device(const warpaes::ContextOptions& options) {
  return options.devices.empty() ? options.device : options.devices.front();
}

/// The first engine with the wanted name and timing class or, if none is named, the first of those that can
/// run here.
EngineInfo choose(const warpaes::ContextOptions& options, bool on_device) {
  if (options.engine == kShared) return not_forced();
  const bool automatic = options.engine == "auto";
  std::string why_not = "there is none";
  for (const EngineInfo& engine : warpaes::engines(first_device(options))) {
    if (static_cast<Timing>(engine.timing) < options.timing) continue;
    if (!automatic && is_named(engine, options.engine)) return engine;
    if (!automatic || (on_device && engine.on_device == 0)) continue;
    if (engine.available != 0) return engine;
    why_not = full_name(engine) + " cannot be used: " + engine.reason;
  }
  if (!automatic) (void)warpaes::Context(options);  // it knows why there is none, and throws
  throw Error(WARPAES_ERROR_UNSUPPORTED, "device memory needs a GPU engine: " + why_not);
}

warpaes::ContextOptions with_engine(warpaes::ContextOptions options, const EngineInfo& engine) {
  options.engine = engine.name == std::string_view(kShared) ? "auto" : full_name(engine);
  return options;
}

}  // namespace

bool MeasuredEngine::is_shared() const { return info_.name == std::string_view(kShared); }

MeasuredEngine::MeasuredEngine(const EngineInfo& info, const warpaes::ContextOptions& options)
    : info_(info),
      device_(first_device(options)),
      threads_(options.threads == 0 ? std::max(1u, std::thread::hardware_concurrency()) : options.threads),
      context_(with_engine(options, info)) {}

MeasuredEngine::MeasuredEngine(const warpaes::ContextOptions& options, bool on_device)
    : MeasuredEngine(choose(options, on_device), options) {}

}  // namespace warpaes::bench
