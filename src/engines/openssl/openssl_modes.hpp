// What the engine has of modes beside whole blocks, counters and chains.
#pragma once

#include "engines/engine.hpp"
#include "engines/openssl/cipher_contexts.hpp"

namespace warpaes::core::openssl {

/// A key made ready for OpenSSL.
struct OpensslKey : EngineKey {
  explicit OpensslKey(const KeySchedule& schedule) : contexts(schedule) {}
  mutable CipherContexts contexts;
};

inline CipherContexts& contexts_of(const EngineKey& key) {
  return static_cast<const OpensslKey&>(key).contexts;
}

inline int encrypts(Direction direction) { return direction == WARPAES_DIRECTION_ENCRYPT ? 1 : 0; }

/// OpenSSL's GCM_IV_MAX_SIZE: 1024 bits.
constexpr size_t kMaxGcmNonceBytes = 128;
void run_gcm(const BatchKey& key, const Batch& batch, void*, Stream);

/// @return null if EVP cannot: the hash key is 0, or its inverse is wanted and not there, or this libcrypto
///         does not tell the sum of what it decrypts
std::unique_ptr<GcmPart> start_gcm_part(const EngineKey& key, const GcmHashKey& hash, Direction direction,
                                        CounterBlock first);

/// EVP takes a CCM message in one piece, and counts its bytes in int.
constexpr uint64_t kLongestCcm = 0x7fffffff;
void run_ccm(const BatchKey& key, const Batch& batch, void*, Stream);
void run_ocb3(const BatchKey& key, const Batch& batch, void*, Stream);

/// Encrypts or decrypts a message of GCM or OCB3. OpenSSL may give out the bytes that make no block only at
/// the end.
/// @return is the tag right?
bool crypt_message(EVP_CIPHER_CTX* context, const Batch& batch, const BatchMessage& message);

}  // namespace warpaes::core::openssl
