/* WarpAES: CMAC, and batches of it and of the modes that do not authenticate. A part of warpaes.h. */
#ifndef WARPAES_CIPHER_BATCH_H
#define WARPAES_CIPHER_BATCH_H

#include "warpaes/operation.h"
#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** CMAC, SP 800-38B and RFC 4493, of one message: authenticates, hides nothing.
 *  @param bytes any length, 0 included
 *  @param tag written: the first tag_bytes = 8 to 16 bytes of the MAC (TAG_LENGTH; SP 800-38B A.2). Compare
 *         tags in constant time. */
WARPAES_API warpaes_status warpaes_cmac(const warpaes_key* key, const void* input, uint64_t bytes, void* tag,
                                        size_t tag_bytes);

/** Many messages in one call, of modes that do not authenticate, and of CMAC. Message m is at
 *  pointer + m * stride and has `bytes` bytes. Where an array is given, it says the same for each
 *  message, and pointer and stride are not looked at. All pointers, the arrays and what they point to lie in
 *  one memory space: host for the host forms, device for the device forms.
 *
 *  An entry of an array that cannot be right gives its message a status, and the message is left alone:
 *  LENGTH (over `bytes`, or not one of the mode's), NULL_POINTER, OVERLAP (outputs[m] overlaps inputs[m]
 *  without being equal). That messages do not overlap each other, and lie in the right memory, is for the
 *  caller to see to. */
typedef struct warpaes_cipher_batch_arguments {
  size_t size; /**< sizeof(warpaes_cipher_batch_arguments) */
  uint64_t messages;
  uint64_t bytes; /**< of each message; with `lengths`, the most that one may have */
  const void* input;
  uint64_t input_stride;  /**< >= bytes */
  void* output;           /**< not for CMAC */
  uint64_t output_stride; /**< >= what `bytes` bytes become: PKCS#7 encrypting bytes / 16 * 16 + 16 */
  const void* ivs;        /**< 16 bytes each: IVs, first counter blocks, XTS tweaks; not for ECB and CMAC */
  uint64_t iv_stride;
  void* tags;                   /**< CMAC only */
  uint64_t tag_stride;          /**< >= tag_bytes */
  size_t tag_bytes;             /**< 8 to 16 */
  int32_t* statuses;            /**< one warpaes_status a message; may be null unless there are arrays, PKCS#7
                                     is decrypted, or each data unit of XTS has its keys */
  const uint64_t* lengths;      /**< null: `bytes` */
  const void* const* inputs;    /**< null: input + m * input_stride */
  void* const* outputs;         /**< null: output + m * output_stride */
  const warpaes_key* tweak_key; /**< XTS only, not with a key each: as for warpaes_xts_encrypt */
  uint64_t* output_lengths;     /**< PKCS#7 only: written, each message's bytes of output, 0 if it failed;
                                     encrypting, it may be null */
  unsigned reserved[8];         /**< must be 0 */
} warpaes_cipher_batch_arguments;

/** In place is allowed, message by message.
 *  @param mode one of
 *         ECB, CBC   lengths are multiples of 16. Nobody may be able to predict CBC's IVs
 *         ECB_PKCS7, CBC_PKCS7
 *                    any length, and 1 to 16 bytes more are written; decrypting a multiple of 16, not 0, and
 *                    as many are written, zeros behind the message. A message whose padding is wrong has the
 *                    status PADDING, and its output is zeroed: see block_modes.h about padding oracles
 *         CBC_CS1, CBC_CS2, CBC_CS3
 *                    16 bytes or more
 *         CFB, CFB8, CFB1, OFB
 *                    any length; an IV is never used twice under a key
 *         CTR        any length; no counter block is ever used twice under a key, and those of a message are
 *                    the first and what follows it, bytes / 16 of them, rounded up
 *         XTS        a message is a data unit, 16 bytes to 2^24 long. Data units of one size that follow each
 *                    other are one call of warpaes_xts_encrypt, which is faster
 *         CMAC       any length; writes tags
 *  @param direction matters for ECB, CBC, CFB, all their forms, and XTS; CMAC: WARPAES_ENCRYPT
 *  @return the first status that is not OK, if one is; the other messages are right. OPTION for a mode or
 *          direction that batches do not have; UNSUPPORTED in a context that was forced to a GPU engine
 *          without batches. */
WARPAES_API warpaes_status warpaes_cipher_batch(const warpaes_key* key, warpaes_mode mode,
                                                warpaes_direction direction,
                                                const warpaes_cipher_batch_arguments* batch);

/** The same with a key for each message: key m, of key_bytes = 16, 24 or 32 bytes, is at
 *  keys + m * key_stride, in host memory. XTS: key_bytes = 32, 48 or 64, of which the first half is the data
 *  unit's key and the second its tweak's, as IEEE 1619 and OpenSSL concatenate them; a message whose halves
 *  are equal has the status XTS_KEYS and is left alone. */
WARPAES_API warpaes_status warpaes_cipher_batch_key_each(warpaes_context* context, const void* keys,
                                                         size_t key_bytes, uint64_t key_stride,
                                                         warpaes_mode mode, warpaes_direction direction,
                                                         const warpaes_cipher_batch_arguments* batch);

/** All modes of warpaes_cipher_batch. Statuses and output_lengths are written when the stream comes to this
 *  call, and only they tell what became of each message. Fast for 10,000 messages and more: each is one
 *  lane's work, some 20 MB/s; CFB8 takes a block of AES for each byte, CFB1 for each bit. Put the longest
 *  first if they are of different lengths. 16-byte aligned messages are fast. One long message of ECB, CTR,
 *  or of CBC or CFB that is decrypted, is faster by the calls of cipher_modes.h, and so are XTS' data units
 *  of one size that follow each other. A replay of a graph repeats IVs. */
WARPAES_API warpaes_status warpaes_cipher_batch_device(const warpaes_key* key, warpaes_mode mode,
                                                       warpaes_direction direction,
                                                       const warpaes_cipher_batch_arguments* batch,
                                                       warpaes_stream stream);

/** @param keys device memory, read when the stream comes to this call. They are expanded on the GPU, round by
 *         round, and never leave its multiprocessors. */
WARPAES_API warpaes_status warpaes_cipher_batch_key_each_device(
    warpaes_context* context, const void* keys, size_t key_bytes, uint64_t key_stride, warpaes_mode mode,
    warpaes_direction direction, const warpaes_cipher_batch_arguments* batch, warpaes_stream stream);

#ifdef __cplusplus
}
#endif
#endif
