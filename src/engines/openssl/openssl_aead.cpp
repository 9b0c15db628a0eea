#include "engines/openssl/openssl_aead.hpp"

#include <openssl/crypto.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>

#include "engines/batch.hpp"
#include "engines/openssl/openssl_key.hpp"
#include "failure.hpp"
#include "process/made_once.hpp"

namespace warpaes::core::openssl {
namespace {

using Names = std::array<const char*, 3>;
constexpr Names kCcm = {"AES-128-CCM", "AES-192-CCM", "AES-256-CCM"};
constexpr Names kOcb = {"AES-128-OCB", "AES-192-OCB", "AES-256-OCB"};

/// EVP counts in int; whole blocks.
constexpr uint64_t kMaxUpdateBytes = uint64_t{1} << 30;

using Ciphers = std::array<EVP_CIPHER*, 3>;

/// Never freed: keys of the program may outlive any static object.
template <const Names& kNames>
const Ciphers& ciphers() {
  static constinit MadeOnce<Ciphers> fetched;
  return fetched.get([] {
    Ciphers all;
    for (size_t i = 0; i < all.size(); i++) all[i] = EVP_CIPHER_fetch(nullptr, kNames[i], nullptr);
    return all;
  });
}

/// With nonce and tag of the batch's lengths, which CCM makes a part of the key's context.
template <const Names& kNames>
CipherContexts::Handle context_for(const EngineKey& key, const Batch& batch) {
  const std::span<const uint8_t> bytes = static_cast<const OpensslKey&>(key).contexts.key();
  const size_t length = (bytes.size() - 16) / 8;
  const EVP_CIPHER* const cipher = ciphers<kNames>()[length];
  if (cipher == nullptr) {
    ERR_clear_error();
    throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string("OpenSSL's providers have no ") + kNames[length] +
                                                 ": take the engine portable");
  }
  CipherContexts::Handle context(EVP_CIPHER_CTX_new());
  if (context == nullptr) throw Failure(WARPAES_ERROR_HOST_MEMORY, "OpenSSL: no memory for a cipher context");
  const int encrypt = batch.direction == WARPAES_DIRECTION_ENCRYPT ? 1 : 0;
  const size_t nonce_bytes = nonce_bytes_of(batch);
  require(EVP_CipherInit_ex2(context.get(), cipher, nullptr, nullptr, encrypt, nullptr), "setting a cipher");
  require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(nonce_bytes), nullptr),
          "setting the nonce's length");
  require(
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(batch.tag_bytes), nullptr),
      "setting the tag's length");
  require(EVP_CipherInit_ex2(context.get(), nullptr, bytes.data(), nullptr, encrypt, nullptr),
          "setting a key");
  return context;
}

void set_tag(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, static_cast<int>(batch.tag_bytes), message.tag),
          "setting a tag");
}

void get_tag(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, static_cast<int>(batch.tag_bytes), message.tag),
          "reading a tag");
}

void set_nonce(EVP_CIPHER_CTX* context, const BatchMessage& message) {
  require(EVP_CipherInit_ex2(context, nullptr, nullptr, message.nonce, -1, nullptr), "setting the nonce");
}

/// update() of a cipher that may keep bytes back. @param output null to feed additional data
/// @return bytes written
uint64_t counted_update(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  uint64_t all = 0;
  for (uint64_t at = 0; at < bytes; at += kMaxUpdateBytes) {
    const int part = static_cast<int>(std::min(kMaxUpdateBytes, bytes - at));
    int written = 0;
    require(EVP_CipherUpdate(context, output == nullptr ? nullptr : output + all, &written, input + at, part),
            "processing data");
    all += static_cast<uint64_t>(written);
  }
  return all;
}

/// A wrong tag is an answer, no error to leave in the thread's queue.
template <class Call>
bool succeeds(const Call& call) {
  ERR_set_mark();
  const bool right = call() > 0;
  ERR_pop_to_mark();
  return right;
}

/// The length first, then all of the additional data at once, which stands behind its own length, and all of
/// the message at once: EVP checks the tag as it decrypts.
/// @return is the tag right?
bool ccm_message(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  const bool opening = batch.direction == WARPAES_DIRECTION_DECRYPT;
  uint8_t nothing[16] = {};
  int ignored = 0;
  if (opening) set_tag(context, batch, message);
  set_nonce(context, message);
  require(EVP_CipherUpdate(context, nullptr, &ignored, nullptr, static_cast<int>(message.bytes)),
          "setting the message's length");
  if (message.aad_bytes != 0) {
    require(EVP_CipherUpdate(context, nullptr, &ignored, message.aad, static_cast<int>(message.aad_bytes)),
            "processing additional data");
  }
  const uint8_t* const input = message.bytes == 0 ? nothing : message.input;
  uint8_t* const output = message.bytes == 0 ? nothing : message.output;
  const auto crypt = [&] {
    return EVP_CipherUpdate(context, output, &ignored, input, static_cast<int>(message.bytes));
  };
  if (opening) return succeeds(crypt);
  require(crypt(), "processing data");
  get_tag(context, batch, message);
  return true;
}

/// The bytes that make no block come out at the end.
bool ocb3_message(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  const bool opening = batch.direction == WARPAES_DIRECTION_DECRYPT;
  set_nonce(context, message);
  if (opening) set_tag(context, batch, message);
  counted_update(context, message.aad, nullptr, message.aad_bytes);
  const uint64_t written = counted_update(context, message.input, message.output, message.bytes);
  uint8_t rest[16] = {};
  int rest_bytes = 0;
  const auto finish = [&] { return EVP_CipherFinal_ex(context, rest, &rest_bytes); };
  const bool right = opening ? succeeds(finish) : (require(finish(), "finishing a message"), true);
  if (right) std::copy_n(rest, message.bytes - written, message.output + written);
  OPENSSL_cleanse(rest, sizeof rest);
  if (!opening) get_tag(context, batch, message);
  return right;
}

template <const Names& kNames, bool (*kMessage)(EVP_CIPHER_CTX*, const Batch&, const BatchMessage&)>
void run_messages(const BatchKey& key, const Batch& batch) {
  const CipherContexts::Handle context = context_for<kNames>(key.prepared, batch);
  for_each_sealed_message(
      batch, [&](const BatchMessage& message) { return kMessage(context.get(), batch, message); });
}

}  // namespace

void run_ccm(const BatchKey& key, const Batch& batch, void*, Stream) {
  run_messages<kCcm, ccm_message>(key, batch);
}

void run_ocb3(const BatchKey& key, const Batch& batch, void*, Stream) {
  run_messages<kOcb, ocb3_message>(key, batch);
}

}  // namespace warpaes::core::openssl
