// GCM's encryption and GMAC in parts, SP 800-38D section 7.1. The key stream is CTR's, which threads share or
// a GPU makes; GHASH is OpenSSL's, as its GMAC hashes what comes in parts.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <string>

#include "failure.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "operations/parted_aead.hpp"
#include "primitives/ghash.hpp"

namespace warpaes {
namespace {

Gf128 hash_subkey(const Key& key) {
  SecretBlock block;
  ecb_host(key, WARPAES_ENCRYPT, {block.data(), block.data(), block.size()});
  return ghash_key(gf128_from_block(block.data()));
}

class Gmac {
 public:
  Gmac(const KeySchedule& schedule, std::span<const uint8_t> nonce) {
    std::string cipher = "AES-" + std::to_string(schedule.key_bits()) + "-GCM";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher.data(), 0),
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, const_cast<uint8_t*>(nonce.data()),
                                          nonce.size()),
        OSSL_PARAM_construct_end()};
    const std::unique_ptr<EVP_MAC, Free> mac(EVP_MAC_fetch(nullptr, "GMAC", nullptr));
    context_.reset(mac == nullptr ? nullptr : EVP_MAC_CTX_new(mac.get()));
    if (context_ == nullptr) throw Failure(WARPAES_ERROR_INTERNAL, "OpenSSL has no GMAC");
    require(EVP_MAC_init(context_.get(), schedule.key().data(), schedule.key().size(), parameters));
  }
  void add(const uint8_t* data, uint64_t bytes) {
    require(EVP_MAC_update(context_.get(), data, bytes));
    bytes_ += bytes;
  }
  void pad() {
    constexpr uint8_t kZeros[16] = {};
    add(kZeros, (16 - bytes_ % 16) % 16);
  }
  uint64_t bytes() const { return bytes_; }
  MacBlock finish() {
    MacBlock tag{};
    size_t written = 0;
    require(EVP_MAC_final(context_.get(), tag.data(), &written, tag.size()));
    return tag;
  }

 private:
  struct Free {
    void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
    void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
  };
  static void require(int result) {
    if (result != 1) throw Failure(WARPAES_ERROR_INTERNAL, "OpenSSL's GMAC failed");
  }

  std::unique_ptr<EVP_MAC_CTX, Free> context_;
  uint64_t bytes_ = 0;
};

class PartedGmac : public PartedMode {
 public:
  PartedGmac(const Key& key, const OperationOptions& options)
      : gmac_(key.schedule(), options.iv),
        length_(WARPAES_AEAD_GCM, options),
        tag_bytes_(options.tag_bytes) {}
  Shape shape() const override { return {.makes_output = false}; }
  uint64_t finish_bytes(uint64_t) const override { return tag_bytes_; }
  void crypt(const uint8_t* input, uint8_t*, uint64_t bytes) override {
    length_.add_aad(bytes);
    gmac_.add(input, bytes);
  }
  uint64_t finish(uint8_t*, uint64_t, uint8_t* output) override {
    const SecretBlock tag(gmac_.finish());
    std::copy_n(tag.begin(), tag_bytes_, output);
    return tag_bytes_;
  }

 private:
  Gmac gmac_;
  AeadLength length_;
  const size_t tag_bytes_;
};

class PartedGcm : public PartedMode {
 public:
  PartedGcm(const Key& key, const OperationOptions& options)
      : key_(key),
        h_(hash_subkey(key)),
        gmac_(key.schedule(), options.iv),
        length_(WARPAES_AEAD_GCM, options),
        aad_bytes_(options.aad.size()),
        tag_bytes_(options.tag_bytes) {
    gmac_.add(options.aad.data(), aad_bytes_);
    gmac_.pad();
    Ghash ghash(h_);
    const CounterBlock first = add32(gcm_initial_counter(ghash, options.iv.data(), options.iv.size()), 1);
    until_wrap_ = 16 * ((uint64_t{1} << 32) - (first.low & 0xffffffff));
    wrapped_ = {first.high, first.low & ~uint64_t{0xffffffff}};
    stream_ = stream_from(first);
  }
  ~PartedGcm() override { OPENSSL_cleanse(&h_, sizeof h_); }
  PartedGcm(const PartedGcm&) = delete;
  PartedGcm& operator=(const PartedGcm&) = delete;

  Shape shape() const override { return {}; }
  uint64_t finish_bytes(uint64_t) const override { return tag_bytes_; }

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
    gmac_.add(output, bytes);
  }

  /// GMAC of the padded additional data and the ciphertext ends with their length, where GCM has both
  /// lengths; the hash is linear, so the difference between these last blocks times H is what the tags differ
  /// by.
  uint64_t finish(uint8_t*, uint64_t, uint8_t* output) override {
    Ghash difference(h_);
    difference.add(ghash_lengths(gmac_.bytes(), 0) ^ ghash_lengths(aad_bytes_, length_.bytes()));
    SecretBlock sum;
    gf128_to_block(difference.sum(), sum.data());
    const SecretBlock tag(gmac_.finish());
    xor_bytes(output, tag.data(), sum.data(), tag_bytes_);
    return tag_bytes_;
  }

 private:
  std::unique_ptr<PartedMode> stream_from(CounterBlock counter) const {
    uint8_t block[16];
    store_counter(block, counter);
    return parted_ctr(key_, {.mode = WARPAES_MODE_CTR, .iv = block});
  }

  const Key& key_;
  Gf128 h_;
  Gmac gmac_;
  AeadLength length_;
  const uint64_t aad_bytes_;
  const size_t tag_bytes_;
  uint64_t until_wrap_ = 0;  // bytes of the key stream
  CounterBlock wrapped_{};
  std::unique_ptr<PartedMode> stream_;
};

}  // namespace

std::unique_ptr<PartedMode> parted_gcm(const Key& key, const OperationOptions& options) {
  require_valid_parted_aead(WARPAES_AEAD_GCM, options);
  if (options.mode == WARPAES_MODE_GMAC) return std::make_unique<PartedGmac>(key, options);
  return std::make_unique<PartedGcm>(key, options);
}

}  // namespace warpaes
