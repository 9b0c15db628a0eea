// Modes that end with a tag: GCM, GMAC, EAX, OCB3 and CMAC. They need the context's CPU engine, as a context
// that was made for one engine gets no other. EAX's key stream is made as CTR's is.

#include <algorithm>

#include "failure.hpp"
#include "modes/batch.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "modes/mode_table.hpp"
#include "modes/ocb3.hpp"
#include "operations/parted_modes.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/gcm_in_parts.hpp"

namespace warpaes::core {
namespace {

/// Counts a message's bytes, or in GMAC those of the additional data. Throws LENGTH past the mode's limit.
class LimitedLength {
 public:
  LimitedLength(const ModeRow& mode, size_t nonce_bytes)
      : name_(mode.name), most_(mode.most_bytes(nonce_bytes)) {}
  void add(uint64_t bytes) {
    if (bytes > most_ - bytes_) {
      throw Failure(WARPAES_ERROR_LENGTH, "{} has messages of at most {} bytes", name_, most_);
    }
    bytes_ += bytes;
  }

 private:
  const char* const name_;
  const uint64_t most_;
  uint64_t bytes_ = 0;
};

class TaggedMode : public PartedMode {
 public:
  explicit TaggedMode(size_t tag_bytes) : tag_bytes_(tag_bytes) {}
  uint64_t finish_bytes(uint64_t held) const override { return held + tag_bytes_; }
  uint64_t finish(uint8_t* held, uint64_t bytes, uint8_t* output) override {
    if (bytes != 0) crypt_last(held, output, bytes);
    const SecretBlock tag(this->tag());  // of a forgery, it would be what the forger wants to know
    std::copy_n(tag.begin(), tag_bytes_, output + bytes);
    return bytes + tag_bytes_;
  }

 protected:
  /// Does the message's last bytes, if they make no unit.
  virtual void crypt_last(const uint8_t* /*input*/, uint8_t* /*output*/, uint64_t /*bytes*/) {}
  virtual MacBlock tag() = 0;

 private:
  const size_t tag_bytes_;
};

class PartedCmac : public TaggedMode {
 public:
  PartedCmac(const Key& key, const Engine& engine, const OperationOptions& options)
      : TaggedMode(options.tag_bytes), cmac_(engine, key.prepared(engine)) {
    cmac_.start();
  }
  Shape shape() const override { return {.makes_output = false}; }
  void crypt(const uint8_t* input, uint8_t*, uint64_t bytes) override { cmac_.add(input, bytes); }
  std::unique_ptr<PartedMode> copy() const override { return std::make_unique<PartedCmac>(*this); }

 private:
  MacBlock tag() override { return cmac_.finish(); }

  Cmac cmac_;
};

/// GCM and GMAC, SP 800-38D section 7.1.
class PartedGcm : public TaggedMode {
 public:
  PartedGcm(const Key& key, const Engine& engine, const OperationOptions& options)
      : TaggedMode(options.tag_bytes),
        is_mac_(options.mode == WARPAES_MODE_GMAC),
        length_(mode_row(options.mode), options.iv.size()),
        gcm_(engine, key.prepared(engine), key.context().state().threads, options.direction, options.iv) {
    gcm_.add(options.aad.data(), options.aad.size());
  }
  Shape shape() const override { return {.makes_output = !is_mac_}; }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    length_.add(bytes);
    if (is_mac_) {
      gcm_.add(input, bytes);
    } else {
      gcm_.crypt(input, output, bytes);
    }
  }

 private:
  MacBlock tag() override { return gcm_.tag(); }

  const bool is_mac_;
  LimitedLength length_;
  GcmInParts gcm_;
};

/// EAX as figure 4 of its paper has it (modes/mac_chain.hpp names that): CTR from the nonce's OMAC, and the
/// OMAC of the ciphertext as it comes.
class PartedEax : public TaggedMode {
 public:
  PartedEax(const Key& key, const Engine& engine, const OperationOptions& options)
      : TaggedMode(options.tag_bytes),
        cmac_(engine, key.prepared(engine)),
        counter_(cmac_.omac(0, options.iv.data(), options.iv.size())),
        of_aad_(cmac_.omac(1, options.aad.data(), options.aad.size())),
        direction_(options.direction),
        stream_(parted_stream(key, {.mode = WARPAES_MODE_CTR, .iv = counter_})) {
    cmac_.start_omac(2);
  }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    if (direction_ == WARPAES_DIRECTION_DECRYPT) cmac_.add(input, bytes);
    stream_->crypt(input, output, bytes);
    if (direction_ == WARPAES_DIRECTION_ENCRYPT) cmac_.add(output, bytes);
  }

 private:
  MacBlock tag() override {
    MacBlock tag = cmac_.finish();
    xor_block(tag, of_aad_);
    xor_block(tag, counter_);
    return tag;
  }

  Cmac cmac_;
  const SecretBlock counter_, of_aad_;
  const Direction direction_;
  std::unique_ptr<PartedMode> stream_;
};

/// OCB3, RFC 7253 section 4. Whole blocks are done as they come. What makes no block is the message's end,
/// and is done with the tag.
class PartedOcb3 : public TaggedMode {
 public:
  PartedOcb3(const Key& key, const Engine& engine, const OperationOptions& options)
      : TaggedMode(options.tag_bytes),
        ocb3_(engine, key.prepared(engine), options.tag_bytes),
        of_aad_(ocb3_.hash(options.aad.data(), options.aad.size())),
        length_(mode_row(WARPAES_MODE_OCB3), options.iv.size()),
        direction_(options.direction) {
    ocb3_.start(options.iv.data(), options.iv.size());
  }
  Shape shape() const override { return {.unit = 16}; }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    length_.add(bytes);
    ocb3_.whole_blocks(direction_, input, output, bytes);
  }

 private:
  void crypt_last(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    length_.add(bytes);
    ocb3_.last_bytes(direction_, input, output, bytes);
  }
  MacBlock tag() override {
    MacBlock tag = ocb3_.tag();
    xor_block(tag, of_aad_);
    return tag;
  }

  Ocb3 ocb3_;
  const SecretBlock of_aad_;
  LimitedLength length_;
  const Direction direction_;
};

/// Throws NONCE_LENGTH, TAG_LENGTH, LENGTH or NULL_POINTER for what the mode does not have.
void require_valid_aead(const OperationOptions& options) {
  uint8_t tag[16];
  require_valid_batch({.mode = options.mode,
                       .messages = 1,
                       .host_nonce = options.iv.data(),
                       .host_nonce_bytes = options.iv.size(),
                       .aad = options.aad.data(),
                       .aad_bytes = options.aad.size(),
                       .tags = tag,
                       .tag_bytes = options.tag_bytes});
}

}  // namespace

std::unique_ptr<PartedMode> parted_tagged(const Key& key, const OperationOptions& options) {
  const Engine& engine = key.context().state().cpu_engine();
  if (mode_row(options.mode).is_aead) require_valid_aead(options);
  switch (options.mode) {
    case WARPAES_MODE_CMAC:
      return std::make_unique<PartedCmac>(key, engine, options);
    case WARPAES_MODE_EAX:
      return std::make_unique<PartedEax>(key, engine, options);
    case WARPAES_MODE_OCB3:
      return std::make_unique<PartedOcb3>(key, engine, options);
    default:
      return std::make_unique<PartedGcm>(key, engine, options);
  }
}

}  // namespace warpaes::core
