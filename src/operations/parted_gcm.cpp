// GCM's encryption and GMAC in parts, SP 800-38D section 7.1. The key stream is CTR's, which threads share or
// a GPU makes. GHASH is that of the context's CPU engine, or in plain C++ if the engine has none: a context
// that was made for one engine gets no other.
#include <openssl/crypto.h>

#include <algorithm>

#include "failure.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "operations/parted_aead.hpp"
#include "pipeline/context_state.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {
namespace {

void encrypt_block(const Key& key, SecretBlock& block) {
  ecb_host(key, WARPAES_DIRECTION_ENCRYPT, {block.data(), block.data(), block.size()});
}

Gf128 hash_subkey(const Key& key) {
  SecretBlock block;
  encrypt_block(key, block);
  return ghash_key(gf128_from_block(block.data()));
}

/// For engines that have no GHASH of their own.
class PlainGhash : public GhashInParts {
 public:
  explicit PlainGhash(const Key& key) : ghash_(hash_subkey(key)) { ghash_.start(); }

  void add(const uint8_t* data, uint64_t bytes) override {
    if (begun_ != 0) {
      const uint64_t part = std::min<uint64_t>(bytes, block_.size() - begun_);
      begin(data, part);
      data += part;
      bytes -= part;
    }
    const uint64_t whole = bytes / 16 * 16;
    ghash_.add_padded(data, whole);
    if (bytes != whole) begin(data + whole, bytes - whole);
  }

  MacBlock finish(uint64_t aad_bytes, uint64_t bytes) override {
    ghash_.add_padded(block_.data(), begun_);
    ghash_.add(ghash_lengths(aad_bytes, bytes));
    MacBlock sum{};
    gf128_to_block(ghash_.sum(), sum.data());
    return sum;
  }

 private:
  /// Bytes of a block that may not be whole yet.
  void begin(const uint8_t* data, uint64_t bytes) {
    std::copy_n(data, bytes, block_.begin() + static_cast<ptrdiff_t>(begun_));
    begun_ += bytes;
    if (begun_ != block_.size()) return;
    ghash_.add_padded(block_.data(), block_.size());
    begun_ = 0;
  }

  Ghash ghash_;
  SecretBlock block_;
  uint64_t begun_ = 0;
};

std::unique_ptr<GhashInParts> start_ghash(const Key& key) {
  const Engine& engine = key.context().state().cpu_engine();
  if (engine.ghash != nullptr) return engine.ghash(key.prepared(engine));
  return std::make_unique<PlainGhash>(key);
}

CounterBlock initial_counter(const Key& key, std::span<const uint8_t> nonce) {
  Ghash ghash(hash_subkey(key));
  return gcm_initial_counter(ghash, nonce.data(), nonce.size());
}

/// The tag of a message whose additional data and ciphertext are hashed as they come.
class GcmTag {
 public:
  GcmTag(const Key& key, const CounterBlock& initial, size_t tag_bytes)
      : ghash_(start_ghash(key)), tag_bytes_(tag_bytes) {
    store_counter(mask_.data(), initial);
    encrypt_block(key, mask_);
  }

  void add(const uint8_t* data, uint64_t bytes) {
    if (bytes != 0) ghash_->add(data, bytes);
  }
  /// Zeros behind additional data of that length, up to the end of a block.
  void pad(uint64_t bytes) {
    constexpr uint8_t kZeros[16] = {};
    add(kZeros, (16 - bytes % 16) % 16);
  }
  uint64_t bytes() const { return tag_bytes_; }
  void finish(uint64_t aad_bytes, uint64_t bytes, uint8_t* tag) {
    const SecretBlock sum(ghash_->finish(aad_bytes, bytes));
    xor_bytes(tag, sum.data(), mask_.data(), tag_bytes_);
  }

 private:
  const std::unique_ptr<GhashInParts> ghash_;
  SecretBlock mask_;  // E(J0)
  const size_t tag_bytes_;
};

class PartedGmac : public PartedMode {
 public:
  PartedGmac(const Key& key, const OperationOptions& options)
      : tag_(key, initial_counter(key, options.iv), options.tag_bytes), length_(WARPAES_MODE_GCM, options) {}
  Shape shape() const override { return {.makes_output = false}; }
  uint64_t finish_bytes(uint64_t) const override { return tag_.bytes(); }
  void crypt(const uint8_t* input, uint8_t*, uint64_t bytes) override {
    length_.add_aad(bytes);
    tag_.add(input, bytes);
  }
  uint64_t finish(uint8_t*, uint64_t, uint8_t* output) override {
    tag_.finish(length_.bytes(), 0, output);
    return tag_.bytes();
  }

 private:
  GcmTag tag_;
  AeadLength length_;
};

class PartedGcm : public PartedMode {
 public:
  PartedGcm(const Key& key, const OperationOptions& options)
      : PartedGcm(key, options, initial_counter(key, options.iv)) {}

  Shape shape() const override { return {}; }
  uint64_t finish_bytes(uint64_t) const override { return tag_.bytes(); }

  /// Counters wrap in their last four bytes (section 6.2), where CTR's would carry.
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    length_.add(bytes);
    const uint64_t before = std::min(bytes, until_wrap_);
    stream_->crypt(input, output, before);
    until_wrap_ -= before;
    if (before != bytes) {
      stream_ = stream_from(wrapped_);
      until_wrap_ = UINT64_MAX;  // a message has fewer blocks than there are counters
      stream_->crypt(input + before, output + before, bytes - before);
    }
    tag_.add(output, bytes);
  }

  uint64_t finish(uint8_t*, uint64_t, uint8_t* output) override {
    tag_.finish(aad_bytes_, length_.bytes(), output);
    return tag_.bytes();
  }

 private:
  PartedGcm(const Key& key, const OperationOptions& options, const CounterBlock& initial)
      : key_(key),
        tag_(key, initial, options.tag_bytes),
        length_(WARPAES_MODE_GCM, options),
        aad_bytes_(options.aad.size()) {
    tag_.add(options.aad.data(), aad_bytes_);
    tag_.pad(aad_bytes_);
    const CounterBlock first = add32(initial, 1);
    until_wrap_ = 16 * ((uint64_t{1} << 32) - (first.low & 0xffffffff));
    wrapped_ = {first.high, first.low & ~uint64_t{0xffffffff}};
    stream_ = stream_from(first);
  }

  std::unique_ptr<PartedMode> stream_from(CounterBlock counter) const {
    uint8_t block[16];
    store_counter(block, counter);
    return parted_ctr(key_, {.mode = WARPAES_MODE_CTR, .iv = block});
  }

  const Key& key_;
  GcmTag tag_;
  AeadLength length_;
  const uint64_t aad_bytes_;
  uint64_t until_wrap_ = 0;  // bytes of the key stream
  CounterBlock wrapped_{};
  std::unique_ptr<PartedMode> stream_;
};

}  // namespace

std::unique_ptr<PartedMode> parted_gcm(const Key& key, const OperationOptions& options) {
  require_valid_parted_aead(WARPAES_MODE_GCM, options);
  if (options.mode == WARPAES_MODE_GMAC) return std::make_unique<PartedGmac>(key, options);
  return std::make_unique<PartedGcm>(key, options);
}

}  // namespace warpaes::core
