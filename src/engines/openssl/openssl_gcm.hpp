// GCM through EVP, which encrypts and hashes in one pass: messages, and parts of them.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core::openssl {

/// OpenSSL's GCM_IV_MAX_SIZE: 1024 bits.
constexpr size_t kMaxGcmNonceBytes = 128;

void run_gcm(const BatchKey& key, const Batch& batch, void*, Stream);

/// @return null if EVP cannot: the hash key is 0, or its inverse is wanted and not there, or this libcrypto
///         does not tell the sum of what it decrypts
std::unique_ptr<GcmPart> start_gcm_part(const EngineKey& key, const GcmHashKey& hash, Direction direction,
                                        CounterBlock first);

}  // namespace warpaes::core::openssl
