// The modes that can be measured: one table that the plan, the measurement and the bounds walk.
#pragma once

#include <span>
#include <string_view>

#include "device/device.hpp"
#include "pipeline/context.hpp"

namespace warpaes::bench {

/// What any of the modes needs for one call, under one set of names.
struct Call {
  Direction direction;
  uint64_t messages;
  uint64_t bytes;             // of each message's input; they follow each other without gaps
  uint64_t output_bytes;      // and of its output
  const uint8_t* host_nonce;  // host memory: CTR's first counter block, an initialisation vector, a tweak, or
                              // a single message's nonce
  const uint8_t* nonces;      // the mode's nonce_bytes for each message, where the data is
  const uint8_t* input;
  uint8_t* output;
  uint8_t* tags;  // 16 bytes for each message
  int32_t* statuses;
  // XTS; and SIV, whose MAC key is the same object
  uint64_t data_unit_bytes = 0;
  const Key* tweak_key = nullptr;
  const EngineKey* prepared_tweak_key = nullptr;  // on a device
  int key_bits = 0;
  // batches
  const uint64_t* lengths = nullptr;  // of messages that start every `bytes` bytes; where the data is
  const uint8_t* keys = nullptr;      // a key each, one after another; where the data is
  size_t key_bytes = 0;               // then
  int device = 0;
};

struct BenchMode {
  const char* name;
  bool authenticates;  // has tags and statuses
  void (*on_host)(const Key& key, const Call& call);
  void (*on_device)(const Engine& engine, const EngineKey& key, const Call& call,
                    const DeviceBuffer& workspace, Stream stream);
  /// Table look-ups that a block of `rounds` rounds needs when what blocks share is not looked up again
  /// (docs/benchmarks.md derives it).
  double (*lookups_per_block)(int rounds, uint64_t data_unit_bytes);  // without data units: a message's bytes

  size_t nonce_bytes = 0;       // of each message; 0: one message a call
  bool chains = false;          // each block waits for the one before; measured encrypting only
  bool whole_blocks = false;    // lengths are multiples of 16
  bool writes_output = true;    // or tags only
  bool unchains = false;        // the opposite direction of such a mode; measured decrypting only
  bool has_data_units = false;  // of 16 bytes or more, and two keys
  bool has_ragged = false;      // messages
  bool has_key_each = false;
  int shared_rounds = 0;         // that neighbouring blocks share, so that a group of them has them once
  Aead aead = WARPAES_AEAD_GCM;  // which, if it is one
  bool has_192_bits = true;
  bool has_long_messages = true;  // or a lane has one, from its first block to its last
  size_t keys = 1;                // in one, of messages that have a key each
  uint64_t longer_by = 0;         // bytes that encryption adds to a message
  bool tells_statuses = false;    // of each message, without authenticating it by a tag

  bool is_measured(Direction direction) const { return direction == WARPAES_ENCRYPT ? !unchains : !chains; }
};

std::span<const BenchMode> bench_mode_table();

/// Throws Failure(WARPAES_ERROR_OPTION), listing the names there are.
const BenchMode& bench_mode_named(std::string_view name);

constexpr size_t kNonceBytes = 12, kTagBytes = 16, kCounterBytes = 16;

}  // namespace warpaes::bench
