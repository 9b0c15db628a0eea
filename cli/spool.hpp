#pragma once

#include <cstdint>
#include <vector>

#include "byte_sink.hpp"
#include "file_descriptor.hpp"

namespace warpaes::cli {

/// As much of a message as is kept in memory where a file can have more of it: 32 MiB.
constexpr uint64_t kKeptInMemory = 32 << 20;

/// Bytes that are needed a second time: few are kept in memory, many in a file without a name in TMPDIR, or
/// in /var/tmp. They must be no secret.
class Spool : public ByteSink {
 public:
  void write(std::span<const uint8_t> bytes) override;
  /// Fills `into` with what was written; throws if there is less.
  void read_at(uint64_t offset, std::span<uint8_t> into) const;
  uint64_t size() const { return size_; }

 private:
  void create_file();
  void append(std::span<const uint8_t> bytes);

  std::vector<uint8_t> memory_;
  FileDescriptor file_;
  uint64_t size_ = 0;
};

}  // namespace warpaes::cli
