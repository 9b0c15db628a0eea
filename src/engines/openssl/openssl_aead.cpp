// CCM and OCB3 through EVP, which interleaves their two passes, or does many blocks at once.
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/proverr.h>

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "engines/openssl/openssl_modes.hpp"
#include "failure.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core::openssl {
namespace {

/// A context with the batch's key and the lengths of its nonces and tags, which CCM has to know before the
/// key. Null if OpenSSL's providers have no such cipher, as those for FIPS 140 have no OCB.
Handle context_for(Cipher cipher, const BatchKey& key, const Batch& batch) {
  const EVP_CIPHER* const known = fetched(cipher, key.bits);
  if (known == nullptr) return nullptr;
  Handle context = new_context();
  const int encrypt = encrypts(batch.direction);
  require(EVP_CipherInit_ex2(context.get(), known, nullptr, nullptr, encrypt, nullptr), "setting a cipher");
  control(context.get(), EVP_CTRL_AEAD_SET_IVLEN, nonce_bytes_of(batch), nullptr,
          "setting the nonce's length");
  control(context.get(), EVP_CTRL_AEAD_SET_TAG, batch.tag_bytes, nullptr, "setting the tag's length");
  require(EVP_CipherInit_ex2(context.get(), nullptr, contexts_of(key.prepared).key().data(), nullptr, encrypt,
                             nullptr),
          "setting a key");
  return context;
}

/// Does a batch by the block functions, as modes are done that EVP has not at all.
void run_composed(const BatchKey& key, const Batch& batch) {
  mode_row(batch.mode).composed(openssl_evp, key, batch);
}

void set_tag(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  control(context, EVP_CTRL_AEAD_SET_TAG, batch.tag_bytes, message.tag, "setting a tag");
}

void get_tag(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  control(context, EVP_CTRL_AEAD_GET_TAG, batch.tag_bytes, message.tag, "reading a tag");
}

/// Does the call of EVP succeed? That it finds a wrong tag is an answer, no error to leave in the thread's
/// queue.
template <class Call>
bool succeeds(const Call& call) {
  ERR_set_mark();
  const bool right = call() > 0;
  ERR_pop_to_mark();
  return right;
}

/// CCM hashes the lengths before the data. So EVP takes the message's length first, then all of the
/// additional data at once, and all of the message at once; it checks the tag as it decrypts.
/// @return is the tag right?
bool ccm_message(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  const bool opening = batch.direction == WARPAES_DIRECTION_DECRYPT;
  uint8_t nothing[16] = {};
  int ignored = 0;
  if (opening) set_tag(context, batch, message);
  set_iv(context, message.nonce, "setting the nonce");
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

}  // namespace

bool crypt_message(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message) {
  const bool opening = batch.direction == WARPAES_DIRECTION_DECRYPT;
  set_iv(context, message.nonce, "setting the nonce");
  update_some(context, message.aad, nullptr, message.aad_bytes);
  const uint64_t written = update_some(context, message.input, message.output, message.bytes);
  if (opening) set_tag(context, batch, message);
  uint8_t rest[16] = {};
  int rest_bytes = 0;
  const auto finish = [&] { return EVP_CipherFinal_ex(context, rest, &rest_bytes); };
  const bool right = opening ? succeeds(finish) : (require(finish(), "finishing a message"), true);
  if (written != message.bytes) {
    if (right) std::copy_n(rest, rest_bytes, message.output + written);
    OPENSSL_cleanse(rest, sizeof rest);
  }
  if (right) require_all(written + static_cast<uint64_t>(rest_bytes), message.bytes);
  if (!opening) get_tag(context, batch, message);
  return right;
}

void run_ccm(const BatchKey& key, const Batch& batch, void*, Stream) {
  const Handle context = context_for(Cipher::ccm, key, batch);
  if (context == nullptr) return run_composed(key, batch);
  for_each_sealed_message(
      batch, [&](const BatchMessage& message) { return ccm_message(context.get(), batch, message); });
}

/// A context that had no memory for more of its offsets believes all the same that it has them, and freeing
/// it wipes memory behind those that are there (CRYPTO_ocb128_cleanup() of OpenSSL 3). So such a context
/// stays, with its key: nothing that OpenSSL offers would wipe that alone.
void run_ocb3(const BatchKey& key, const Batch& batch, void*, Stream) {
  Handle context = context_for(Cipher::ocb, key, batch);
  if (context == nullptr) return run_composed(key, batch);
  for_each_sealed_message(batch, [&](const BatchMessage& message) {
    try {
      return crypt_message(context.get(), batch, message);
    } catch (const OpensslFailure& failure) {
      static_cast<void>(context.release());
      // All that OpenSSL 3.0 says of that lack.
      if (!failure.is(ERR_LIB_PROV, PROV_R_CIPHER_OPERATION_FAILED)) throw;
      throw Failure(WARPAES_ERROR_HOST_MEMORY, "OpenSSL: no memory for OCB3's offsets");
    }
  });
}

}  // namespace warpaes::core::openssl
