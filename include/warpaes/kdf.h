/* WarpAES: random bytes, and keys derived from other secrets. A part of warpaes.h. All memory is host memory.
 */
#ifndef WARPAES_KDF_H
#define WARPAES_KDF_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of OpenSSL's random generator, fit for keys and nonces.
 *  @return OK, or NULL_POINTER, or LENGTH for more bytes than there are addresses, or INTERNAL if the
 * generator fails, and then `output` is all zero */
WARPAES_API warpaes_status warpaes_random(void* output, size_t length);

/** How a key is derived. */
typedef uint32_t warpaes_kdf_algorithm;
WARPAES_ENUM(uint32_t){
    WARPAES_KDF_HKDF = 1, /**< RFC 5869: for secrets that nobody can guess, not for passphrases */
    WARPAES_KDF_PBKDF2 =
        2, /**< RFC 8018 5.2, SP 800-132, with HMAC. GPUs try passphrases fast: prefer the next ones */
    WARPAES_KDF_SCRYPT = 3,   /**< RFC 7914 */
    WARPAES_KDF_ARGON2ID = 4, /**< RFC 9106, version 1.3, by libargon2, which is loaded at the first call */
};

/** The hash inside HKDF and PBKDF2. */
typedef uint32_t warpaes_hash;
WARPAES_ENUM(uint32_t){
    WARPAES_HASH_SHA1 = 1, /**< PBKDF2 only, for what was made with it */
    WARPAES_HASH_SHA256 = 256,
    WARPAES_HASH_SHA384 = 384,
    WARPAES_HASH_SHA512 = 512,
};

/** How a key is derived. Set it to zero, then what the algorithm needs; other members must be zero (OPTION).
 */
typedef struct warpaes_kdf {
  size_t size;                     /**< sizeof(warpaes_kdf) */
  warpaes_kdf_algorithm algorithm; /**< one of WARPAES_KDF_… */
  warpaes_hash hash;               /**< HKDF and PBKDF2; 0: SHA-256 */
  const void* secret;              /**< the key or passphrase; HKDF: 1 byte or more */
  size_t secret_length;            /**< bytes */
  const void* salt; /**< need not be secret; argon2id: 8 bytes or more (LENGTH). 16 random ones are advised */
  size_t salt_length; /**< bytes */
  const void* info;   /**< HKDF: what the result is for, at most 1024 bytes; another info gives an independent
                         key. argon2id: associated data */
  size_t info_length; /**< bytes */
  const void* pepper; /**< argon2id: a second secret, kept apart from the passphrases */
  size_t pepper_length; /**< bytes */
  uint32_t iterations; /**< PBKDF2: 1 to 2^31 - 1, 600,000 or more are advised with SHA-256. argon2id: passes;
                          0: 3 */
  uint32_t memory_kib; /**< argon2id: at least 8 a lane, at most 2^24 (16 GiB); 0: 65,536 (64 MiB), which is
                          with the other defaults RFC 9106's second recommended option */
  uint64_t cost; /**< scrypt's N: a power of 2, over 1 and below 2^(16 r). It takes 128 * r * (N + p) bytes of
                      memory, at most 16 GiB. There is no default; N = 2^17, r = 8, p = 1 take 128 MiB */
  uint32_t block_size; /**< scrypt's r, 1 or more */
  uint32_t lanes; /**< scrypt's p, with r * p < 2^24; argon2id: 1 to 2^21 (each has 8 KiB or more), 0: 4. One
                     thread works on all of them */
} warpaes_kdf;

/** Derives `length` bytes. What is computed on the way is wiped.
 *  @param output must not overlap what is read (OVERLAP). Untouched when arguments are refused, zero when the
 * machine fails
 *  @param length HKDF: 1 to 255 times the hash's length; argon2id: 4 to 2^30; else 1 to 2^30 (LENGTH)
 *  @return OK, or OPTION for costs out of range; LENGTH also for a secret, salt or info of more than 2^31 - 1
 * bytes; UNSUPPORTED if the machine has no libargon2; HOST_MEMORY; INTERNAL if OpenSSL fails for
 * another reason than memory */
WARPAES_API warpaes_status warpaes_derive_key(const warpaes_kdf* kdf, void* output, size_t length);

#ifdef __cplusplus
}
#endif
#endif
