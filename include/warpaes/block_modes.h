/* WarpAES: the rarer forms of CBC, CFB and CTR. A part of warpaes.h.
 *
 * All memory is host memory; the calls are synchronous. `input == output` is allowed, any other overlap is
 * refused. None of these modes authenticates anything. Encryption, and CFB-1 and CFB-8 altogether, need a
 * context with a CPU engine (UNSUPPORTED).
 */
#ifndef WARPAES_BLOCK_MODES_H
#define WARPAES_BLOCK_MODES_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** CBC with PKCS#7 padding (RFC 5652 section 6.3): 1 to 16 bytes more. IVs as for warpaes_cbc_encrypt.
 *  @param bytes of the message, any number
 *  @param output room for the next multiple of 16: bytes / 16 * 16 + 16 */
WARPAES_API warpaes_status warpaes_cbc_pkcs7_encrypt(const warpaes_key* key, const uint8_t iv[16],
                                                     const void* input, void* output, uint64_t bytes);

/** Padding is looked at in constant time, and whatever is wrong with it has one status. Yet whoever can make
 *  you decrypt what they like, and learns whether it was PADDING or OK, even from what you do next, can
 *  decrypt everything with that ("padding oracle"): check a MAC over IV and ciphertext first.
 *  @param bytes of ciphertext: a multiple of 16, not 0 (LENGTH)
 *  @param output room for `bytes` bytes; those behind the message become zero
 *  @param message_bytes 0 on failure
 *  @return PADDING; `output` is then all zero */
WARPAES_API warpaes_status warpaes_cbc_pkcs7_decrypt(const warpaes_key* key, const uint8_t iv[16],
                                                     const void* input, void* output, uint64_t bytes,
                                                     uint64_t* message_bytes);

/** Where ciphertext stealing puts the block that was cut. */
typedef enum warpaes_stealing {
  WARPAES_CS1 = 1, /**< before the last block: whole blocks are CBC's */
  WARPAES_CS2 = 2, /**< as CS3 if it is short, as CS1 if it is whole */
  WARPAES_CS3 = 3  /**< behind the last block, always: Kerberos (RFC 3962), and "CTS" elsewhere */
} warpaes_stealing;

/** CBC with ciphertext stealing, addendum to SP 800-38A: as long as the message.
 *  @param bytes 16 or more (LENGTH) */
WARPAES_API warpaes_status warpaes_cbc_cts_encrypt(const warpaes_key* key, warpaes_stealing variant,
                                                   const uint8_t iv[16], const void* input, void* output,
                                                   uint64_t bytes);
WARPAES_API warpaes_status warpaes_cbc_cts_decrypt(const warpaes_key* key, warpaes_stealing variant,
                                                   const uint8_t iv[16], const void* input, void* output,
                                                   uint64_t bytes);

/** CFB with segments of 8 bits, SP 800-38A 6.3: a block of AES for each byte. Decryption uses all threads.
 *  @param iv 16 bytes, never the same twice under one key */
WARPAES_API warpaes_status warpaes_cfb8_encrypt(const warpaes_key* key, const uint8_t iv[16],
                                                const void* input, void* output, uint64_t bytes);
WARPAES_API warpaes_status warpaes_cfb8_decrypt(const warpaes_key* key, const uint8_t iv[16],
                                                const void* input, void* output, uint64_t bytes);

/** CFB with segments of 1 bit: a block of AES for each bit.
 *  @param bits of the message, any number; the highest of a byte is the first. Those that are left over in
 *         the last byte are not read, and become 0 in the output. */
WARPAES_API warpaes_status warpaes_cfb1_encrypt(const warpaes_key* key, const uint8_t iv[16],
                                                const void* input, void* output, uint64_t bits);
WARPAES_API warpaes_status warpaes_cfb1_decrypt(const warpaes_key* key, const uint8_t iv[16],
                                                const void* input, void* output, uint64_t bits);

/** The first counter block of CTR as RFC 3686 section 4 makes it, for warpaes_ctr_crypt: nonce, IV and a
 *  count from 1. */
WARPAES_API warpaes_status warpaes_ctr_rfc3686_counter(const uint8_t nonce[4], const uint8_t iv[8],
                                                       uint8_t counter[16]);

#ifdef __cplusplus
}
#endif
#endif
