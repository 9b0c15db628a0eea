#include "engines/openssl/openssl_engine.hpp"

#include <openssl/crypto.h>
#include <openssl/err.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "engines/batch.hpp"
#include "engines/openssl/openssl_aead.hpp"
#include "engines/openssl/openssl_key.hpp"
#include "engines/openssl/openssl_xts.hpp"
#include "failure.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {
namespace {

using openssl::CipherContexts;
using openssl::Use;

/// EVP counts in int; whole blocks, so that a cut leaves no partial block in a context.
constexpr uint64_t kMaxUpdateBytes = uint64_t{1} << 30;

/// OpenSSL's GCM_IV_MAX_SIZE: 1024 bits.
constexpr size_t kMaxNonceBytes = 128;

using openssl::OpensslKey;

std::unique_ptr<EngineKey> prepare(const KeySchedule& schedule, int) {
  return std::make_unique<OpensslKey>(schedule);
}

Availability available(int) {
  std::string reason = openssl::fetch_failure();
  return {reason.empty(), std::move(reason)};
}

/// @param output null to feed GCM's additional data
void update(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += kMaxUpdateBytes) {
    const int part = static_cast<int>(std::min(kMaxUpdateBytes, bytes - at));
    int written = 0;
    openssl::require(
        EVP_CipherUpdate(context, output == nullptr ? nullptr : output + at, &written, input + at, part),
        "processing data");
    if (written != part) throw Failure(WARPAES_ERROR_INTERNAL, "OpenSSL: an update kept bytes back");
  }
}

template <Use kUse>
void run_blocks(const EngineKey& key, const BlockRun& run, Stream) {
  const CipherContexts::Borrowed context(static_cast<const OpensslKey&>(key).contexts, kUse);
  update(context.get(), run.input, run.output, run.bytes);
}

void run_counter(const EngineKey& key, const CounterRun& run, Stream) {
  const CipherContexts::Borrowed context(static_cast<const OpensslKey&>(key).contexts, Use::ctr);
  openssl::require(EVP_CipherInit_ex2(context.get(), nullptr, nullptr, run.counter, -1, nullptr),
                   "setting the counter");
  update(context.get(), run.input, run.output, run.bytes);
}

template <Use kUse>
void run_chain(const EngineKey& key, const ChainRun& run, Stream) {
  const CipherContexts::Borrowed context(static_cast<const OpensslKey&>(key).contexts, kUse);
  openssl::require(EVP_CipherInit_ex2(context.get(), nullptr, nullptr, run.iv, -1, nullptr),
                   "setting the initialisation vector");
  update(context.get(), run.input, run.output, run.bytes);
}

template <Use kUse>
void run_unchain(const EngineKey& key, const ChainRun& run, void*, Stream stream) {
  run_chain<kUse>(key, run, stream);
}

void start_and_process(EVP_CIPHER_CTX* context, const BatchMessage& message) {
  openssl::require(EVP_CipherInit_ex2(context, nullptr, nullptr, message.nonce, -1, nullptr),
                   "setting the nonce");
  update(context, message.aad, nullptr, message.aad_bytes);
  update(context, message.input, message.output, message.bytes);
}

void seal(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  start_and_process(context, message);
  uint8_t rest[16];
  int rest_bytes = 0;
  openssl::require(EVP_CipherFinal_ex(context, rest, &rest_bytes), "finishing a message");
  openssl::require(
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, static_cast<int>(batch.tag_bytes), message.tag),
      "reading a tag");
}

/// @return is the tag right? If not, the output is zeroed.
bool open(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  start_and_process(context, message);
  openssl::require(
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(batch.tag_bytes), message.tag),
      "setting a tag");
  uint8_t rest[16];
  int rest_bytes = 0;
  ERR_set_mark();  // a wrong tag is an answer here, no error to leave in the thread's queue
  const bool right = EVP_CipherFinal_ex(context, rest, &rest_bytes) > 0;
  ERR_pop_to_mark();
  if (!right && message.bytes != 0) OPENSSL_cleanse(message.output, message.bytes);
  return right;
}

void run_gcm(const BatchKey& key, const Batch& batch, void*, Stream) {
  const bool encrypting = batch.direction == WARPAES_DIRECTION_ENCRYPT;
  const CipherContexts::Borrowed context(static_cast<const OpensslKey&>(key.prepared).contexts,
                                         encrypting ? Use::gcm_encrypt : Use::gcm_decrypt);
  const size_t nonce_bytes = nonce_bytes_of(batch);
  if (EVP_CIPHER_CTX_get_iv_length(context.get()) != static_cast<int>(nonce_bytes)) {
    openssl::require(
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(nonce_bytes), nullptr),
        "setting the nonce's length");
  }
  for_each_sealed_message(batch, [&](const BatchMessage& message) {
    if (!encrypting) return open(context.get(), batch, message);
    seal(context.get(), batch, message);
    return true;
  });
}

