/* WarpAES: random bytes and keys made of other secrets. A part of warpaes.h.
 *
 * All memory is host memory; a pointer may be null when its length is 0. `out` must not overlap the inputs
 * (OVERLAP). It is untouched when arguments are refused, and zero when the machine fails. What is derived
 * on the way is wiped.
 */
#ifndef WARPAES_KDF_H
#define WARPAES_KDF_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of OpenSSL's random generator, fit for keys and nonces.
 *  @return INTERNAL if the generator fails; `out` is then zero */
WARPAES_API warpaes_status warpaes_random(void* out, size_t bytes);

typedef enum warpaes_hash {
  WARPAES_SHA1 = 1, /**< PBKDF2 only, for what was made with it */
  WARPAES_SHA256 = 256,
  WARPAES_SHA384 = 384,
  WARPAES_SHA512 = 512
} warpaes_hash;

/** HKDF, RFC 5869: extract and expand. For secrets that nobody can guess, not for passphrases.
 *  @param key 1 byte or more of secret
 *  @param salt need not be secret; empty is as good as a hash's length of zeros
 *  @param info what the result is for, at most 1024 bytes: another info gives an independent key
 *  @param out_bytes 1 to 255 times the hash's length (LENGTH) */
WARPAES_API warpaes_status warpaes_hkdf(warpaes_hash hash, const void* key, size_t key_bytes,
                                        const void* salt, size_t salt_bytes, const void* info,
                                        size_t info_bytes, void* out, size_t out_bytes);

/** PBKDF2 with HMAC, RFC 8018 section 5.2, SP 800-132. A GPU tries passphrases fast: prefer argon2id.
 *  @param salt random, 16 bytes or more are advised
 *  @param iterations 1 to 2^31 - 1 (OPTION); 600,000 or more are advised with SHA-256
 *  @param out_bytes 1 to 2^30 (LENGTH) */
WARPAES_API warpaes_status warpaes_pbkdf2(warpaes_hash hash, const void* passphrase, size_t passphrase_bytes,
                                          const void* salt, size_t salt_bytes, uint32_t iterations, void* out,
                                          size_t out_bytes);

/** scrypt, RFC 7914. Takes 128 * r * (n + p) bytes of memory, at most 16 GiB (OPTION).
 *  @param n cost: a power of 2, over 1 and below 2^(16 r)
 *  @param r,p block size and parallelism, at least 1, with r * p < 2^30
 *  @param out_bytes 1 to 2^30 (LENGTH)
 *  @return OPTION for other costs, HOST_MEMORY if there is too little */
WARPAES_API warpaes_status warpaes_scrypt(const void* passphrase, size_t passphrase_bytes, const void* salt,
                                          size_t salt_bytes, uint64_t n, uint32_t r, uint32_t p, void* out,
                                          size_t out_bytes);

/** What argon2id costs. Set `size` to sizeof(warpaes_argon2id_options) and the rest to 0. */
typedef struct warpaes_argon2id_options {
  size_t size;
  uint32_t iterations; /**< 0: 3 */
  uint32_t memory_kib; /**< at least 8 a lane, at most 2^24 (16 GiB); 0: 65,536 (64 MiB) */
  uint32_t lanes;      /**< 1 to 2^24 - 1, each a thread; 0: 4 */
  unsigned reserved0;  /**< must be 0 */
  const void* secret;  /**< a key besides the passphrase ("pepper"); null: none */
  size_t secret_bytes;
  const void* associated_data;
  size_t associated_data_bytes;
  unsigned reserved[8]; /**< must be 0 */
} warpaes_argon2id_options;

/** Argon2id version 1.3, RFC 9106, by libargon2, which is loaded at the first call.
 *  @param salt 8 bytes or more (LENGTH); 16 random ones are advised
 *  @param options null: RFC 9106's second recommended option (section 4), which takes 64 MiB
 *  @param out_bytes 4 to 2^30 (LENGTH)
 *  @return UNSUPPORTED if the machine has no libargon2.so.1; OPTION for other costs; HOST_MEMORY */
WARPAES_API warpaes_status warpaes_argon2id(const void* passphrase, size_t passphrase_bytes, const void* salt,
                                            size_t salt_bytes, const warpaes_argon2id_options* options,
                                            void* out, size_t out_bytes);

#ifdef __cplusplus
}
#endif
#endif
