// What each mode takes and gives: one row a mode, in the order of warpaes/mode.h. Whatever asks about a mode
// (the checks of arguments, warpaes_mode_get, batches, streaming, tests) asks this table; what a mode
// computes is in the file of its name.
#pragma once

#include <span>

#include "engines/engine.hpp"

namespace warpaes::core {

/// What may be the length of a message in one direction, and what becomes of it.
struct LengthRule {
  uint64_t least = 0, most = UINT64_MAX, multiple = 1;
  bool or_none = true;        // is an empty message allowed although it is shorter than `least`?
  const char* sentence = "";  // says the rule, for errors
  /// Length of the output: with padding, which decryption only finds out. UINT64_MAX: no memory is as long.
  uint64_t (*output)(uint64_t bytes);

  bool allows(uint64_t bytes) const {
    if (bytes == 0) return or_none;
    return bytes >= least && bytes <= most && bytes % multiple == 0;
  }
  /// Throws LENGTH with the sentence.
  void require(uint64_t bytes) const;
};

/// In which direction does a block wait for the one before it? That is work for one thread of a CPU, or one
/// lane of a GPU.
enum class Chains { never, encrypting, always };

struct ModeRow {
  const char* name;
  const char* standard;
  size_t key_count = 1;  // keys of AES that a key consists of
  uint32_t key_lengths;  // bit n: a key of 8 * n bytes, with all of its halves
  bool authenticates = false;
  bool has_output = true;  // else only a tag is written
  size_t shortest_nonce = 0, longest_nonce = 0, recommended_nonce = 0;
  uint32_t tag_lengths = 0;  // bit n: a tag of n bytes; 0: the mode has none
  uint64_t longest_aad = 0;
  const char* nonce_and_tag = "";  // their lengths in words, for errors
  LengthRule encrypt, decrypt;
  /// Where the nonce decides over it; else null.
  uint64_t (*longest_with_nonce)(size_t nonce_bytes) = nullptr;
  uint64_t longest_unit = 0;  // XTS: of a data unit, of which a message may have many, in a batch has one
  Chains chains = Chains::never;

  bool is_aead = false;  // takes additional data besides; GMAC is GCM, without a message
  /// Batches from the block functions and the modes beneath, for host engines: what an engine without the
  /// mode gets, and the oracle of those that have it.
  void (*composed)(const Engine& engine, const BatchKey& key, const Batch& batch) = nullptr;
  CipherMode cipher_encrypt{}, cipher_decrypt{};  // how kernels know it, if it is no AEAD mode

  const LengthRule& lengths(Direction direction) const {
    return direction == WARPAES_DIRECTION_ENCRYPT ? encrypt : decrypt;
  }
  CipherMode cipher_mode(Direction direction) const {
    return direction == WARPAES_DIRECTION_ENCRYPT ? cipher_encrypt : cipher_decrypt;
  }
  bool chains_in(Direction direction) const {
    return chains == Chains::always ||
           (chains == Chains::encrypting && direction == WARPAES_DIRECTION_ENCRYPT);
  }
  bool has_nonce() const { return longest_nonce != 0; }
  bool has_tag() const { return tag_lengths != 0; }
  size_t recommended_tag() const { return has_tag() ? 16 : 0; }
  bool takes_tag(size_t bytes) const { return bytes < 32 && (tag_lengths >> bytes & 1) != 0; }
  bool takes_key(size_t bytes) const {
    return bytes % 8 == 0 && bytes < 256 && (key_lengths >> bytes / 8 & 1) != 0;
  }
  bool has_192_bits() const { return takes_key(24 * key_count); }
  uint64_t most_bytes(size_t nonce_bytes) const {
    return longest_with_nonce == nullptr ? encrypt.most : longest_with_nonce(nonce_bytes);
  }
  /// May a message of a batch be as long? Of XTS it is one data unit.
  bool takes_unit(Direction direction, uint64_t bytes) const {
    return (longest_unit == 0 || bytes <= longest_unit) && lengths(direction).allows(bytes);
  }
  /// Throw LENGTH: if a message of a batch cannot be as long, and if one with such a nonce cannot.
  void require_unit(Direction direction, uint64_t bytes) const;
  void require_length(Direction direction, size_t nonce_bytes, uint64_t bytes) const;
  /// Can only the output tell how long the message is?
  bool hides_length(Direction direction) const {
    return direction == WARPAES_DIRECTION_DECRYPT && !is_aead &&
           (unpads(cipher_decrypt) || cipher_decrypt == CipherMode::kwp_unwrap);
  }
  /// May decryption find out that the data is wrong?
  bool may_refuse(Direction direction) const {
    return direction == WARPAES_DIRECTION_DECRYPT && (authenticates || hides_length(direction));
  }
  /// Is the output another length than the input?
  bool changes_length() const {
    return has_output && !is_aead && (wraps_keys(cipher_encrypt) || pads(cipher_encrypt));
  }
  /// Encrypts and authenticates: what sealed messages are made with.
  bool seals() const { return has_output && has_tag(); }
};

/// The table: row m - 1 is mode m.
std::span<const ModeRow> mode_rows();

/// Throws MODE for a number that names no mode.
const ModeRow& mode_row(warpaes_mode mode);

/// Throws KEY_LENGTH, saying which lengths the mode has.
void require_key_length(const ModeRow& mode, size_t bytes);
/// Throw NONCE_LENGTH and TAG_LENGTH.
void require_nonce_length(const ModeRow& mode, size_t bytes);
void require_tag_length(const ModeRow& mode, size_t bytes);

}  // namespace warpaes::core
