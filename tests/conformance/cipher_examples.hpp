// Random messages for batches in modes that do not authenticate, of CMAC and of wrapped keys, with OpenSSL's
// answers.
#pragma once

#include <random>
#include <span>

#include "cipher_batch_trial.hpp"

namespace warpaes::core::conformance {

/// A mode of a batch, and for those of which it matters the direction.
struct CipherRow {
  CipherMode mode;
  const char* evp;  // EVP's name; null: another function of the reference
  const char* name;
  bool decrypts;
};

/// All modes of batches but CBC-MAC.
std::span<const CipherRow> cipher_rows();
/// Throws std::logic_error for another mode.
const CipherRow& cipher_row(CipherMode mode);

/// All of a message's keys: XTS has two.
size_t all_key_bytes(CipherMode mode, size_t key_bytes);

struct Random : std::mt19937_64 {
  using std::mt19937_64::mt19937_64;
  uint64_t between(uint64_t low, uint64_t high) { return low + (*this)() % (high - low + 1); }
  Bytes bytes(size_t count);
};

/// @param bytes of the plaintext, at least: it becomes the next length that the mode has
CipherExample message_of(Random& random, const CipherRow& row, const Bytes& key, size_t bytes,
                         size_t tag_bytes = 16);

/// Does decryption tell that a message is damaged? Then this makes one that is, and its status.
bool tells_damage(CipherMode mode);
void damage(Random& random, const CipherRow& row, const Bytes& key, CipherExample& message);

/// What wraps a text by KWP whose check is as given, RFC 5649 section 3: right or wrong.
/// @param text whole semiblocks
Bytes wrapped_with(const Bytes& check, const Bytes& key, const Bytes& text);

}  // namespace warpaes::core::conformance
