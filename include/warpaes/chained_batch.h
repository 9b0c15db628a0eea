/* WarpAES: CMAC, and batches of the modes whose blocks wait for each other. A part of warpaes.h. */
#ifndef WARPAES_CHAINED_BATCH_H
#define WARPAES_CHAINED_BATCH_H

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

/** Many messages in one call, for modes in which each block waits for the one before: one after the other
 *  they would leave a GPU idle. Message m is at pointer + m * stride and has `bytes` bytes. Where an array is
 *  given, it says the same for each message, and pointer and stride are not looked at. All pointers, the
 *  arrays and what they point to lie in one memory space: host for the host forms, device for the device
 *  forms.
 *
 *  An entry of an array that cannot be right gives its message a status, and the message is left alone:
 *  LENGTH (over `bytes`, or no multiple of 16 for CBC), NULL_POINTER, OVERLAP (outputs[m] overlaps inputs[m]
 *  without being equal). That messages do not overlap each other, and lie in the right memory, is for the
 *  caller to see to. */
typedef struct warpaes_chained_batch_arguments {
  size_t size; /**< sizeof(warpaes_chained_batch_arguments) */
  uint64_t messages;
  uint64_t bytes; /**< of each message; with `lengths`, the most that one may have */
  const void* input;
  uint64_t input_stride; /**< >= bytes */
  void* output;          /**< not for CMAC */
  uint64_t output_stride;
  const void* ivs; /**< 16 bytes each; not for CMAC */
  uint64_t iv_stride;
  void* tags;                /**< CMAC only */
  uint64_t tag_stride;       /**< >= tag_bytes */
  size_t tag_bytes;          /**< 8 to 16 */
  int32_t* statuses;         /**< one warpaes_status a message; may be null unless there are arrays */
  const uint64_t* lengths;   /**< null: `bytes` */
  const void* const* inputs; /**< null: input + m * input_stride */
  void* const* outputs;      /**< null: output + m * output_stride */
  unsigned reserved[8];      /**< must be 0 */
} warpaes_chained_batch_arguments;

/** IVs and lengths as for one message: CBC needs multiples of 16 and IVs that nobody can predict, CFB and
 *  OFB an IV that is never used twice under a key. In place is allowed, message by message.
 *  @return the first status that is not OK, if one is; the other messages are right. */
WARPAES_API warpaes_status warpaes_cbc_encrypt_batch(const warpaes_key* key,
                                                     const warpaes_chained_batch_arguments* batch);
WARPAES_API warpaes_status warpaes_cfb_encrypt_batch(const warpaes_key* key,
                                                     const warpaes_chained_batch_arguments* batch);
WARPAES_API warpaes_status warpaes_ofb_crypt_batch(const warpaes_key* key,
                                                   const warpaes_chained_batch_arguments* batch);
WARPAES_API warpaes_status warpaes_cmac_batch(const warpaes_key* key,
                                              const warpaes_chained_batch_arguments* batch);

/** Fast for 10,000 messages and more: each is one lane's work, some 20 MB/s. Put the longest first if they
 *  are of different lengths. 16-byte aligned messages are fast. A replay of a graph repeats IVs. */
WARPAES_API warpaes_status warpaes_cbc_encrypt_batch_device(const warpaes_key* key,
                                                            const warpaes_chained_batch_arguments* batch,
                                                            warpaes_stream stream);
WARPAES_API warpaes_status warpaes_cfb_encrypt_batch_device(const warpaes_key* key,
                                                            const warpaes_chained_batch_arguments* batch,
                                                            warpaes_stream stream);
WARPAES_API warpaes_status warpaes_ofb_crypt_batch_device(const warpaes_key* key,
                                                          const warpaes_chained_batch_arguments* batch,
                                                          warpaes_stream stream);
WARPAES_API warpaes_status warpaes_cmac_batch_device(const warpaes_key* key,
                                                     const warpaes_chained_batch_arguments* batch,
                                                     warpaes_stream stream);

#ifdef __cplusplus
}
#endif
#endif
