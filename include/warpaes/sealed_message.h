/* WarpAES: sealed messages, whose nonces are made here. A part of warpaes.h.
 *
 * A sealed message is nonce, ciphertext and tag, one behind the other: all that is needed to open it but the
 * key and the additional data. The nonce is random, and as long as aead.h recommends for the mode: 12 bytes,
 * EAX 16. The tag has 16 bytes. `warpaes raw` writes and reads the same.
 */
#ifndef WARPAES_SEALED_MESSAGE_H
#define WARPAES_SEALED_MESSAGE_H

#include "warpaes/aead.h"
#include "warpaes/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes that sealing a message of `bytes` bytes writes.
 *  @return OPTION for an unknown mode, LENGTH if no message of the mode is as long */
WARPAES_API warpaes_status warpaes_aead_sealed_bytes(warpaes_aead mode, uint64_t bytes,
                                                     uint64_t* sealed_bytes);

/** Each call takes one of the 2^32 random nonces that a key may have (SP 800-38D section 8.3), unless
 *  its arguments are refused. The count is the handle's: whoever makes several handles for one key, or uses a
 * key again after the process ended, adds what was counted elsewhere with warpaes_key_add_random_nonces.
 *  @param input may lie where the ciphertext will: behind the nonce. Any other overlap is refused (OVERLAP).
 *  @param sealed room for `sealed_size` bytes, warpaes_aead_sealed_bytes() at least (BUFFER_SIZE)
 *  @return STATE after 2^32 messages: nothing is written, make a new key. Else as
 *          warpaes_aead_encrypt. */
WARPAES_API warpaes_status warpaes_aead_seal(const warpaes_key* key, warpaes_aead mode, const void* aad,
                                             uint64_t aad_bytes, const void* input, uint64_t bytes,
                                             void* sealed, uint64_t sealed_size);

/** @param output room for sealed_bytes less nonce and tag; may lie where the ciphertext is
 *  @param bytes written: length of the message, 0 on failure
 *  @return LENGTH if nonce and tag are not all there; AUTHENTICATION: `output` is then all zero */
WARPAES_API warpaes_status warpaes_aead_open(const warpaes_key* key, warpaes_aead mode, const void* aad,
                                             uint64_t aad_bytes, const void* sealed, uint64_t sealed_bytes,
                                             void* output, uint64_t output_size, uint64_t* bytes);

/** Messages that had random nonces under this handle. */
WARPAES_API warpaes_status warpaes_key_random_nonces(const warpaes_key* key, uint64_t* messages);

/** Adds messages that were sealed under the same key elsewhere: the limit is the key's, not the handle's.
 *  More than 2^32 are 2^32. */
WARPAES_API warpaes_status warpaes_key_add_random_nonces(warpaes_key* key, uint64_t messages);

#ifdef __cplusplus
}
#endif
#endif
