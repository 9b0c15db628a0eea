// A GCM message in parts on host engines (SP 800-38D section 7.1).
#pragma once

#include <openssl/crypto.h>

#include "engines/engine.hpp"
#include "modes/mac_chain.hpp"

namespace warpaes::core {

/// A sum of GHASH, or a product of the hash key, which with the message tells the hash key. It is wiped at
/// its end.
struct SecretGf128 : Gf128 {
  explicit SecretGf128(Gf128 value) : Gf128(value) {}
  ~SecretGf128() { OPENSSL_cleanse(this, sizeof *this); }
  SecretGf128(const SecretGf128&) = delete;
  SecretGf128& operator=(const SecretGf128&) = delete;
};

/// H as ghash_key() makes it, with no inverse yet.
GcmHashKey gcm_hash_key(const Engine& engine, const EngineKey& key);

/// The engine's part, or one that is composed from the block function.
std::unique_ptr<GcmPart> start_gcm_part(const Engine& engine, const EngineKey& key, const GcmHashKey& hash,
                                        Direction direction, CounterBlock first);

/// The part that is composed: what engines without one get, and the oracle of those that have it.
std::unique_ptr<GcmPart> start_composed_gcm_part(const Engine& engine, const EngineKey& key,
                                                 const GcmHashKey& hash, Direction direction,
                                                 CounterBlock first);

}  // namespace warpaes::core
