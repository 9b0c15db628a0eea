/* WarpAES: a message that comes in parts ("streaming", "multi-part"). A part of warpaes.h.
 *
 *   warpaes_operation_create, then warpaes_operation_update for each part, of any length, then
 *   warpaes_operation_finish, and in any case warpaes_operation_destroy.
 *
 * The parts give what one call with the whole message gives, however it is cut. All memory is host memory.
 * Long parts are shared between threads, or go to the GPU, as whole messages do, but that the CPU alone
 * computes GCM, GMAC, OCB3, CFB8, CFB1, CMAC and the tag of EAX in parts. An operation is for one thread at a
 * time; its cipher must outlive it.
 *
 * An update, finish, verify or seek that fails ends the operation: it wipes what it has held, sets to zero
 * what that call may have written, and every later call but destroy returns STATE. So does every call after
 * finish. Only a null pointer for output_length or tag (NULL_POINTER) and an output_length in memory that the
 * call works on (OVERLAP; nothing is written) are refused before the operation knows of the call.
 *
 * Modes with a tag (GCM, EAX, OCB3) encrypt in parts. Decrypting in parts hands out plaintext before anybody
 * knows whether it is genuine, so WARPAES_DIRECTION_DECRYPT is refused: decrypt such messages whole, or cut
 * them into chunks with a tag each. WARPAES_DIRECTION_DECRYPT_UNVERIFIED is for those who can take back what
 * they wrote: until warpaes_operation_verify has returned OK, all of it may be an attacker's, and must not be
 * used, shown or passed on. Write it where nobody else looks, such as a file without a name, and throw it
 * away if the tag is wrong. CCM, GCM-SIV and SIV have to see all of a message first. */
#ifndef WARPAES_OPERATION_H
#define WARPAES_OPERATION_H

#include "warpaes/cipher.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Begins a message.
 *  @param direction WARPAES_DIRECTION_DECRYPT_UNVERIFIED only in GCM, EAX and OCB3 (OPTION)
 *  @param message the nonce, additional data, tag_length and data_unit of the message, which are copied or
 * read during this call; its input, output and tag must be null. XTS needs a data_unit. What the CPU
 * alone computes, and encryption that chains from block to block, needs a context with a CPU engine
 *  @return OK, or MODE or OPTION for what cannot be done in parts, or as warpaes_encrypt. On failure
 * *operation is null */
WARPAES_API warpaes_status warpaes_operation_create(const warpaes_cipher* cipher, warpaes_direction direction,
                                                    const warpaes_message* message,
                                                    warpaes_operation** operation);

/** Tells how much room the next call needs: in an update, at the end, or both (NULL_POINTER if neither is
 * asked for).
 *  @param length of the next part
 *  @param update null, or written: exactly how many bytes warpaes_operation_update would write for the next
 * part: at most length + 15, in XTS length + data_unit - 1, and 0 in CMAC and GMAC
 *  @param finish null, or written: how many bytes warpaes_operation_finish or warpaes_operation_verify would
 * write now, at most. It is to be asked behind the last part, as what is held back changes with every part.
 * It is never more than 16 in the PKCS#7 modes, 32 in CBC_CS1 to CBC_CS3, data_unit - 1 in XTS, tag_length
 * in modes with tags and 15 more in OCB3, and 0 in all others. Unverified operations have no tag there
 *  @return OK, or STATE if the operation is over, or LENGTH for more bytes than there are addresses; whether
 * the mode has a message so long, warpaes_operation_update tells */
WARPAES_API warpaes_status warpaes_operation_size(const warpaes_operation* operation, uint64_t length,
                                                  uint64_t* update, uint64_t* finish);

/** Takes the next `length` bytes of the message and writes what can be encrypted or decrypted so far.
 *  @param output may be equal to input; apart from that, what is written must not overlap the input. CMAC
 * and GMAC write nothing there: it may be null
 *  @param capacity at least what warpaes_operation_size() tells (BUFFER_SIZE)
 *  @param output_length written: the number of bytes at `output`, 0 on failure
 *  @return OK, or NULL_POINTER, BUFFER_SIZE or OVERLAP for wrong arguments, LENGTH if the mode has no message
 * this long, or STATE if the operation is over */
WARPAES_API warpaes_status warpaes_operation_update(warpaes_operation* operation, const void* input,
                                                    uint64_t length, void* output, uint64_t capacity,
                                                    uint64_t* output_length);

/** Ends the message: writes what was held back and, behind it, the tag. Tags of CMAC and GMAC are made in
 * parts and not checked in parts.
 *  @param capacity at least what warpaes_operation_size() tells (BUFFER_SIZE)
 *  @param output_length written: the number of bytes at `output`, 0 on failure
 *  @return OK, or LENGTH if the mode has no message of this length, or PADDING if the padding is wrong (see
 * WARPAES_MODE_CBC_PKCS7 for who may learn of it), or OPTION for an unverified operation */
WARPAES_API warpaes_status warpaes_operation_finish(warpaes_operation* operation, void* output,
                                                    uint64_t capacity, uint64_t* output_length);

/** Ends an unverified operation in place of warpaes_operation_finish: compares the tag in constant time, and
 * writes what was held back of the plaintext if it is right.
 *  @param tag_length that of the message that the operation was created with; 16 if that was 0 (TAG_LENGTH)
 *  @param capacity at least what warpaes_operation_size() tells (BUFFER_SIZE)
 *  @param output_length written: the number of bytes at `output`, 0 on failure
 *  @return OK: all that the operation wrote is genuine. AUTHENTICATION: none of it may be used. OPTION for
 * operations of other directions */
WARPAES_API warpaes_status warpaes_operation_verify(warpaes_operation* operation, const void* tag,
                                                    size_t tag_length, void* output, uint64_t capacity,
                                                    uint64_t* output_length);

/** Makes a second operation of CMAC that has taken the same parts. Each goes on by itself, as if it had been
 * given all of its message: messages that begin alike need not begin twice. The cipher must outlive both.
 *  @param copy written: the second operation, null on failure
 *  @return OK, or MODE in other modes, as two messages would have one nonce, or STATE for an operation that
 * is over. The operation itself stays as it is in any case */
WARPAES_API warpaes_status warpaes_operation_copy(const warpaes_operation* operation,
                                                  warpaes_operation** copy);

/** Jumps forwards or backwards in a message of CTR: the next part begins with byte number `offset` of the
 * message, counted from 0.
 *  @return OK, or MODE in other modes */
WARPAES_API warpaes_status warpaes_operation_seek(warpaes_operation* operation, uint64_t offset);

/** Wipes and frees; null is allowed. */
WARPAES_API void warpaes_operation_destroy(warpaes_operation* operation);

#ifdef __cplusplus
}
#endif
#endif
