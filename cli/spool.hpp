#pragma once

#include <cstdint>
#include <optional>

#include "byte_sink.hpp"
#include "file_descriptor.hpp"
#include "warpaes/cipher.hpp"

namespace warpaes::cli {

/// As much of a message as is kept in memory where a file can have more of it: 32 MiB.
constexpr uint64_t kKeptInMemory = 32 << 20;

/// Bytes that are needed a second time: few are kept in memory, many in a file without a name in TMPDIR, or
/// in /var/tmp. The file has them encrypted, each block with a tag of its own, under a key that was made for
/// this spool and is nowhere else: so they may be secret, and what comes back is what was written.
class Spool : public ByteSink {
 public:
  explicit Spool(const warpaes::Context& context) : context_(context) {}
  void write(std::span<const uint8_t> bytes) override;
  /// Fills `into` with what was written; throws if there is less. Several threads may read at a time.
  void read_at(uint64_t offset, std::span<uint8_t> into) const;
  uint64_t size() const { return in_file_ + held_bytes_; }

 private:
  void hold(std::span<const uint8_t> bytes);
  void create_file();
  void seal(std::span<const uint8_t> block);
  void open(uint64_t offset, std::span<uint8_t> block) const;

  const warpaes::Context& context_;
  warpaes::HostBuffer held_;  // what is not in the file
  uint64_t held_bytes_ = 0, in_file_ = 0;
  FileDescriptor file_;
  std::optional<warpaes::Cipher> cipher_;
  warpaes::HostBuffer sealed_;  // a block on its way to the file
};

}  // namespace warpaes::cli
