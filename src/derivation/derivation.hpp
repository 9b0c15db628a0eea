// Random bytes, and keys derived from other secrets, by OpenSSL and libargon2. Everything is checked before
// `out` is touched (Failure: LENGTH, OPTION, OVERLAP, NULL_POINTER). If something fails after that, `out` is
// zero.
#pragma once

#include <cstdint>
#include <span>

#include "warpaes/kdf.h"

namespace warpaes::core {

using InputBytes = std::span<const uint8_t>;

/// Two kinds of random bytes: secret ones, for which OpenSSL has a generator of its own, and those that
/// everybody may see.
void random_secret(std::span<uint8_t> out);
void random_public(std::span<uint8_t> out);

/// HKDF, RFC 5869.
void hkdf(warpaes_hash hash, InputBytes key, InputBytes salt, InputBytes info, std::span<uint8_t> out);
/// Only the second step of HKDF, RFC 5869 section 2.3, for a `prk` that is uniformly random already.
void hkdf_expand(warpaes_hash hash, InputBytes prk, InputBytes info, std::span<uint8_t> out);

/// PBKDF2 with HMAC, RFC 8018 section 5.2.
void pbkdf2(warpaes_hash hash, InputBytes passphrase, InputBytes salt, uint32_t iterations,
            std::span<uint8_t> out);

struct ScryptCosts {
  uint64_t n;
  uint32_t r, p;
};

/// scrypt, RFC 7914.
void scrypt(InputBytes passphrase, InputBytes salt, const ScryptCosts& costs, std::span<uint8_t> out);

struct Argon2idCosts {
  uint32_t iterations = 3, memory_kib = 65536, lanes = 4;  // RFC 9106 section 4, the second option
};

/// Argon2id, RFC 9106. Throws UNSUPPORTED where there is no libargon2.
void argon2id(InputBytes passphrase, InputBytes salt, InputBytes secret, InputBytes associated_data,
              const Argon2idCosts& costs, std::span<uint8_t> out);

}  // namespace warpaes::core
