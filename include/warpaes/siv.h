/* WarpAES: SIV, which survives nonces that come twice, or none. A part of warpaes.h. */
#ifndef WARPAES_SIV_H
#define WARPAES_SIV_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** AES-SIV-CMAC-256, -384 and -512, RFC 5297: deterministic, so that equal messages with equal associated
 * data give equal ciphertexts, and nothing worse happens. For nonce-based use, give a nonce as the last piece
 * of associated data (section 3). The RFC's output is the tag, then the ciphertext.
 *
 *  Runs on a CPU engine (UNSUPPORTED in a context that was forced to a GPU engine), as the MAC chains from
 *  block to block; the key stream is shared between threads or goes to the GPU, as CTR's does.
 *  @param mac_key,key the left and the right half of the RFC's key: of one context (OPTION) and one size
 *         (KEY_LENGTH)
 *  @param aads,aad_lengths the pieces of associated data, each of any length, and their number: at most 126
 *         (LENGTH). Where one piece ends and the next begins is authenticated too.
 *  @param bytes any length
 *  @param tag 16 bytes (RFC 5297's V, the synthetic initialisation vector); written by encrypt,
 *         read by decrypt
 *  @return decrypt: AUTHENTICATION if the tag is wrong; `output` is then all zero. */
WARPAES_API warpaes_status warpaes_siv_encrypt(const warpaes_key* mac_key, const warpaes_key* key,
                                               const void* const* aads, const uint64_t* aad_lengths,
                                               size_t aad_count, const void* input, void* output,
                                               uint64_t bytes, uint8_t tag[16]);
WARPAES_API warpaes_status warpaes_siv_decrypt(const warpaes_key* mac_key, const warpaes_key* key,
                                               const void* const* aads, const uint64_t* aad_lengths,
                                               size_t aad_count, const void* input, void* output,
                                               uint64_t bytes, const uint8_t tag[16]);

#ifdef __cplusplus
}
#endif
#endif
