#include "engines/engine.hpp"

#include <iterator>

#include "failure.hpp"

namespace warpaes::core {

const char* timing_name(TimingClass timing) {
  static constexpr const char* names[] = {"leaky", "conflict-free", "strict"};
  return timing < std::size(names) ? names[timing] : "unknown";
}

std::string full_name(const Engine& engine) { return std::string(engine.name) + "/" + engine.kernel; }

void require_timing(const Engine& engine, TimingClass demanded) {
  if (engine.timing >= demanded) return;
  throw Failure(WARPAES_ERROR_ENGINE_UNAVAILABLE,
                full_name(engine) + " is " + timing_name(engine.timing) + ", and " + timing_name(demanded) +
                    " timing is demanded: choose another engine or demand less");
}

}  // namespace warpaes::core
