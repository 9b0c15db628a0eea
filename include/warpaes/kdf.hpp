// Random bytes and derived keys for C++20: kdf.h, which says what each function is for. A part of
// warpaes.hpp.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/kdf.hpp needs C++20 (-std=c++20). The C interface is warpaes/warpaes.h."
#else

#include "warpaes/kdf.h"
#include "warpaes/memory.hpp"

namespace warpaes {
inline namespace v0 {

/// The hash inside HKDF and PBKDF2.
enum class Hash : warpaes_hash {
  sha1 = WARPAES_HASH_SHA1,
  sha256 = WARPAES_HASH_SHA256,
  sha384 = WARPAES_HASH_SHA384,
  sha512 = WARPAES_HASH_SHA512,
};

/// Fills `output` with random bytes, fit for keys and nonces.
inline void random(Output output) {
  detail::require(warpaes_random(output.data(), static_cast<size_t>(output.size())));
}

namespace detail {

inline warpaes_kdf kdf(warpaes_kdf_algorithm algorithm, Input secret, Input salt) {
  warpaes_kdf plain = {};
  plain.size = sizeof plain;
  plain.algorithm = algorithm;
  plain.secret = secret.data();
  plain.secret_length = static_cast<size_t>(secret.size());
  plain.salt = salt.data();
  plain.salt_length = static_cast<size_t>(salt.size());
  return plain;
}

inline void derive(const warpaes_kdf& kdf, Output key) {
  require(warpaes_derive_key(&kdf, key.data(), static_cast<size_t>(key.size())));
}

}  // namespace detail

/// What HKDF takes besides its secret.
struct HkdfOptions {
  Input salt = {};           ///< need not be secret
  Input info = {};           ///< what the key is for: another info gives an independent key
  Hash hash = Hash::sha256;  ///< of HMAC
};
/// Derives `key` from a secret that nobody can guess.
inline void hkdf(Input secret, const HkdfOptions& options, Output key) {
  warpaes_kdf plain = detail::kdf(WARPAES_KDF_HKDF, secret, options.salt);
  plain.info = options.info.data();
  plain.info_length = static_cast<size_t>(options.info.size());
  plain.hash = static_cast<warpaes_hash>(options.hash);
  detail::derive(plain, key);
}

/// How much work PBKDF2 is.
struct Pbkdf2Options {
  uint32_t iterations = 600'000;  ///< as many as are advised with SHA-256
  Hash hash = Hash::sha256;       ///< of HMAC
};
/// Derives `key` from a passphrase, where a standard asks for PBKDF2.
inline void pbkdf2(Input passphrase, Input salt, const Pbkdf2Options& options, Output key) {
  warpaes_kdf plain = detail::kdf(WARPAES_KDF_PBKDF2, passphrase, salt);
  plain.iterations = options.iterations;
  plain.hash = static_cast<warpaes_hash>(options.hash);
  detail::derive(plain, key);
}

/// By default 128 MiB of memory.
struct ScryptOptions {
  uint64_t cost = uint64_t{1} << 17;  ///< N, a power of 2
  uint32_t block_size = 8;            ///< r
  uint32_t lanes = 1;                 ///< p
};
/// Derives `key` from a passphrase.
inline void scrypt(Input passphrase, Input salt, const ScryptOptions& options, Output key) {
  warpaes_kdf plain = detail::kdf(WARPAES_KDF_SCRYPT, passphrase, salt);
  plain.cost = options.cost;
  plain.block_size = options.block_size;
  plain.lanes = options.lanes;
  detail::derive(plain, key);
}

/// By default RFC 9106's second recommended option, with 64 MiB of memory.
struct Argon2idOptions {
  uint32_t iterations = 3;       ///< passes over the memory
  uint32_t memory_kib = 65'536;  ///< units of 1024 bytes
  uint32_t lanes = 4;            ///< which may be computed at the same time
  Input pepper = {};             ///< a second secret, kept apart from the passphrases
  Input associated_data = {};    ///< what the key is for
};
/// Derives `key` from a passphrase.
inline void argon2id(Input passphrase, Input salt, const Argon2idOptions& options, Output key) {
  warpaes_kdf plain = detail::kdf(WARPAES_KDF_ARGON2ID, passphrase, salt);
  plain.iterations = options.iterations;
  plain.memory_kib = options.memory_kib;
  plain.lanes = options.lanes;
  plain.pepper = options.pepper.data();
  plain.pepper_length = static_cast<size_t>(options.pepper.size());
  plain.info = options.associated_data.data();
  plain.info_length = static_cast<size_t>(options.associated_data.size());
  detail::derive(plain, key);
}

}  // namespace v0
}  // namespace warpaes

#endif
