// What modes that encrypt and authenticate in parts have in common: their limits.
#pragma once

#include "operations/parted_modes.hpp"

namespace warpaes::core {

/// Throws NONCE_LENGTH, TAG_LENGTH, LENGTH or NULL_POINTER for what the mode does not have.
void require_valid_parted_aead(const OperationOptions& options);

/// Counts a message's bytes. Throws LENGTH past the mode's limit.
class AeadLength {
 public:
  AeadLength(Aead mode, const OperationOptions& options);
  void add(uint64_t bytes) { add(bytes, most_); }
  /// Of additional data, if there is nothing else.
  void add_aad(uint64_t bytes) { add(bytes, most_aad_); }
  uint64_t bytes() const { return bytes_; }

 private:
  void add(uint64_t bytes, uint64_t most);

  const char* const name_;
  const uint64_t most_, most_aad_;
  uint64_t bytes_ = 0;
};

}  // namespace warpaes::core
