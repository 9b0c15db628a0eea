/* WarpAES: a message that comes in parts ("streaming", "multi-part"). A part of warpaes.h.
 *
 *   warpaes_operation_create, then warpaes_operation_update for each part, of any length, then
 *   warpaes_operation_finish, and in any case warpaes_operation_destroy.
 *
 * The parts give what one call with the whole message gives, however it is cut. All memory is host memory;
 * long parts are shared between threads, or go to the GPU, as whole messages do. An operation is for one
 * thread at a time; its cipher must outlive it.
 *
 * A call that fails ends the operation: it wipes what it has held, sets to zero what that call may have
 * written, and every later call but destroy returns STATE. So does every call after finish.
 *
 * Modes with a tag (GCM, EAX, OCB3) encrypt in parts, and do not decrypt: that would hand out plaintext
 * before anybody knows whether it is genuine. Decrypt such messages whole, or cut them into chunks with a tag
 * each. CCM, GCM-SIV and SIV have to see all of a message first. */
#ifndef WARPAES_OPERATION_H
#define WARPAES_OPERATION_H

#include "warpaes/cipher.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @param message nonce, additional data, tag_length and data_unit of the message, which are copied or read
 * now; its input, output and tag must be null. XTS needs a data_unit. Encryption that chains needs a CPU
 * engine.
 *  @return MODE or OPTION for what cannot be done in parts, and as warpaes_encrypt; *operation is null then
 */
WARPAES_API warpaes_status warpaes_operation_create(const warpaes_cipher* cipher, warpaes_direction direction,
                                                    const warpaes_message* message,
                                                    warpaes_operation** operation);

/** What warpaes_operation_update would write for `length` more bytes, exactly: at most length + 15, in XTS
 * length + data_unit - 1. CMAC, GMAC: 0. */
WARPAES_API warpaes_status warpaes_operation_update_size(const warpaes_operation* operation, uint64_t length,
                                                         uint64_t* size);

/** The next `length` bytes of the message.
 *  @param output may be equal to input; apart from that, what is written must not overlap the input. CMAC,
 * GMAC: null
 *  @param capacity warpaes_operation_update_size() at least (BUFFER_SIZE)
 *  @param output_length written: 0 on failure */
WARPAES_API warpaes_status warpaes_operation_update(warpaes_operation* operation, const void* input,
                                                    uint64_t length, void* output, uint64_t capacity,
                                                    uint64_t* output_length);

/** The most that warpaes_operation_finish would write. PKCS#7: 16. CBC_CS1 to 3: 32. XTS: data_unit - 1.
 * Modes with tags: tag_length; OCB3: 15 more. Others: 0. */
WARPAES_API warpaes_status warpaes_operation_finish_size(const warpaes_operation* operation, uint64_t* size);

/** The end of the message: writes what was held back and, behind it, the tag. CMAC and GMAC with DECRYPT are
 * not done in parts.
 *  @param capacity warpaes_operation_finish_size() at least (BUFFER_SIZE)
 *  @param output_length written: 0 on failure
 *  @return LENGTH if the mode has no message of this length; PADDING: see WARPAES_MODE_CBC_PKCS7 */
WARPAES_API warpaes_status warpaes_operation_finish(warpaes_operation* operation, void* output,
                                                    uint64_t capacity, uint64_t* output_length);

/** CTR: the next part begins with byte number `offset` of the message, counted from 0, forwards or backwards.
 *  @return MODE in other modes */
WARPAES_API warpaes_status warpaes_operation_seek(warpaes_operation* operation, uint64_t offset);

/** Wipes and frees; null is allowed. */
WARPAES_API void warpaes_operation_destroy(warpaes_operation* operation);

#ifdef __cplusplus
}
#endif
#endif
