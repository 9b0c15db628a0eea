// The place where the data of a measurement lies, with the engine that works on it there.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "measured_engine.hpp"
#include "workload.hpp"

namespace warpaes::bench {

/// What a run has left behind, in host memory. It is valid until the place is used again.
struct Outcome {
  std::span<const uint8_t> output;
  std::span<const uint8_t> tags;      // empty: none
  std::span<const int32_t> statuses;  // empty: none
};

class Place {
 public:
  virtual ~Place() = default;
  virtual const char* name() const = 0;
  /// Null if what works there is not one of the library's engines.
  virtual const EngineInfo* engine() const { return nullptr; }

  /// Brings the key and the input to the place.
  virtual void load(const Dataset& dataset, warpaes_direction direction) = 0;
  /// Overwrites what an earlier run has left, so that only a new run can make it right.
  virtual void poison() = 0;
  /// Runs the call `repeats` times, one after the other, and returns how many seconds one call took.
  virtual double run(unsigned repeats) = 0;
  /// Runs the call once. @return the seconds, by the host's clock, until the host knows that the call has
  /// ended
  virtual double latency() { return run(1); }
  virtual Outcome fetch() = 0;
};

/// Throws an Error(WARPAES_ERROR_OPTION) unless the name is "device", "graph" (device memory, with the call
/// replayed from a CUDA graph), "pinned" or "pageable".
void require_place(std::string_view name);

/// @param name one of these names
/// @param engine must outlive the place
std::unique_ptr<Place> make_place(std::string_view name, const MeasuredEngine& engine);

}  // namespace warpaes::bench
