// Where a container's bytes come from and go to. Implementations throw std::system_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace warpaes::core {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads the next bytes. Fewer than asked for means that this is the end; 0 after it.
  virtual size_t read(std::span<uint8_t> into) = 0;
  /// Length of the whole, if it is known before the end.
  virtual std::optional<uint64_t> size() const = 0;
};

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Writes all of it.
  virtual void write(std::span<const uint8_t> bytes) = 0;
};

class RandomAccessSink {
 public:
  virtual ~RandomAccessSink() = default;
  /// Writes all of it at that place; several threads may call this at the same time.
  virtual void write_at(uint64_t offset, std::span<const uint8_t> bytes) = 0;
};

class RandomAccessSource {
 public:
  virtual ~RandomAccessSource() = default;
  /// Reads from `offset`; several threads may call this at the same time. Fewer bytes than asked for means
  /// that the end was reached.
  virtual size_t read_at(uint64_t offset, std::span<uint8_t> into) const = 0;
  virtual uint64_t size() const = 0;
};

}  // namespace warpaes::core
