// One message and all that a call on it reads and writes, in one piece of host or device memory, with bytes
// between its parts that nobody may touch.
#pragma once

#include <cstddef>

#include "mode_messages.hpp"

namespace warpaes::core::testing {

/// Hands out places in a piece of memory that is not there yet.
class PieceOfMemory {
 public:
  static constexpr uint8_t kGuard = 0x5a;

  /// @param misaligned distance to a multiple of 16
  /// @return the offset of `length` bytes, with untouchable ones around them
  size_t take(size_t length, size_t misaligned = 0) {
    const size_t at = (end_ + 31) / 16 * 16 + misaligned;
    end_ = at + length;
    return at;
  }
  /// All of it, filled with the guard.
  Bytes bytes() const { return Bytes(end_ + 16, kGuard); }

 private:
  size_t end_ = 0;
};

void put(Bytes& image, size_t at, const Bytes& bytes);
void put_status(Bytes& image, size_t at, warpaes_status status);
void put_length(Bytes& image, size_t at, uint64_t length);

/// On the device a call only says how long its output is where that is not how long the input was.
struct ImageOptions {
  bool in_place = false;
  bool on_device = false;  // with a status, where the call writes one
  size_t misaligned = 0;
};

/// A call's arguments; SIV's strings are read from `strings`.
struct MessageCall {
  warpaes_message message;
  std::vector<warpaes_bytes> strings;
};

class MessageImage {
 public:
  MessageImage(const ModeMessage& message, warpaes_direction direction, const ImageOptions& options);

  /// What has to be in the memory before the call.
  const Bytes& before() const { return before_; }
  /// The arguments of a call if the image lies at `base`. The message must outlive them: the nonce is its.
  MessageCall arguments(uint8_t* base) const;
  /// The whole memory after the call.
  Bytes after() const { return after(exchange_); }

  /// The same for a message that was damaged, which is decrypted.
  Bytes damaged_before() const { return before(refused_exchange_of(*message_)); }
  Bytes damaged_after() const { return after(refused_exchange_of(*message_)); }
  warpaes_status damaged_status() const { return refused_exchange_of(*message_).status; }

 private:
  Bytes before(const Exchange& exchange) const;
  Bytes after(const Exchange& exchange) const;

  const ModeMessage* message_;
  Exchange exchange_;
  bool has_output_, has_length_, has_status_;
  size_t input_, output_, tag_, status_, length_;
  std::vector<size_t> aad_;
  PieceOfMemory memory_;
  Bytes before_;
};

}  // namespace warpaes::core::testing
