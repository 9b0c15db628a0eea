// The contract between modes and machines. An engine is one row of a table: what it is, whether it can run
// here, functions that work with a prepared key, and what it has for each mode. Only the two block functions
// are required. Where an engine has no function of its own, the mode is composed from these two (src/modes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engines/batch.hpp"
#include "primitives/chaining.hpp"
#include "primitives/counter_block.hpp"
#include "primitives/gf128.hpp"
#include "primitives/key_schedule.hpp"
#include "process/secret_memory.hpp"
#include "warpaes/context.h"
#include "warpaes/mode.h"

namespace warpaes::core {

using Stream = warpaes_stream;
using TimingClass = warpaes_timing;
using Aead = warpaes_mode;

/// In which memory the bytes lie that an engine works on. Host engines ignore streams and are synchronous.
enum class Memory { host, device };

/// A key made ready for one engine on one device (cipher contexts, hash powers). Immutable, shared by
/// threads. It lies in the secret memory, which wipes it.
class EngineKey : public SecretObject {
 public:
  virtual ~EngineKey() = default;
};

/// GHASH's key as ghash_key() made it, and its inverse.
struct GcmHashKey {
  Gf128 key;
  Gf128 inverse{0, 0};  // 0: the key is 0, or nobody has needed it yet
};

/// Part of a GCM message, from the beginning of a block on (SP 800-38D section 7.1). Parts know nothing of
/// each other: as GHASH is linear, their sums can be put together afterwards (pipeline/gcm_in_parts.hpp).
class GcmPart : public SecretObject {
 public:
  virtual ~GcmPart() = default;
  /// Takes additional data, any number of bytes; before the part's text.
  virtual void add(const uint8_t* data, uint64_t bytes) = 0;
  /// Encrypts or decrypts text, any number of bytes; output and input are equal or disjoint.
  virtual void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) = 0;
  /// Ends the part: it can only be destroyed after this.
  /// @return GHASH of the part's additional data and ciphertext, each padded with zeros to whole blocks, as
  ///         if nothing stood before it; times the key once more
  virtual Gf128 sum() = 0;
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

/// One message under a mode that chains: CBC, CFB with segments of 128 bits, OFB.
struct ChainRun {
  const uint8_t* iv;  // 16 bytes of host memory
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;  // CBC: a multiple of 16; else any
};

/// Data units of XTS, one behind the other. All of them are data_unit_bytes long; only the last may be
/// shorter.
struct XtsRun {
  const uint8_t*
      tweak;  // 16 bytes of host memory: the first unit's number, little-endian; the next units count upwards
  uint64_t data_unit_bytes;
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
};

/// Text of a GCM message from the beginning of a block on, in device memory but for `first`.
struct GcmPartRun {
  Direction direction;
  CounterBlock first;  // the counter block of its first block
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;  // at least 1
  uint8_t*
      tag;  // 16 bytes: the tag that it would have as a message whose J0 is the counter block before `first`
};

/// The two keys of XTS, which have the same size.
struct XtsKeys {
  const EngineKey& data;   // IEEE 1619's Key1
  const EngineKey& tweak;  // and Key2
  int bits;                // of each
};

/// The key of a batch.
struct BatchKey {
  const EngineKey& prepared;  // what encrypts the messages
  int bits;                   // the size of `prepared`; the keys that GCM-SIV derives have the same size
  const EngineKey* second = nullptr;  // of the same size; the tweak's key in XTS, the MAC's in SIV
};

/// What an engine has for a mode: functions for batches, of which a single message is one. Whatever an engine
/// lacks is composed from the block functions, on the CPU.
struct ModeSupport {
  void (*run)(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) = nullptr;
  /// The same for a batch with per-message keys.
  void (*run_key_each)(int device, const KeyArray& keys, const Batch& batch, Stream stream) = nullptr;
  /// The workspace of `run`; null: it needs none. Longer messages never need less, nor do more of them, but
  /// that a single one may have a form of its own.
  size_t (*workspace_bytes)(uint64_t messages, uint64_t bytes) = nullptr;

  // What these functions can take.
  uint64_t longest = UINT64_MAX;  // the longest message, or additional data
  size_t longest_nonce = SIZE_MAX;
  size_t only_batch_nonce = 0;  // the only length of nonces in device memory; 0: any that the mode has
  bool takes_arrays = true;     // false: regular batches only
};

/// Indexed by the number of the mode. GMAC has what GCM has.
using ModeSupports = std::array<ModeSupport, WARPAES_MODE_KWP + 1>;

struct Engine {
  const char* name;
  const char* kernel;
  const char* description;
  TimingClass timing;
  Memory memory;

