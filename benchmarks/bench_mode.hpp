// The modes that can be measured. The plan, the measurement and the bounds all use this table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "warpaes/cipher.hpp"

namespace warpaes::bench {

constexpr size_t kNonceBytes = 12, kTagBytes = 16, kCounterBytes = 16;
constexpr uint32_t kMisalignments = 16;  // from 0 to 15 bytes behind a multiple of 16
// The lengths of data units that XTS allows, see mode.h.
constexpr uint64_t kShortestDataUnit = 16, kLongestDataUnit = uint64_t{1} << 24;

/// What a call needs in any of the modes. Memory is where the data is.
struct Call {
  warpaes_direction direction;
  uint64_t messages;
  uint64_t bytes;             // of each message's input; inputs follow each other without gaps
  uint64_t output_bytes;      // of each message's output
  const uint8_t* host_nonce;  // a single message's nonce, in host memory
  const uint8_t* nonces;      // nonce_bytes of the mode for each message
  const uint8_t* input;
  uint8_t* output;
  uint8_t* tags;      // 16 bytes for each message
  int32_t* statuses;  // one for each message; or null
  uint64_t data_unit_bytes = 0;
  uint64_t frame_bytes = 0;  // of a message's nonce, ciphertext and tag, if they lie in this order; or 0
  // For batches.
  const uint64_t* lengths = nullptr;    // of messages that begin every `bytes` bytes
  const void* const* inputs = nullptr;  // the same inputs and outputs by their addresses
  void* const* outputs = nullptr;
  uint64_t* output_lengths = nullptr;  // written by decryption that takes padding off
  const uint8_t* keys = nullptr;       // a key for each message, one behind the other
  size_t key_bytes = 0;                // the length of each key in `keys`

  bool encrypts() const { return direction == WARPAES_DIRECTION_ENCRYPT; }
};

struct BenchMode {
  const char* name;
  Mode mode;
  bool authenticates;  // it has tags and statuses
  /// How many table look-ups a block takes with this number of rounds, if blocks do not repeat what they have
  /// in common. docs/benchmarks.md derives it.
  // In modes without data units, the length of a message.
  double (*lookups_per_block)(int rounds, uint64_t data_unit_bytes);

  size_t nonce_bytes = 0;     // of each message: its nonce, initialisation vector or first counter block
  bool has_batches = true;    // false: a call has one message only
  bool is_batch = false;      // even of one message: what is measured is the work of a lane
  bool chains = false;        // each block waits for the one before; only encryption is measured
  bool whole_blocks = false;  // lengths are multiples of 16
  bool writes_output = true;  // false: it only writes tags
  // The direction of such a mode in which blocks do not wait; only decryption is measured.
  bool unchains = false;
  bool has_data_units = false;  // of 16 bytes or more
  bool has_ragged = false;      // messages of different lengths are possible
  bool has_key_each = false;
  int shared_rounds = 0;  // rounds that a group of neighbouring blocks has in common, and computes once
  bool has_192_bits = true;
  bool has_long_messages = true;  // false: one lane would walk a message from its first block to its last
  size_t keys = 1;                // how many AES keys a key consists of
  uint64_t longer_by = 0;         // how many bytes longer the ciphertext is than the message
  bool tells_statuses = false;    // every message has a status, although no tag authenticates it
  bool pads = false;  // decryption takes padding off, leaves zeros in its place, and tells the lengths

  bool is_measured(warpaes_direction direction) const {
    return direction == WARPAES_DIRECTION_ENCRYPT ? !unchains : !chains;
  }

  /// The synchronous call on host memory.
  void run(const warpaes::Cipher& cipher, const Call& call) const;
  /// The asynchronous call on device memory.
  void run(const warpaes::Cipher& cipher, const Call& call, Output workspace, Stream stream) const;
};

std::span<const BenchMode> bench_mode_table();
std::string bench_mode_names();  // "ecb, ctr, ..."

/// Throws an Error(WARPAES_ERROR_OPTION), with a list of all names, if there is no such mode.
const BenchMode& bench_mode_named(std::string_view name);

}  // namespace warpaes::bench
