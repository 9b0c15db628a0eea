// Runs one engine's functions on vectors, in buffers of the memory that the engine works on. The self-test
// drives it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engines/engine_buffer.hpp"

namespace warpaes::core {

using Bytes = std::vector<uint8_t>;

/// A batch of messages, which lie `stride` apart.
struct BatchCall {
  warpaes_mode mode;
  Direction direction;
  uint64_t messages, stride;
  Bytes nonces, input;                 // nonces, or IVs: all of one length, which a single message chooses
  std::vector<uint64_t> lengths = {};  // of each message; none: all are `stride` bytes long
  Bytes aad = {};                      // of all messages together, unless each has strings of its own
  size_t aad_strings = 0;              // SIV: how many each message has, all of one length
  Bytes tags = {};                     // of 16 bytes each, to be checked
  Bytes keys = {};                     // of each message; none: the key that was set is for all of them
  uint32_t unused_bits = 0;            // as in Batch
};

struct BatchResult {
  Bytes output;  // of one message behind the other, as long as each is, without what lies between them
  Bytes tags;    // none if the mode has none
  std::vector<int32_t> statuses;
  std::vector<uint64_t> lengths;  // of the outputs
  bool operator==(const BatchResult&) const = default;
};

/// In-place calls have aligned data; in other calls neither input nor output is aligned.
class SelfTestBench {
 public:
  SelfTestBench(const Engine& engine, int device);

  void set_key(const Bytes& key);
  void set_other_key(const Bytes& key);  // the tweak's key of XTS, or the MAC's of SIV
  Bytes blocks(Direction direction, const Bytes& input, bool in_place);
  Bytes counter(const Bytes& counter, const Bytes& input, bool in_place);
  Bytes chain(Engine::Chain crypt, const Bytes& iv, const Bytes& input);
  Bytes unchain(Engine::Unchain decrypt, const Bytes& iv, const Bytes& input, bool in_place);
  Bytes xts(Direction direction, const Bytes& tweak, uint64_t unit_bytes, const Bytes& input, bool in_place);
  BatchResult batch(const BatchCall& call, bool in_place);
  /// A message of GCM under a nonce of 12 bytes, in two parts of which the first has `first_bytes` of text.
  BatchResult gcm_in_parts(const BatchCall& call, size_t first_bytes);

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
  void run(const Batch& batch, const Bytes& keys);
  BatchResult result_of(const BatchCall& call, bool in_place);
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
