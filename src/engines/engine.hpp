// The contract between modes and machines. An engine is one row of a table: what it is, whether it
// can run here, and functions on a prepared key. Two block functions are required; the fused ones are
// optional, and a mode composes what is missing from the block functions (see src/modes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "primitives/chaining.hpp"
#include "primitives/key_schedule.hpp"
#include "process/secret_memory.hpp"
#include "warpaes/context.h"
#include "warpaes/mode.h"

namespace warpaes::core {

using Stream = warpaes_stream;
using TimingClass = warpaes_timing;
using Direction = warpaes_direction;
using Aead = warpaes_mode;

/// Where the bytes lie that an engine works on. Host engines ignore streams and are synchronous.
enum class Memory { host, device };

/// A key made ready for one engine on one device (cipher contexts, hash powers). Immutable, shared by
/// threads. It lies in the secret memory, which wipes it.
class EngineKey : public SecretObject {
 public:
  virtual ~EngineKey() = default;
};

/// GHASH, SP 800-38D section 6.4, under one key, of a string that comes in parts.
class GhashInParts : public SecretObject {
 public:
  virtual ~GhashInParts() = default;
  virtual void add(const uint8_t* data, uint64_t bytes) = 0;
  /// Ends the string, as section 7.1 step 5 has it: zeros up to a whole block, then the block of both
  /// lengths.
  /// @return GHASH of all that; the object can only be destroyed after this
  virtual std::array<uint8_t, 16> finish(uint64_t aad_bytes, uint64_t bytes) = 0;
};

struct Availability {
  bool available;
  std::string reason;  // why not
  bool failed_self_test = false;
};

/// ECB on whole blocks: bytes is a multiple of 16; input and output are equal or disjoint.
struct BlockRun {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
};

/// XOR with the key stream of a 128-bit big-endian counter that starts at `counter` (host memory).
struct CounterRun {
  const uint8_t* counter;
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;  // any
};

/// Messages of an AEAD mode under one key; message m lies at pointer + m * stride, and all have `bytes`
/// bytes, unless the arrays at the end say otherwise. Everything is in the engine's memory, those arrays
/// too, except host_nonce.
struct AeadBatch {
  Direction direction;
  uint64_t messages;
  uint64_t bytes;
  const uint8_t* input;
  uint64_t input_stride;
  uint8_t* output;
  uint64_t output_stride;
  const uint8_t* host_nonce;  // one message: its nonce, of any length that the mode has, in host memory.
                              // GCM: no array describes the message
  size_t host_nonce_bytes;
  const uint8_t* nonces;  // if host_nonce is null: nonce_bytes each
  uint64_t nonce_stride;
  const uint8_t* aad;
  uint64_t aad_bytes;
  uint64_t aad_stride;  // 0: shared
  uint8_t* tags;        // decrypting: only read
  uint64_t tag_stride;
  size_t tag_bytes;
  /// One warpaes_status a message, written for every message. May be null for encryption of a regular batch.
  /// A message whose tag is wrong is zeroed; one whose entry in the arrays below is wrong is left alone.
  int32_t* statuses;

  // Each may be null, and is then as above. A null entry gives its message the status NULL_POINTER, unless
  // there are no bytes that it would point to.
  const uint64_t* lengths = nullptr;       // of the messages; `bytes` is the most that one may have
  const uint8_t* const* inputs = nullptr;  // where messages are, instead of input + m * input_stride
  uint8_t* const* outputs = nullptr;
  const uint8_t* const* aads = nullptr;
  const uint64_t* aad_lengths = nullptr;           // aad_bytes is the most
  const uint8_t* const* nonce_pointers = nullptr;  // if host_nonce is null: instead of `nonces`
  uint8_t* const* tag_pointers = nullptr;          // instead of `tags`

  /// SIV: associated strings of each message; string s of message m is entry m * aad_strings + s of `aad`,
  /// `aads` and `aad_lengths`.
  size_t aad_strings = 1;

  Aead mode = WARPAES_MODE_GCM;
  size_t nonce_bytes = 12;  // of each of `nonces`; SIV: 0 if there are none

