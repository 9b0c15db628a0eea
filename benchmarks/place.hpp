// Where the data of a measurement lies, and the engine that works on it there.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "measured_engine.hpp"
#include "workload.hpp"

namespace warpaes::core::bench {

/// What a run left behind, in host memory, until the place's next use.
struct Outcome {
  std::span<const uint8_t> output;
  std::span<const uint8_t> tags;      // empty: none
  std::span<const int32_t> statuses;  // empty: none
};

class Place {
 public:
  virtual ~Place() = default;
  virtual const char* name() const = 0;
  /// Null if what works there is none of the library's.
  virtual const EngineInfo* engine() const { return nullptr; }

  /// Brings key and input there.
  virtual void load(const Dataset& dataset, core::Direction direction) = 0;
  /// Overwrites what an earlier run left, so that only a new run can make it right.
  virtual void poison() = 0;
  /// Runs `repeats` times, one after the other, and returns the seconds that one took.
  virtual double run(unsigned repeats) = 0;
  /// Runs once, and returns the seconds until the host knows that it has ended, by the host's clock.
  virtual double latency() { return run(1); }
  virtual Outcome fetch() = 0;
};

/// Throws Failure(WARPAES_ERROR_OPTION) unless it is "device", "graph" (device memory, the call replayed
/// from a CUDA graph), "pinned" or "pageable".
void require_place(std::string_view name);

/// @param name one of those
/// @param engine must outlive the place
std::unique_ptr<Place> make_place(std::string_view name, const MeasuredEngine& engine);

}  // namespace warpaes::core::bench
