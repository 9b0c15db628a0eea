// What one container is encrypted under, derived from the input key and the container's salt.
#pragma once

#include <array>
#include <optional>

#include "container/layout.hpp"
#include "pipeline/context.hpp"
#include "primitives/wiped.hpp"
#include "warpaes/kdf.h"

namespace warpaes::core::cobblestone {

using Salt = std::array<uint8_t, kSaltBytes>;
using Commitment = std::array<uint8_t, kCommitmentBytes>;

/// 32 bytes make Cobblestone-256, 16 bytes Cobblestone-128. The context is any string that both sides
/// know; with another one, the container does not open. Both are borrowed. The specification leaves the hash
/// open: Cobblestone is SHA-512, and its published vectors are for SHA-256.
struct InputKey {
  std::span<const uint8_t> key;
  std::span<const uint8_t> context = {};
  warpaes_hash hash = WARPAES_HASH_SHA512;
};

/// Draws a fresh salt from OpenSSL's random generator.
Salt random_salt();

class FileKey {
 public:
  /// Throws KEY_LENGTH unless the key is of 16 or 32 bytes.
  FileKey(const Context& context, const InputKey& input_key, const Salt& salt);

  const Key& key() const { return *key_; }
  const Salt& salt() const { return salt_; }
  const Commitment& commitment() const { return commitment_; }

  /// Does a container with this commitment belong to this key? In constant time.
  bool matches(std::span<const uint8_t, kCommitmentBytes> commitment) const;

  /// Writes the nonces of consecutive chunks: base nonce XOR chunk number, big-endian.
  void nonces(uint64_t first_chunk, std::span<uint8_t> out) const;

 private:
  Salt salt_;
  Wiped<std::array<uint8_t, kNonceBytes>> base_nonce_;
  Wiped<Commitment> commitment_;
  std::optional<Key> key_;
};

}  // namespace warpaes::core::cobblestone
