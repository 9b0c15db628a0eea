// Runs one engine's functions on vectors, in buffers of the memory that the engine works on. The self-test
// drives it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engines/engine_buffer.hpp"

namespace warpaes::core {

using Bytes = std::vector<uint8_t>;

/// Messages of one length in an AEAD mode. A single message may have a nonce of any length, those of a batch
/// have 12 bytes each; all share the additional data.
struct AeadCall {
  warpaes_mode mode;
  Direction direction;
  uint64_t messages;
  Bytes nonces, aad, input, tags;  // the tags have 16 bytes each; none when encrypting
  Bytes keys = {};  // one behind the other; if there are none, the key that was set is for all messages
  size_t aad_strings = 0;  // SIV: how many each message has, all of one length, one behind the other in `aad`
};

struct AeadResult {
  Bytes output, tags;
  std::vector<int32_t> statuses;
};

/// Messages of a batch in a mode that is no AEAD mode. Messages and outputs are `stride` apart.
struct CipherCall {
  warpaes_mode mode;
  Direction direction;
  uint64_t messages, stride;
  Bytes ivs, input;
  std::vector<uint64_t> lengths;
  Bytes keys = {};  // one behind the other; if there are none, the key that was set is for all messages
  std::vector<uint64_t> output_lengths = {};  // the expected ones; empty: those of the inputs
  std::vector<int32_t> statuses = {};         // the expected ones; empty: all are OK
  Bytes tags = {};                            // to be checked
  uint32_t unused_bits = 0;                   // as in Batch
};

/// In-place calls have aligned data; in other calls neither input nor output is aligned.
class SelfTestBench {
 public:
  SelfTestBench(const Engine& engine, int device);

  void set_key(const Bytes& key);
  void set_other_key(const Bytes& key);  // the tweak's key of XTS, or the MAC's of SIV
  Bytes blocks(Direction direction, const Bytes& input, bool in_place);
  Bytes counter(const Bytes& counter, const Bytes& input, bool in_place);
  Bytes unchain(Engine::Unchain decrypt, const Bytes& iv, const Bytes& input, bool in_place);
  Bytes xts(Direction direction, int key_bits, const Bytes& tweak, uint64_t unit_bytes, const Bytes& input,
            bool in_place);
  AeadResult aead(const AeadCall& call, bool in_place);
  /// A message of GCM under a nonce of 12 bytes, in two parts of which the first has `first_bytes` of text.
  AeadResult gcm_in_parts(const AeadCall& call, size_t first_bytes);
  /// @return the messages' outputs, or their tags, one after another; nothing if what is said of them is not
  ///         as expected
  Bytes cipher_batch(const CipherCall& call, bool in_place);

 private:
  /// Part of a GCM message; no output if the engine cannot do it.
  struct Part {
    Bytes output;
    Gf128 sum{0, 0};
  };

  Bytes encrypted(const Bytes& block);
  Part part_of(const Bytes& text, const Bytes& aad, const GcmHashKey& hash, Direction direction,
               CounterBlock first);
  Part part_by_its_tag(const Bytes& text, const Bytes& aad, const GcmHashKey& hash, Direction direction,
                       CounterBlock first);
  /// @param keys as those of AeadCall
  void run(const Batch& batch, const Bytes& keys, void* workspace);
  bool is_told_right(const CipherCall& call);
  std::pair<const uint8_t*, uint8_t*> place(const Bytes& input, bool in_place);
  Bytes result(size_t bytes, bool in_place);

  const Engine& engine_;
  const int device_;
  const EngineStream stream_;
  EngineBuffer input_, output_, nonces_, aad_, tags_, statuses_, workspace_, lengths_, output_lengths_, keys_;
  std::unique_ptr<EngineKey> key_, other_key_;
  int key_bits_ = 0;
};

}  // namespace warpaes::core
