// What each mode takes and gives: one row for each mode, in the order of warpaes/mode.h. Whoever asks about a
// mode (the checks of arguments, warpaes_mode_get, batches, streaming, the tests) asks this table. What a
// mode computes is in the file of its name.
#pragma once

#include <span>

#include "engines/engine.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {

/// How long a message may be in one direction, and how long its output is.
struct LengthRule {
  uint64_t least = 0, most = UINT64_MAX, multiple = 1;  // the multiple is a power of two
  bool or_none = true;        // is an empty message allowed although it is shorter than `least`?
  const char* sentence = "";  // the rule in words, for errors
  /// The length of the output, including padding that only decryption will find. UINT64_MAX: longer than any
  /// memory.
  uint64_t (*output)(uint64_t bytes) = nullptr;

  bool allows(uint64_t bytes) const {
    if (bytes == 0) return or_none;
    return bytes >= least && bytes <= most && (bytes & (multiple - 1)) == 0;
  }
  /// Throws LENGTH with the sentence if the rule does not allow this length.
  void require(uint64_t bytes) const {
    if (!allows(bytes)) refuse(bytes);
  }
  [[noreturn]] void refuse(uint64_t bytes) const;
};

/// In which direction does a block wait for the one before it? Such a message is work for one thread of a
/// CPU, or one lane of a GPU.
enum class Chains { never, encrypting, always };

struct ModeRow {
  const char* name;
  const char* standard;
  size_t key_count = 1;  // how many AES keys a key consists of
  // Bit n: keys of 8 * n bytes, all AES keys together. AES has keys of 16, 24 and 32.
  uint32_t key_lengths = 1 << 2 | 1 << 3 | 1 << 4;
  bool authenticates = false;
  bool has_output = true;  // false: only a tag is written
  size_t shortest_nonce = 0, longest_nonce = 0, recommended_nonce = 0;
  // Do two messages that share key and nonce give away their plaintexts' sum, or the key of the tags?
  bool breaks_by_repetition = false;
  uint32_t tag_lengths = 0;  // bit n: a tag of n bytes; 0: the mode has none
  uint64_t longest_aad = 0;
  const char* nonce_and_tag = "";  // the allowed lengths in words, for errors
  LengthRule encrypt = {}, decrypt = {};
  /// The longest message with a nonce of this length; null if the nonce does not matter.
  uint64_t (*longest_with_nonce)(size_t nonce_bytes) = nullptr;
  // XTS: the longest data unit. A message may have many of them, but in a batch each message is one.
  uint64_t longest_unit = 0;
  Chains chains = Chains::never;

  // The mode takes additional data as well, or is GMAC, which is GCM without a message.
  bool is_aead = false;
  /// Batches composed from the block functions and the simpler modes, for host engines. Engines without the
  /// mode use this function, and it is the reference for engines that have it.
  void (*composed)(const Engine& engine, const BatchKey& key, const Batch& batch) = nullptr;
  CipherMode cipher_encrypt{}, cipher_decrypt{};  // the kernels' names of modes that are no AEAD modes

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
  /// May a message of a batch have this length? In XTS it is one data unit.
  bool takes_unit(Direction direction, uint64_t bytes) const {
    return bytes <= kAddressSpace && has_unit(direction, bytes);
  }
  /// Does the mode have messages of this length, wherever they may lie?
  bool has_unit(Direction direction, uint64_t bytes) const {
    return (longest_unit == 0 || bytes <= longest_unit) && lengths(direction).allows(bytes);
  }
  /// These throw LENGTH: if a message of a batch cannot have this length, and if no message with such a nonce
  /// can.
  void require_unit(Direction direction, uint64_t bytes) const;
  void require_length(Direction direction, size_t nonce_bytes, uint64_t bytes) const;
  /// Can the length of the message only be told from the decrypted output?
  bool hides_length(Direction direction) const {
    return direction == WARPAES_DIRECTION_DECRYPT && !is_aead &&
           (unpads(cipher_decrypt) || cipher_decrypt == CipherMode::kwp_unwrap);
  }
  /// Can decryption find out that the data is wrong?
  bool may_refuse(Direction direction) const {
    return direction == WARPAES_DIRECTION_DECRYPT && (authenticates || hides_length(direction));
  }
  /// Does the output have another length than the input?
  bool changes_length() const {
    return has_output && !is_aead && (wraps_keys(cipher_encrypt) || pads(cipher_encrypt));
  }
  /// Does the mode encrypt and authenticate? Sealed messages are made in such modes.
  bool seals() const { return has_output && has_tag(); }
  /// Of a sealed message: its nonce and its tag.
  size_t sealed_overhead() const { return seals() ? recommended_nonce + recommended_tag() : 0; }
};

/// The table: row m - 1 is mode m.
std::span<const ModeRow> mode_rows();

/// Throws MODE for a number that names no mode.
const ModeRow& mode_row(warpaes_mode mode);

/// Throws KEY_LENGTH, with the lengths that the mode has.
void require_key_length(const ModeRow& mode, size_t bytes);
/// These throw NONCE_LENGTH, TAG_LENGTH, and LENGTH for additional data.
void require_nonce_length(const ModeRow& mode, size_t bytes);
void require_tag_length(const ModeRow& mode, size_t bytes);
void require_aad_length(const ModeRow& mode, uint64_t bytes);

}  // namespace warpaes::core
