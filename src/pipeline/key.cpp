#include <algorithm>

#include "failure.hpp"
#include "pipeline/context.hpp"

namespace warpaes {

Key::Key(Context& context, std::span<const uint8_t> key) : context_(&context), schedule_(key) {
  for (const Engine* engine : context.engines()) {
    prepared_.push_back(engine->prepare(schedule_, context.device()));
  }
}

Key::~Key() = default;
Key::Key(Key&&) noexcept = default;

const EngineKey& Key::prepared(const Engine& engine) const {
  const auto engines = context_->engines();
  const auto found = std::find(engines.begin(), engines.end(), &engine);
  if (found == engines.end()) throw Failure(WARPAES_ERROR_INTERNAL, "a key for an engine of another context");
  return *prepared_[static_cast<size_t>(found - engines.begin())];
}

}  // namespace warpaes
