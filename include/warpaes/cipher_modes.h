/* WarpAES: the modes of SP 800-38A, which authenticate nothing. A part of warpaes.h. */
#ifndef WARPAES_CIPHER_MODES_H
#define WARPAES_CIPHER_MODES_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** ECB, SP 800-38A 6.1. Leaks equal blocks: for building other modes, not for data.
 *  @param bytes a multiple of 16 */
WARPAES_API warpaes_status warpaes_ecb_encrypt(const warpaes_key* key, const void* input, void* output,
                                               uint64_t bytes);
WARPAES_API warpaes_status warpaes_ecb_decrypt(const warpaes_key* key, const void* input, void* output,
                                               uint64_t bytes);

/** CTR, SP 800-38A 6.5, with a 128-bit big-endian counter that wraps as OpenSSL's does. Encryption
 *  and decryption are the same. No authentication; the same counter twice under one key reveals data.
 *  @param counter the first counter block, 16 bytes
 *  @param bytes any length */
WARPAES_API warpaes_status warpaes_ctr_crypt(const warpaes_key* key, const uint8_t counter[16],
                                             const void* input, void* output, uint64_t bytes);

/** CBC without padding, SP 800-38A 6.2. No authentication: whoever pads and reports wrong padding makes a
 *  padding oracle. Encryption chains from block to block and runs on one CPU thread (UNSUPPORTED in a
 *  context that was forced to a GPU engine); decryption is parallel.
 *  @param iv 16 bytes that nobody can predict (SP 800-38A appendix C)
 *  @param bytes a multiple of 16 */
WARPAES_API warpaes_status warpaes_cbc_encrypt(const warpaes_key* key, const uint8_t iv[16],
                                               const void* input, void* output, uint64_t bytes);
WARPAES_API warpaes_status warpaes_cbc_decrypt(const warpaes_key* key, const uint8_t iv[16],
                                               const void* input, void* output, uint64_t bytes);

/** CFB with segments of 128 bits, SP 800-38A 6.3 (OpenSSL's "cfb"). No authentication. Encryption runs on
 *  one CPU thread, as CBC's does.
 *  @param iv 16 bytes, never the same twice under one key
 *  @param bytes any length */
WARPAES_API warpaes_status warpaes_cfb_encrypt(const warpaes_key* key, const uint8_t iv[16],
                                               const void* input, void* output, uint64_t bytes);
WARPAES_API warpaes_status warpaes_cfb_decrypt(const warpaes_key* key, const uint8_t iv[16],
                                               const void* input, void* output, uint64_t bytes);

/** OFB, SP 800-38A 6.4; encryption and decryption are the same, and both run on one CPU thread, as CBC's
 *  encryption does. No authentication.
 *  @param iv 16 bytes, never the same twice under one key
 *  @param bytes any length */
WARPAES_API warpaes_status warpaes_ofb_crypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                             void* output, uint64_t bytes);

/** As the host forms, on device memory of the context's device, asynchronous on `stream`. The
 *  context must have a GPU engine (UNSUPPORTED if not). Any alignment works; 16-byte aligned input
 *  and output are fast. Can be captured in a CUDA graph; a replay repeats counter and nonce. */
WARPAES_API warpaes_status warpaes_ecb_encrypt_device(const warpaes_key* key, const void* input, void* output,
                                                      uint64_t bytes, warpaes_stream stream);
WARPAES_API warpaes_status warpaes_ecb_decrypt_device(const warpaes_key* key, const void* input, void* output,
                                                      uint64_t bytes, warpaes_stream stream);
/** @param counter host memory, read during the call */
WARPAES_API warpaes_status warpaes_ctr_crypt_device(const warpaes_key* key, const uint8_t counter[16],
                                                    const void* input, void* output, uint64_t bytes,
                                                    warpaes_stream stream);

/** Bytes of device workspace (16-byte aligned) that warpaes_cbc_decrypt_device and
 *  warpaes_cfb_decrypt_device need for `bytes` bytes in place: ciphertext is kept there that would
 *  otherwise be overwritten before it was needed. One workspace serves one call at a time; its contents do
 *  not matter before or after. */
WARPAES_API warpaes_status warpaes_chained_decrypt_workspace_bytes(const warpaes_key* key, uint64_t bytes,
                                                                   size_t* workspace_bytes);

/** @param iv host memory, read during the call
 *  @param workspace device memory; may be null unless input == output */
WARPAES_API warpaes_status warpaes_cbc_decrypt_device(const warpaes_key* key, const uint8_t iv[16],
                                                      const void* input, void* output, uint64_t bytes,
                                                      void* workspace, size_t workspace_bytes,
                                                      warpaes_stream stream);
WARPAES_API warpaes_status warpaes_cfb_decrypt_device(const warpaes_key* key, const uint8_t iv[16],
                                                      const void* input, void* output, uint64_t bytes,
                                                      void* workspace, size_t workspace_bytes,
                                                      warpaes_stream stream);

#ifdef __cplusplus
}
#endif
#endif
