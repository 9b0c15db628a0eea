#include "operations/parted_aead.hpp"

#include <algorithm>
#include <string>

#include "failure.hpp"
#include "modes/batch.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "modes/ocb3.hpp"
#include "pipeline/context_state.hpp"

namespace warpaes::core {
namespace {

/// As figure 4 of EAX has it: CTR from the nonce's OMAC, and the OMAC of the ciphertext as it comes.
class PartedEax : public PartedMode {
 public:
  PartedEax(const Key& key, const Engine& engine, const OperationOptions& options)
      : cmac_(engine, key.prepared(engine)),
        counter_(cmac_.omac(0, options.iv.data(), options.iv.size())),
        of_aad_(cmac_.omac(1, options.aad.data(), options.aad.size())),
        tag_bytes_(options.tag_bytes),
        direction_(options.direction),
        stream_(parted_ctr(key, {.mode = WARPAES_MODE_CTR, .iv = counter_})) {
    cmac_.start_omac(2);
  }
  uint64_t finish_bytes(uint64_t) const override { return tag_bytes_; }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    if (direction_ == WARPAES_DIRECTION_DECRYPT) cmac_.add(input, bytes);
    stream_->crypt(input, output, bytes);
    if (direction_ == WARPAES_DIRECTION_ENCRYPT) cmac_.add(output, bytes);
  }
  uint64_t finish(uint8_t*, uint64_t, uint8_t* output) override {
    SecretBlock tag(cmac_.finish());
    xor_bytes(tag.data(), tag.data(), of_aad_.data(), tag.size());
    xor_bytes(tag.data(), tag.data(), counter_.data(), tag.size());
    std::copy_n(tag.begin(), tag_bytes_, output);
    return tag_bytes_;
  }

 private:
  Cmac cmac_;
  const SecretBlock counter_, of_aad_;
  const size_t tag_bytes_;
  const Direction direction_;
  std::unique_ptr<PartedMode> stream_;
};

/// Whole blocks as they come; what makes none is the message's end, and comes with the tag.
class PartedOcb3 : public PartedMode {
 public:
  PartedOcb3(const Key& key, const Engine& engine, const OperationOptions& options)
      : ocb3_(engine, key.prepared(engine), options.tag_bytes),
        of_aad_(ocb3_.hash(options.aad.data(), options.aad.size())),
        length_(WARPAES_MODE_OCB3, options),
        tag_bytes_(options.tag_bytes),
        direction_(options.direction) {
    ocb3_.start(options.iv.data(), options.iv.size());
  }
  Shape shape() const override { return {.unit = 16}; }
  uint64_t finish_bytes(uint64_t held) const override { return held + tag_bytes_; }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    length_.add(bytes);
    ocb3_.whole_blocks(direction_, input, output, bytes);
  }
  uint64_t finish(uint8_t* held, uint64_t bytes, uint8_t* output) override {
    length_.add(bytes);
    ocb3_.last_bytes(direction_, held, output, bytes);
    SecretBlock tag(ocb3_.tag());
    xor_bytes(tag.data(), tag.data(), of_aad_.data(), tag.size());
    std::copy_n(tag.begin(), tag_bytes_, output + bytes);
    return bytes + tag_bytes_;
  }

 private:
  Ocb3 ocb3_;
  const SecretBlock of_aad_;
  AeadLength length_;
  const size_t tag_bytes_;
  const Direction direction_;
};

}  // namespace

void require_valid_parted_aead(const OperationOptions& options) {
  uint8_t tag[16];
  Batch message{};
  message.mode = options.mode;
  message.direction = WARPAES_DIRECTION_ENCRYPT;
  message.messages = 1;
  message.host_nonce = options.iv.data();
  message.host_nonce_bytes = options.iv.size();
  message.aad = options.aad.data();
  message.aad_bytes = options.aad.size();
  message.tags = tag;
  message.tag_bytes = options.tag_bytes;
  require_valid_batch(message);
}

AeadLength::AeadLength(Aead mode, const OperationOptions& options)
    : name_(mode_row(mode).name),
      most_(mode_row(mode).most_bytes(options.iv.size())),
      most_aad_(mode_row(mode).longest_aad) {}

void AeadLength::add(uint64_t bytes, uint64_t most) {
  if (bytes > most - bytes_) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  std::string(name_) + " has messages of at most " + std::to_string(most) + " bytes");
  }
  bytes_ += bytes;
}

std::unique_ptr<PartedMode> parted_eax(const Key& key, const OperationOptions& options) {
  return std::make_unique<PartedEax>(key, key.context().state().cpu_engine(), options);
}

std::unique_ptr<PartedMode> parted_ocb3(const Key& key, const OperationOptions& options) {
  return std::make_unique<PartedOcb3>(key, key.context().state().cpu_engine(), options);
}

}  // namespace warpaes::core
