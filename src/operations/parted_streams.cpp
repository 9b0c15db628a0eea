// Modes that XOR a key stream, and so take any number of bytes: CFB, OFB and CTR. Whole blocks go to the
// modes for whole messages; of a block that is begun, the key stream's block is kept.
#include <algorithm>
#include <cstring>

#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "operations/parted_modes.hpp"
#include "pipeline/pieces.hpp"
#include "primitives/counter_block.hpp"

namespace warpaes::core {
namespace {

class KeyStreamMode : public PartedMode {
 public:
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) final {
    uint64_t at = begun_ == 0 ? 0 : within_block(input, output, bytes);
    const uint64_t whole = (bytes - at) / 16 * 16;
    if (whole != 0) blocks(input + at, output + at, whole);
    at += whole;
    if (at == bytes) return;
    begin_block(block_.data());
    within_block(input + at, output + at, bytes - at);
  }

 protected:
  /// Does any number of whole blocks.
  virtual void blocks(const uint8_t* input, uint8_t* output, uint64_t bytes) = 0;
  /// Makes the next block of the key stream.
  virtual void begin_block(uint8_t* key_stream) = 0;
  /// Is told what became of `bytes` bytes of the block that was begun.
  virtual void passed(const uint8_t* /*input*/, const uint8_t* /*output*/, uint64_t /*bytes*/) {}

  void forget_block() { begun_ = 0; }

 private:
  uint64_t within_block(const uint8_t* input, uint8_t* output, uint64_t bytes) {
    const uint64_t part = std::min<uint64_t>(bytes, 16 - begun_);
    SecretBlock before;
    std::memcpy(before.data(), input, part);
    xor_bytes(output, input, block_.data() + begun_, part);
    passed(before.data(), output, part);
    begun_ = (begun_ + part) % 16;
    return part;
  }

  SecretBlock block_;
  uint64_t begun_ = 0;  // bytes of the block that are used
};

/// The last 16 bytes of ciphertext are a block's chaining value once the block is whole.
class Cfb : public KeyStreamMode {
 public:
  Cfb(const Key& key, const OperationOptions& options)
      : key_(key), direction_(options.direction), last_(options.iv.data()) {}

 protected:
  void blocks(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    last_.run(direction_, input, output, bytes,
              [&](const ChainRun& run) { chain_host(key_, WARPAES_MODE_CFB, direction_, run); });
  }
  void begin_block(uint8_t* key_stream) override {
    ecb_host(key_, WARPAES_DIRECTION_ENCRYPT, {last_.data(), key_stream, 16});
  }
  void passed(const uint8_t* input, const uint8_t* output, uint64_t bytes) override {
    last_.append(direction_ == WARPAES_DIRECTION_ENCRYPT ? output : input, bytes);
  }

 private:
  const Key& key_;
  const Direction direction_;
  LastCiphertext last_;
};

class Ofb : public KeyStreamMode {
 public:
  Ofb(const Key& key, const OperationOptions& options) : key_(key) {
    std::copy_n(options.iv.begin(), last_.size(), last_.begin());
  }

 protected:
  void blocks(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    SecretBlock next;
    std::memcpy(next.data(), input + bytes - 16, 16);
    ofb_host(key_, {last_.data(), input, output, bytes});
    xor_bytes(last_.data(), next.data(), output + bytes - 16, 16);
  }
  void begin_block(uint8_t* key_stream) override {
    ecb_host(key_, WARPAES_DIRECTION_ENCRYPT, {last_.data(), last_.data(), 16});
    std::copy(last_.begin(), last_.end(), key_stream);
  }

 private:
  const Key& key_;
  SecretBlock last_;  // the last block of the key stream
};

class Ctr : public KeyStreamMode {
 public:
  Ctr(const Key& key, const OperationOptions& options) : key_(key), first_(load_counter(options.iv.data())) {}

  void seek(uint64_t offset) override {
    forget_block();
    block_number_ = offset / 16;
    const SecretBlock nothing;
    SecretBlock skipped;
    crypt(nothing.data(), skipped.data(), offset % 16);
  }

 protected:
  void blocks(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    uint8_t counter[16];
    store_counter(counter, add128(first_, block_number_));
    ctr_host(key_, {counter, input, output, bytes});
    block_number_ += bytes / 16;
  }
  void begin_block(uint8_t* key_stream) override {
    const SecretBlock nothing;
    blocks(nothing.data(), key_stream, 16);
  }

 private:
  const Key& key_;
  const CounterBlock first_;
  uint64_t block_number_ = 0;
};

/// CFB with short segments has no block that could be begun.
class CfbShort : public PartedMode {
 public:
  CfbShort(const Key& key, const OperationOptions& options)
      : key_(key), direction_(options.direction), mode_(options.mode), last_(options.iv.data()) {}
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    last_.run(direction_, input, output, bytes,
              [&](const ChainRun& run) { chain_host(key_, mode_, direction_, run); });
  }

 private:
  const Key& key_;
  const Direction direction_;
  const warpaes_mode mode_;
  LastCiphertext last_;
};

}  // namespace

std::unique_ptr<PartedMode> parted_stream(const Key& key, const OperationOptions& options) {
  switch (options.mode) {
    case WARPAES_MODE_CFB:
      return std::make_unique<Cfb>(key, options);
    case WARPAES_MODE_OFB:
      return std::make_unique<Ofb>(key, options);
    case WARPAES_MODE_CTR:
      return std::make_unique<Ctr>(key, options);
    default:
      return std::make_unique<CfbShort>(key, options);
  }
}

}  // namespace warpaes::core
