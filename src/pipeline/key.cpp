#include <algorithm>

#include "failure.hpp"
#include "pipeline/context.hpp"
#include "process/residue.hpp"

namespace warpaes::core {

/// Key expansion and the engines' preparations leave copies of round keys in registers and on the stack.
Key::Key(const Context& context, std::span<const uint8_t> key)
    : context_(&context), schedule_(std::make_unique<const SecretHolder<KeySchedule>>(key)) {
  for (const Engine* engine : context.engines()) {
    prepared_.push_back(engine->prepare(schedule(), context.device()));
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

const EngineKey& Key::prepared(const Engine& engine) const {
  const auto engines = context_->engines();
  const auto found = std::find(engines.begin(), engines.end(), &engine);
  if (found == engines.end()) throw Failure(WARPAES_ERROR_INTERNAL, "a key for an engine of another context");
  return *prepared_[static_cast<size_t>(found - engines.begin())];
}

}  // namespace warpaes::core