/// EVP's GCM as a hash: a message that is nothing but additional data, under a nonce that is nobody's, has
/// the tag GHASH XOR E(J0), and E(J0) is known here.
class OpensslGhash : public GhashInParts {
 public:
  explicit OpensslGhash(const EngineKey& key)
      : key_(key), context_(static_cast<const OpensslKey&>(key).contexts, Use::gcm_encrypt) {
    constexpr int kNonceBytes = 12;
    openssl::require(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_IVLEN, kNonceBytes, nullptr),
                     "setting the nonce's length");
    openssl::require(EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, kFirstCounter.data(), -1, nullptr),
                     "setting the nonce");
  }

  void add(const uint8_t* data, uint64_t bytes) override {
    update(context_.get(), data, nullptr, bytes);
    bytes_ += bytes;
  }

  /// EVP pads as well, and ends with the lengths of a message that is all additional data. GHASH is linear:
  /// the difference between that last block and the right one, times H, is the difference between the sums.
  std::array<uint8_t, 16> finish(uint64_t aad_bytes, uint64_t bytes) override {
    struct Blocks {
      uint8_t tag[16], mask[16], subkey[16], correction[16];
      ~Blocks() { OPENSSL_cleanse(this, sizeof *this); }
    } secret{};
    uint8_t rest[16];
    int rest_bytes = 0;
    openssl::require(EVP_CipherFinal_ex(context_.get(), rest, &rest_bytes), "finishing a hash");
    openssl::require(EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, 16, secret.tag),
                     "reading a hash");
    run_blocks<Use::ecb_encrypt>(key_, {kFirstCounter.data(), secret.mask, 16}, nullptr);
    run_blocks<Use::ecb_encrypt>(key_, {secret.subkey, secret.subkey, 16}, nullptr);
    Ghash difference(ghash_key(gf128_from_block(secret.subkey)));
    difference.add(ghash_lengths(bytes_, 0) ^ ghash_lengths(aad_bytes, bytes));
    gf128_to_block(difference.sum(), secret.correction);
    std::array<uint8_t, 16> sum{};
    for (size_t i = 0; i < sum.size(); i++) {
      sum[i] = static_cast<uint8_t>(secret.tag[i] ^ secret.mask[i] ^ secret.correction[i]);
    }
    return sum;
  }

 private:
  /// J0 of a nonce of 12 zeros, section 7.1 step 2.
  static constexpr std::array<uint8_t, 16> kFirstCounter = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

  const EngineKey& key_;
  const CipherContexts::Borrowed context_;
  uint64_t bytes_ = 0;
};

std::unique_ptr<GhashInParts> start_ghash(const EngineKey& key) {
  return std::make_unique<OpensslGhash>(key);
}

/// Are both instructions, AES and carry-less multiplication, there and not masked? OpenSSL answers for
/// itself, with the words that its OPENSSL_ia32cap(3) and OPENSSL_armcap hold.
bool uses_aes_instructions() {
  const char* settings = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
  if (settings == nullptr) return false;
  const char* equals = std::strchr(settings, '=');
  if (equals == nullptr) return false;
  const unsigned long long word = std::strtoull(equals + 1, nullptr, 16);
  const auto has = [word](int bit) { return (word >> bit & 1) != 0; };
  if (std::strncmp(settings, "OPENSSL_ia32cap", 15) == 0) return has(32 + 25) && has(32 + 1);
  if (std::strncmp(settings, "OPENSSL_armcap", 14) == 0) return has(2) && has(5);
  return false;
}

/// Without those instructions OpenSSL may take table code, whose time depends on the key.
const bool kAesInstructions = uses_aes_instructions();

const std::string kDescription =
    std::string("CPU, ") + OpenSSL_version(OPENSSL_VERSION_STRING) +
    (kAesInstructions ? " libcrypto with AES instructions" : " libcrypto without AES instructions");

ModeSupports modes() {
  ModeSupports all{};
  all[WARPAES_MODE_GCM] = all[WARPAES_MODE_GMAC] = {.run = run_gcm, .longest_nonce = kMaxNonceBytes};
  all[WARPAES_MODE_CCM] = {.run = openssl::run_ccm, .longest = openssl::kLongestCcm};
  all[WARPAES_MODE_OCB3] = {.run = openssl::run_ocb3};
  return all;
}

}  // namespace

const Engine openssl_evp = {
    .name = "openssl",
    .kernel = "evp",
    .description = kDescription.c_str(),
    .timing = kAesInstructions ? WARPAES_TIMING_STRICT : WARPAES_TIMING_LEAKY,
    .memory = Memory::host,
    .available = available,
    .prepare = prepare,
    .encrypt_blocks = run_blocks<Use::ecb_encrypt>,
    .decrypt_blocks = run_blocks<Use::ecb_decrypt>,
    .counter = run_counter,
    .ghash = start_ghash,
    .cbc_encrypt = run_chain<Use::cbc_encrypt>,
    .cfb_encrypt = run_chain<Use::cfb_encrypt>,
    .ofb = run_chain<Use::ofb>,
    .cbc_decrypt = run_unchain<Use::cbc_decrypt>,
    .cfb_decrypt = nullptr,  // composed from ECB it is ten times as fast: EVP's goes block by block
    .xts = openssl::run_xts,
    .xts_has_192_bits = false,
    .modes = modes(),
};

}  // namespace warpaes::core
