// Modes whose parts are whole blocks or data units: ECB, CBC and its endings, XTS.

#include "failure.hpp"
#include "modes/cbc_endings.hpp"
#include "modes/chain.hpp"
#include "modes/modes.hpp"
#include "operations/parted_modes.hpp"
#include "pipeline/pieces.hpp"

namespace warpaes::core {
namespace {

/// Throws LENGTH unless what is left of a message at its end is whole blocks.
void require_whole_blocks(const char* what, uint64_t bytes) {
  if (bytes % 16 == 0) return;
  throw Failure(WARPAES_ERROR_LENGTH, "{} works on whole blocks of 16 bytes, and {} bytes are left", what,
                bytes);
}

class Ecb : public PartedMode {
 public:
  Ecb(const Key& key, const OperationOptions& options) : key_(key), direction_(options.direction) {}
  Shape shape() const override { return {.unit = 16}; }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    ecb_host(key_, direction_, {input, output, bytes});
  }
  uint64_t finish(uint8_t*, uint64_t bytes, uint8_t*) override {
    require_whole_blocks("ECB without padding", bytes);
    return 0;
  }

 protected:
  const Key& key_;
  const Direction direction_;
};

/// PKCS#7 in a mode of whole blocks: the last block of plaintext, of which at least one byte is padding, is
/// made and looked at by finish().
template <class Blocks>
class Pkcs7 : public Blocks {
 public:
  using Blocks::Blocks;
  Shape shape() const override {
    return {.unit = 16, .keep = this->direction_ == WARPAES_DIRECTION_DECRYPT ? 1u : 0u};
  }
  uint64_t finish_bytes(uint64_t) const override { return 16; }
  uint64_t finish(uint8_t* held, uint64_t bytes, uint8_t* output) override {
    if (this->direction_ == WARPAES_DIRECTION_ENCRYPT) {
      pkcs7_pad(held, bytes);
      this->crypt(held, output, 16);
      return 16;
    }
    require_whole_blocks("decryption of padded messages", bytes);
    const auto blocks = [this](Direction, const ChainRun& run) {
      this->crypt(run.input, run.output, run.bytes);
    };
    return cbc_pkcs7_decrypt(blocks, {held, held, output, bytes});
  }
};

class Cbc : public PartedMode {
 public:
  Cbc(const Key& key, const OperationOptions& options)
      : key_(key), direction_(options.direction), last_(options.iv.data()) {}
  Shape shape() const override { return {.unit = 16}; }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    last_.run(direction_, input, output, bytes,
              [&](const ChainRun& run) { chain_host(key_, WARPAES_MODE_CBC, direction_, run); });
  }
  uint64_t finish(uint8_t*, uint64_t bytes, uint8_t*) override {
    require_whole_blocks("CBC without padding", bytes);
    return 0;
  }

 protected:
  const Key& key_;
  const Direction direction_;
  LastCiphertext last_;
};

class CbcCts : public Cbc {
 public:
  CbcCts(const Key& key, const OperationOptions& options, Stealing variant)
      : Cbc(key, options), variant_(variant) {}
  Shape shape() const override { return {.unit = 16, .keep = 17}; }
  uint64_t finish_bytes(uint64_t held) const override { return held; }
  uint64_t finish(uint8_t* held, uint64_t bytes, uint8_t* output) override {
    cbc_cts(
        [&](Direction direction, const ChainRun& run) { chain_host(key_, WARPAES_MODE_CBC, direction, run); },
        direction_, variant_, {last_.data(), held, output, bytes});
    return bytes;
  }

 private:
  const Stealing variant_;
};

class Xts : public PartedMode {
 public:
  Xts(const Key& key, const OperationOptions& options)
      : key_(key),
        tweak_key_(*options.tweak_key),
        direction_(options.direction),
        unit_bytes_(options.data_unit_bytes),
        tweak_(options.iv.data(), 0) {
    require_valid_xts_keys(key, tweak_key_);
    require_valid_xts({tweak_.block, unit_bytes_, nullptr, nullptr, 0});
  }
  Shape shape() const override { return {.unit = unit_bytes_}; }
  uint64_t finish_bytes(uint64_t held) const override { return held; }
  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    xts_host(key_, tweak_key_, direction_, {tweak_.block, unit_bytes_, input, output, bytes});
    tweak_ = TweakAt(tweak_.block, bytes / unit_bytes_);
  }
  uint64_t finish(uint8_t* held, uint64_t bytes, uint8_t* output) override {
    crypt(held, output, bytes);
    return bytes;
  }

 private:
  const Key& key_;
  const Key& tweak_key_;
  const Direction direction_;
  const uint64_t unit_bytes_;
  TweakAt tweak_;
};

}  // namespace

std::unique_ptr<PartedMode> parted_blocks(const Key& key, const OperationOptions& options) {
  switch (options.mode) {
    case WARPAES_MODE_ECB:
      return std::make_unique<Ecb>(key, options);
    case WARPAES_MODE_ECB_PKCS7:
      return std::make_unique<Pkcs7<Ecb>>(key, options);
    case WARPAES_MODE_CBC_PKCS7:
      return std::make_unique<Pkcs7<Cbc>>(key, options);
    case WARPAES_MODE_CBC_CS1:
      return std::make_unique<CbcCts>(key, options, Stealing::cs1);
    case WARPAES_MODE_CBC_CS2:
      return std::make_unique<CbcCts>(key, options, Stealing::cs2);
    case WARPAES_MODE_CBC_CS3:
      return std::make_unique<CbcCts>(key, options, Stealing::cs3);
    case WARPAES_MODE_XTS:
      if (options.tweak_key == nullptr) throw Failure(WARPAES_ERROR_NULL_POINTER, "XTS' tweak_key is null");
      if (options.data_unit_bytes != 0) return std::make_unique<Xts>(key, options);
      throw Failure(WARPAES_ERROR_OPTION, "XTS in parts needs a data_unit, in which the message is cut");
    default:
      return std::make_unique<Cbc>(key, options);
  }
}

}  // namespace warpaes::core