  /// SIV under one key: the left half of RFC 5297's key, prepared by the same engine as the right half, which
  /// is the run's key, and of its size.
  const EngineKey* mac_key = nullptr;
};

/// Messages of one length, one stride apart: none of the arrays is given.
inline bool is_regular(const AeadBatch& batch) {
  return !batch.lengths && !batch.inputs && !batch.outputs && !batch.aads && !batch.aad_lengths &&
         !batch.nonce_pointers && !batch.tag_pointers;
}

/// Messages of a mode of CipherMode under one key or a key each. Message m lies at
/// pointer + m * stride, and all have `bytes` bytes, unless the arrays at the end say otherwise. Everything
/// is in the engine's memory, those arrays too: what is wrong with an entry of theirs is reported in its
/// status, and nothing of that message is written.
struct CipherBatch {
  CipherMode mode;
  uint64_t messages;
  uint64_t bytes;
  const uint8_t* input;
  uint64_t input_stride;
  uint8_t* output;  // the MACs have none
  uint64_t output_stride;
  const uint8_t* ivs;  // 16 bytes each; the MACs and ECB have none
  uint64_t iv_stride;
  uint8_t* tags;  // of the MACs
  uint64_t tag_stride;
  size_t tag_bytes;
  int32_t* statuses;  // one warpaes_status a message; may be null unless there are arrays

  // Each may be null, and is then as above.
  const uint64_t* lengths = nullptr;  // of the messages; `bytes` is the most that one may have
  const uint8_t* const* inputs = nullptr;
  uint8_t* const* outputs = nullptr;
  const uint8_t* const* iv_pointers = nullptr;  // instead of `ivs`
  uint8_t* const* tag_pointers = nullptr;       // instead of `tags`

  // Of modes whose output is not as long as the input: how long it is. May be null, but not where the caller
  // could not know it.
  uint64_t* output_lengths = nullptr;
};

/// Messages of one length, one stride apart: none of the arrays is given.
inline bool is_regular(const CipherBatch& batch) {
  return !batch.lengths && !batch.inputs && !batch.outputs && !batch.iv_pointers && !batch.tag_pointers;
}

/// One message under a mode that chains: CBC, CFB with segments of 128 bits, OFB.
struct ChainRun {
  const uint8_t* iv;  // 16 bytes of host memory
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;  // CBC: a multiple of 16; else any
};

/// Data units of XTS, one after another. All are data_unit_bytes long but the last, which may be shorter.
struct XtsRun {
  const uint8_t* tweak;  // 16 bytes of host memory: the first's number, little-endian; each next is 1 more
  uint64_t data_unit_bytes;
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
};

/// XTS' two keys, of one size.
struct XtsKeys {
  const EngineKey& data;   // IEEE 1619's Key1
  const EngineKey& tweak;  // and Key2
  int bits;                // of each
};

/// A key for an AEAD mode. Of its size GCM-SIV makes the keys that it derives.
struct AeadKey {
  const EngineKey& prepared;
  int bits;
};

/// A key for each message of a batch, in the engine's memory: key m at keys + m * stride, unless there is an
/// array of their addresses. A null entry of it gives its message the status NULL_POINTER.
struct KeyArray {
  const uint8_t* keys;
  uint64_t stride;
  /// Of each: 16, 24 or 32. XTS and SIV: twice that, first the data's key, then the tweak's, or first the
  /// MAC's.
  size_t bytes;
  const uint8_t* const* key_pointers = nullptr;  // instead of `keys`
};

/// The keys of the messages from message `first` on.
inline KeyArray keys_from(const KeyArray& keys, uint64_t first) {
  return {keys.keys == nullptr ? nullptr : keys.keys + first * keys.stride, keys.stride, keys.bytes,
          keys.key_pointers == nullptr ? nullptr : keys.key_pointers + first};
}

/// @param keys in host memory @return null: the entry is wrong
inline const uint8_t* key_of(const KeyArray& keys, uint64_t index) {
  if (keys.key_pointers != nullptr) return keys.key_pointers[index];
  return keys.keys == nullptr ? nullptr : keys.keys + index * keys.stride;
}

struct Engine {
  const char* name;
  const char* kernel;
  const char* description;
  TimingClass timing;
  Memory memory;

  /// Can it run on this machine? `device` is ignored by host engines. Throws only what is_passing().
  Availability (*available)(int device);
  std::unique_ptr<EngineKey> (*prepare)(const KeySchedule& schedule, int device);

  void (*encrypt_blocks)(const EngineKey& key, const BlockRun& run, Stream stream);
  void (*decrypt_blocks)(const EngineKey& key, const BlockRun& run, Stream stream);

