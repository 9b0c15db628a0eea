// GCM through EVP, which encrypts and hashes in one pass: messages, and parts of them.
#include <array>
#include <atomic>

#include "engines/batch.hpp"
#include "engines/openssl/openssl_modes.hpp"
#include "failure.hpp"
#include "primitives/host_gf128.hpp"
#include "primitives/wiped.hpp"

namespace warpaes::core::openssl {
namespace {

/// A context that has found the tag that a forgery should have had keeps it until its next message begins. So
/// that is begun here, of zeros.
void forget_tag(EVP_CIPHER_CTX* context) {
  constexpr uint8_t kZeros[128] = {};  // EVP takes no longer nonces
  set_iv(context, kZeros, "setting the nonce");
  update(context, kZeros, nullptr, 1);
}

/// EVP's GCM from any block of a message on. It computes its first counter J0 from the nonce, so it is given
/// the nonce that leads to the counter before the part's. For nonces of 16 bytes (section 7.1 step 2)
///
///   J0 = (N * H ^ lengths(0, 16)) * H,    so    N = (J0 * H^-1 ^ lengths(0, 16)) * H^-1
///
/// and the tag, (sum ^ lengths of the part) * H ^ E(J0), is the part's sum but for what is known. Such a
/// nonce tells H to who knows J0: it is wiped, but for EVP's copy, which lies beside the key.
class OpensslGcmPart : public GcmPart {
 public:
  OpensslGcmPart(const EngineKey& key, const GcmHashKey& hash, Direction direction, CounterBlock first)
      : contexts_(contexts_of(key)),
        hash_key_(hash.key),
        before_(add32(first, 0xffffffff)),
        context_(contexts_, Use::gcm_part) {
    Wiped<std::array<uint8_t, 16>> nonce;
    store_counter(nonce.data(), before_);
    const bool is_short = is_of_short_nonce(before_);
    if (!is_short) {
      const auto multiply = host_gf128().multiply;
      const Gf128 inner =
          multiply(gf128_from_block(nonce.data()), hash.inverse) ^ ghash_lengths(0, nonce.size());
      gf128_to_block(multiply(inner, hash.inverse), nonce.data());
    }
    context_.set_nonce_length(is_short ? 12 : nonce.size());
    require(EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, nonce.data(), encrypts(direction), nullptr),
            "setting the nonce");
  }

  /// Step 2 for nonces of 12 bytes: they stand before the number 1, and no inverse is needed.
  static bool is_of_short_nonce(CounterBlock initial) { return (initial.low & 0xffffffff) == 1; }

  void add(const uint8_t* data, uint64_t bytes) override {
    update(context_.get(), data, nullptr, bytes);
    aad_bytes_ += bytes;
  }

  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    update(context_.get(), input, output, bytes);
    bytes_ += bytes;
  }

  /// EVP gives no tag away when it decrypts, so it is told that it encrypts, which is no other computation
  /// from here on.
  Gf128 sum() override {
    Wiped<std::array<uint8_t, 16>> tag, mask;
    int written = 0;
    require(EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, nullptr, 1, nullptr), "ending a part");
    require(EVP_CipherFinal_ex(context_.get(), mask.data(), &written), "ending a part");
    control(context_.get(), EVP_CTRL_AEAD_GET_TAG, tag.size(), tag.data(), "reading a part's sum");
    forget_tag(context_.get());
    require(EVP_CipherFinal_ex(context_.get(), mask.data(), &written),
            "ending a part");  // EVP's copy as well
    store_counter(mask.data(), before_);
    const CipherContexts::Borrowed block(contexts_, Use::ecb_encrypt);
    update(block.get(), mask.data(), mask.data(), mask.size());
    return gf128_from_block(tag.data()) ^ gf128_from_block(mask.data()) ^
           host_gf128().multiply(ghash_lengths(aad_bytes_, bytes_), hash_key_);
  }

 private:
  CipherContexts& contexts_;
  Gf128 hash_key_;
  const CounterBlock before_;
  CipherContexts::Borrowed context_;
  uint64_t aad_bytes_ = 0, bytes_ = 0;
};

Gf128 sum_of_part(const EngineKey& key, Direction direction, const uint8_t* input) {
  uint8_t output[40];
  OpensslGcmPart part(key, {{1, 2}}, direction, {0, 2});
  part.crypt(input, output, sizeof output);
  return part.sum();
}

/// That a context may turn from decryption to encryption before its end is written nowhere, so it is tried:
/// both directions of one text must have the sum of one ciphertext.
bool tells_sum_of_decryption() {
  constexpr uint8_t kNoKey[16] = {}, kText[40] = {1, 2, 3};
  const OpensslKey key{KeySchedule(kNoKey)};
  uint8_t ciphertext[sizeof kText];
  try {
    OpensslGcmPart part(key, {{1, 2}}, WARPAES_DIRECTION_ENCRYPT, {0, 2});
    part.crypt(kText, ciphertext, sizeof kText);
    return part.sum() == sum_of_part(key, WARPAES_DIRECTION_DECRYPT, ciphertext);
  } catch (const Failure& failure) {
    if (failure.is_passing()) throw;
    return false;
  }
}

}  // namespace

void run_gcm(const BatchKey& key, const Batch& batch, void*, Stream) {
  const bool encrypting = batch.direction == WARPAES_DIRECTION_ENCRYPT;
  CipherContexts::Borrowed context(contexts_of(key.prepared),
                                   encrypting ? Use::gcm_encrypt : Use::gcm_decrypt);
  context.set_nonce_length(nonce_bytes_of(batch));
  for_each_sealed_message(batch, [&](const BatchMessage& message) {
    const bool right = crypt_message(context.get(), batch, message);
    if (!right) forget_tag(context.get());
    return right;
  });
}

std::unique_ptr<GcmPart> start_gcm_part(const EngineKey& key, const GcmHashKey& hash, Direction direction,
                                        CounterBlock first) {
  // 0: not known. Whoever asks meanwhile tries the same.
  static constinit std::atomic<int> sum_is_told = 0;
  if (sum_is_told == 0) sum_is_told = tells_sum_of_decryption() ? 1 : -1;
  const bool tells_sum = sum_is_told == 1;
  const bool has_nonce =
      OpensslGcmPart::is_of_short_nonce(add32(first, 0xffffffff)) || !(hash.inverse == Gf128{0, 0});
  if (!has_nonce || (direction == WARPAES_DIRECTION_DECRYPT && !tells_sum)) return nullptr;
  return std::make_unique<OpensslGcmPart>(key, hash, direction, first);
}

}  // namespace warpaes::core::openssl
