// The modes that can be measured: one table that the plan, the measurement and the bounds walk.
#pragma once

#include <span>
#include <string_view>

#include "engines/engine.hpp"
#include "warpaes/cipher.hpp"

namespace warpaes::core::bench {

constexpr size_t kNonceBytes = 12, kTagBytes = 16, kCounterBytes = 16;
constexpr uint64_t kShortestDataUnit = 16, kLongestDataUnit = uint64_t{1} << 24;  // of XTS: mode.h

/// What any of the modes needs for one call, under one set of names. Memory is where the data is.
struct Call {
  core::Direction direction;
  uint64_t messages;
  uint64_t bytes;             // of each message's input; they follow each other without gaps
  uint64_t output_bytes;      // and of its output
  const uint8_t* host_nonce;  // a single message's nonce, in host memory
  const uint8_t* nonces;      // the mode's nonce_bytes for each message
  const uint8_t* input;
  uint8_t* output;
  uint8_t* tags;      // 16 bytes for each message
  int32_t* statuses;  // of each message; or null
  uint64_t data_unit_bytes = 0;
  // batches
  const uint64_t* lengths = nullptr;  // of messages that start every `bytes` bytes
  const uint8_t* keys = nullptr;      // a key each, one after another
  size_t key_bytes = 0;               // then

  bool encrypts() const { return direction == WARPAES_DIRECTION_ENCRYPT; }
};

struct BenchMode {
  const char* name;
  Mode mode;
  bool authenticates;  // has tags and statuses
  /// Table look-ups that a block of `rounds` rounds needs when what blocks share is not looked up again
  /// (docs/benchmarks.md derives it).
  double (*lookups_per_block)(int rounds, uint64_t data_unit_bytes);  // without data units: a message's bytes

  size_t nonce_bytes = 0;       // nonce, initialisation vector or first counter block of each message
  bool has_batches = true;      // or a call has one message
  bool is_batch = false;        // even of one message: what is measured is a lane's work
  bool chains = false;          // each block waits for the one before; measured encrypting only
  bool whole_blocks = false;    // lengths are multiples of 16
  bool writes_output = true;    // or tags only
  bool unchains = false;        // the opposite direction of such a mode; measured decrypting only
  bool has_data_units = false;  // of 16 bytes or more
  bool has_ragged = false;      // messages
  bool has_key_each = false;
  int shared_rounds = 0;  // that neighbouring blocks share, so that a group of them has them once
  bool has_192_bits = true;
  bool has_long_messages = true;  // or a lane has one, from its first block to its last
  size_t keys = 1;                // of AES that a key consists of
  uint64_t longer_by = 0;         // bytes that encryption adds to a message
  bool tells_statuses = false;    // of each message, without authenticating it by a tag

  bool is_measured(core::Direction direction) const {
    return direction == WARPAES_DIRECTION_ENCRYPT ? !unchains : !chains;
  }

  /// The call on host memory, synchronous.
  void run(const warpaes::Cipher& cipher, const Call& call) const;
  /// On device memory.
  void run(const warpaes::Cipher& cipher, const Call& call, Output workspace, Stream stream) const;
};

std::span<const BenchMode> bench_mode_table();

/// Throws Failure(WARPAES_ERROR_OPTION), listing the names there are.
const BenchMode& bench_mode_named(std::string_view name);

}  // namespace warpaes::core::bench