  // Optional, null if the engine has none.
  void (*counter)(const EngineKey& key, const CounterRun& run, Stream stream);
  size_t (*gcm_workspace_bytes)(uint64_t messages, uint64_t bytes);  // null: needs none
  void (*gcm)(const EngineKey& key, const AeadBatch& batch, void* workspace, Stream stream);
  /// Of all modes but XTS.
  void (*cipher_batch)(const EngineKey& key, const CipherBatch& batch, Stream stream) = nullptr;
  /// Of all modes but CBC-MAC.
  void (*cipher_key_each)(int device, const KeyArray& keys, const CipherBatch& batch,
                          Stream stream) = nullptr;
  /// An AEAD mode over a batch with a key for each message.
  using KeyEach = void (*)(int device, const KeyArray& keys, const AeadBatch& batch, Stream stream);
  KeyEach gcm_key_each = nullptr;
  size_t gcm_nonce_limit = 0;    // longest nonce that gcm takes; 0: any
  bool gcm_takes_arrays = true;  // or regular batches only?
  /// Of host engines, for GCM and GMAC in parts. Null: streaming hashes in plain C++ (primitives/ghash.hpp).
  std::unique_ptr<GhashInParts> (*ghash)(const EngineKey& key) = nullptr;

  /// An AEAD mode other than GCM, done by the engine itself: no message or additional data is longer than
  /// `longest`, those that are go to the composed form.
  struct FusedAead {
    void (*run)(const EngineKey& key, const AeadBatch& batch, void* workspace, Stream stream) = nullptr;
    size_t (*workspace_bytes)(uint64_t messages, uint64_t bytes) = nullptr;  // null: needs none
    uint64_t longest = UINT64_MAX;
    KeyEach key_each = nullptr;
  };
  FusedAead gcm_siv = {}, ccm = {}, eax = {}, ocb3 = {}, siv = {};

  using Chain = void (*)(const EngineKey& key, const ChainRun& run, Stream stream);
  Chain cbc_encrypt = nullptr, cfb_encrypt = nullptr, ofb = nullptr;
  /// Each block needs the ciphertext before it, which in place somebody else may have overwritten: what
  /// the workspace is for. Apart, it may be null.
  using Unchain = void (*)(const EngineKey& key, const ChainRun& run, void* workspace, Stream stream);
  Unchain cbc_decrypt = nullptr, cfb_decrypt = nullptr;
  size_t (*unchain_workspace_bytes)(uint64_t bytes) = nullptr;  // null: needs none

  void (*xts)(const XtsKeys& keys, Direction direction, const XtsRun& run, Stream stream) = nullptr;
  bool xts_has_192_bits = true;  // or are keys of 192 bits left to the composed form?
  /// Messages are data units, of different lengths, with a tweak each.
  void (*xts_batch)(const XtsKeys& keys, const CipherBatch& batch, Stream stream) = nullptr;

  /// Writes at most 256 bytes of host memory, which are read before this returns, to device memory, in the
  /// stream's order: for what callers have on the host of a message on the device. A CUDA graph may capture
  /// it. Null: the engine works on host memory.
  void (*store)(int device, uint8_t* to, std::span<const uint8_t> bytes, Stream stream) = nullptr;
};

/// The product's engines, best first (engine_table.cpp). Tests append rows of their own.
std::span<const Engine* const> engine_table();

/// "strict", "conflict-free", "leaky".
const char* timing_name(TimingClass timing);

/// "cuda/lane_private_tables": what names a row and no other.
std::string full_name(const Engine& engine);

/// Throws ENGINE_UNAVAILABLE if the engine's class is weaker than the one demanded.
void require_timing(const Engine& engine, TimingClass demanded);

/// The row that "name/kernel" names, or the first of those that `name` names whose timing class is at least
/// `timing`. Throws UNKNOWN_ENGINE if none has that name, listing those there are, and ENGINE_UNAVAILABLE if
/// all that have it are of a weaker class.
const Engine& engine_named(std::string_view name, TimingClass timing = WARPAES_TIMING_LEAKY);

/// How much of an engine its self-test looks at: a program that encrypts files only need not wait for the
/// rest.
enum class SelfTestExtent { all, gcm };

/// available(), then the known answers of self_test.hpp, once per engine and device in this process. Throws
/// failures that are passing (Failure::is_passing(), std::bad_alloc), and then the next call tries again.
Availability usable(const Engine& engine, int device, SelfTestExtent extent = SelfTestExtent::all);

}  // namespace warpaes::core
