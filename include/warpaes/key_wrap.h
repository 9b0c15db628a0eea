/* WarpAES: keys wrapped by keys. A part of warpaes.h.
 *
 * SP 800-38F. Needs no nonce, and what comes out is authentic; equal inputs have equal outputs, so it is for
 * keys and other random data. Six blocks of AES for every 8 bytes, one after the other, on one CPU thread
 * (UNSUPPORTED in a context without a CPU engine). All memory is host memory; `input == output` is allowed,
 * any other overlap is refused.
 */
#ifndef WARPAES_KEY_WRAP_H
#define WARPAES_KEY_WRAP_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** KW, SP 800-38F 6.2 and RFC 3394.
 *  @param bytes a multiple of 8, 16 or more (LENGTH)
 *  @param output bytes + 8 bytes */
WARPAES_API warpaes_status warpaes_kw_wrap(const warpaes_key* key, const void* input, void* output,
                                           uint64_t bytes);

/** @param bytes a multiple of 8, 24 or more (LENGTH)
 *  @param output bytes - 8 bytes
 *  @return AUTHENTICATION: another key, or damaged; `output` is then all zero */
WARPAES_API warpaes_status warpaes_kw_unwrap(const warpaes_key* key, const void* input, void* output,
                                             uint64_t bytes);

/** KWP, SP 800-38F 6.3 and RFC 5649: any number of bytes.
 *  @param bytes 1 to 2^32 - 1 (LENGTH)
 *  @param output the next multiple of 8, and 8 more: (bytes + 7) / 8 * 8 + 8 bytes */
WARPAES_API warpaes_status warpaes_kwp_wrap(const warpaes_key* key, const void* input, void* output,
                                            uint64_t bytes);

/** @param bytes a multiple of 8, 16 or more (LENGTH)
 *  @param output bytes - 8 bytes; those behind the message become zero
 *  @param message_bytes 0 on failure
 *  @return AUTHENTICATION: another key, or damaged; `output` is then all zero */
WARPAES_API warpaes_status warpaes_kwp_unwrap(const warpaes_key* key, const void* input, void* output,
                                              uint64_t bytes, uint64_t* message_bytes);

#ifdef __cplusplus
}
#endif
#endif
