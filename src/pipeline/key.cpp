#include <algorithm>

#include "failure.hpp"
#include "pipeline/context.hpp"
#include "process/residue.hpp"

namespace warpaes::core {

/// Key expansion and the engines' preparations leave copies of round keys in registers and on the stack.
Key::Key(const Context& context, std::span<const uint8_t> key)
    : context_(&context), schedule_(std::make_unique<const SecretHolder<KeySchedule>>(key)) {
  for (const Engine* engine : context.engines()) {
    const bool on_device = engine->memory == Memory::device;
    for (const int device : context.devices().first(on_device ? context.devices().size() : 1)) {
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

}  // namespace warpaes::core
