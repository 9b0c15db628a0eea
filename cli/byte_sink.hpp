#pragma once

#include <cstdint>
#include <span>

namespace warpaes::cli {

/// Where output goes. Implementations throw std::system_error.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Writes all of it behind what was written last.
  virtual void write(std::span<const uint8_t> bytes) = 0;

  /// Can all that is written have its place, given by several threads in any order?
  virtual bool takes_any_order() const { return false; }
  /// Writes all of it at that place; what takes no other order, behind what was written last. For those who
  /// write everything in this way.
  virtual void write_at(uint64_t /*offset*/, std::span<const uint8_t> bytes) { write(bytes); }

  /// Is what was written gone when this process ends in whatever way, until it is complete and wanted?
  virtual bool leaves_no_trace() const { return false; }
};

}  // namespace warpaes::cli