  /// Can it run on this machine? `device` is ignored by host engines. It throws only a Failure that
  /// is_passing().
  Availability (*available)(int device) = nullptr;
  std::unique_ptr<EngineKey> (*prepare)(const KeySchedule& schedule, int device) = nullptr;

  void (*encrypt_blocks)(const EngineKey& key, const BlockRun& run, Stream stream) = nullptr;
  void (*decrypt_blocks)(const EngineKey& key, const BlockRun& run, Stream stream) = nullptr;

  // The functions from here on are optional, and null if the engine has none.
  void (*counter)(const EngineKey& key, const CounterRun& run, Stream stream) = nullptr;
  /// Of host engines: a part of a GCM message. Null, or a null result: this part is composed from the block
  /// function (modes/gcm.cpp).
  /// @param first the counter block of the part's first block of text
  using StartGcmPart = std::unique_ptr<GcmPart> (*)(const EngineKey& key, const GcmHashKey& hash,
                                                    Direction direction, CounterBlock first);
  StartGcmPart gcm_part = nullptr;

  /// Of device engines: a part of a GCM message, worked on as a message by itself. Null: there are no parts.
  void (*gcm_part_tag)(const EngineKey& key, const GcmPartRun& run, void* workspace, Stream stream) = nullptr;

  using Chain = void (*)(const EngineKey& key, const ChainRun& run, Stream stream);
  Chain cbc_encrypt = nullptr, cfb_encrypt = nullptr, ofb = nullptr;
  /// Decrypts. Each block needs the ciphertext before it, which in place somebody else may have overwritten;
  /// the workspace holds what is saved of it. Out of place the workspace may be null.
  using Unchain = void (*)(const EngineKey& key, const ChainRun& run, void* workspace, Stream stream);
  Unchain cbc_decrypt = nullptr, cfb_decrypt = nullptr;
  size_t (*unchain_workspace_bytes)(uint64_t bytes) = nullptr;  // null: no workspace is needed

  void (*xts)(const XtsKeys& keys, Direction direction, const XtsRun& run, Stream stream) = nullptr;
  bool xts_has_192_bits = true;  // or are keys of 192 bits left to the composed form?

  /// Writes at most 256 bytes of host memory, which are read before this returns, to device memory, in the
  /// stream's order: for what callers have on the host of a message on the device. A CUDA graph may capture
  /// it. Null: the engine works on host memory.
  void (*store)(int device, uint8_t* to, std::span<const uint8_t> bytes, Stream stream) = nullptr;

  /// What the engine has of each mode: engine.modes[mode].run is null if it is nothing.
  ModeSupports modes = {};
};

/// The engines of the product, the best first (engine_table.cpp). Tests append rows of their own.
std::span<const Engine* const> engine_table();

/// The name of a timing class: "strict", "conflict-free" or "leaky".
const char* timing_name(TimingClass timing);

/// The name that no other row has, for example "cuda/lane_private_tables".
std::string full_name(const Engine& engine);

/// Throws ENGINE_UNAVAILABLE if the engine's class is weaker than the one demanded.
void require_timing(const Engine& engine, TimingClass demanded);

/// The engine with the name "name/kernel"; or, for a name alone, the first engine of that name whose timing
/// class is at least `timing`. Throws UNKNOWN_ENGINE, with a list of all names, if none has the name, and
/// ENGINE_UNAVAILABLE if all that have it are of a weaker class.
const Engine& engine_named(std::string_view name, TimingClass timing = WARPAES_TIMING_LEAKY);

/// How much of an engine a self-test looks at. GCM is tested when a context is made, and the other modes
/// before the first key of one of them: a program waits for the test of what it uses. Both parts have long
/// data for GPUs, whose engines have other kernels for it; for a CPU's engine only `all` has.
enum class SelfTestExtent { all, gcm, others };

/// available(), then the known answers of self_test.hpp, once per engine, device and extent in this process.
/// An engine that has failed in part has failed as a whole. Only what the known answers have shown is kept:
/// an engine that is not available, or whose GPU fails during the test, is asked again by the next call, and
/// so is one after a failure that is passing (Failure::is_passing(), std::bad_alloc), which this throws.
Availability usable(const Engine& engine, int device, SelfTestExtent extent = SelfTestExtent::all);

/// Throws ENGINE_UNAVAILABLE or SELF_TEST unless the engine is usable().
void require_usable(const Engine& engine, int device, SelfTestExtent extent);

}  // namespace warpaes::core
