#pragma once

#include <cstdint>
#include <span>

namespace warpaes::core::cli {

/// Where output goes. Implementations throw std::system_error.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Writes all of it behind what was written last.
  virtual void write(std::span<const uint8_t> bytes) = 0;

  /// Can all that is written have its place, given by several threads in any order?
  virtual bool takes_any_order() const { return false; }
  /// Writes all of it at that place. Only for what takes any order, and then in place of write().
  virtual void write_at(uint64_t /*offset*/, std::span<const uint8_t> bytes) { write(bytes); }
};

}  // namespace warpaes::core::cli
