/* WarpAES: keys wrapped by keys. A part of warpaes.h.
 *
 * SP 800-38F. Needs no nonce, and what comes out is authentic; equal inputs have equal outputs, so it is for
 * keys and other random data. Six blocks of AES for every 8 bytes, one after the other: one key on one CPU
 * thread (UNSUPPORTED in a context without a CPU engine), batches on all threads or on the GPU. Memory is
 * host memory but for the calls that are named _device; `input == output` is allowed, any other overlap is
 * refused.
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

typedef enum warpaes_wrapping {
  WARPAES_KW = 1, /**< multiples of 8 bytes, 16 or more */
  WARPAES_KWP = 2 /**< 1 byte or more */
} warpaes_wrapping;

/** Many keys wrapped, or unwrapped, in one call. Message m is at pointer + m * stride and has `bytes` bytes.
 *  Where an array is given, it says the same for each message, and pointer and stride are not looked at. All
 *  pointers, the arrays and what they point to lie in one memory space: host for the host forms, device for
 *  the device forms. In place is allowed, message by message.
 *
 *  A message's status is AUTHENTICATION if it was wrapped by another key, or damaged: its output is then
 *  zeroed. An entry of an array that cannot be right gives its message a status, and the message is left
 *  alone: LENGTH (over `bytes`, or not one of the mode's), NULL_POINTER, OVERLAP. That messages do not
 * overlap each other, and lie in the right memory, is for the caller to see to. */
typedef struct warpaes_key_wrap_batch_arguments {
  size_t size; /**< sizeof(warpaes_key_wrap_batch_arguments) */
  uint64_t messages;
  uint64_t bytes; /**< of each message of the input; with `lengths`, the most that one may have */
  const void* input;
  uint64_t input_stride; /**< >= bytes */
  void* output;
  uint64_t output_stride;  /**< >= what `bytes` bytes become, see the calls for one message */
  int32_t* statuses;       /**< one warpaes_status a message; wrapping, may be null unless there are arrays */
  const uint64_t* lengths; /**< null: `bytes` */
  const void* const* inputs; /**< null: input + m * input_stride */
  void* const* outputs;      /**< null: output + m * output_stride */
  uint64_t* output_lengths;  /**< written, each message's bytes of output (unwrapped, without what padded it),
                                  0 if it failed; may be null, but not where KWP is unwrapped */
  unsigned reserved[8];      /**< must be 0 */
} warpaes_key_wrap_batch_arguments;

/** @param key the key-encryption key of all messages
 *  @param direction WARPAES_ENCRYPT wraps, WARPAES_DECRYPT unwraps
 *  @return the first status that is not OK, if one is; the other messages are right. UNSUPPORTED in a
 *          context that was forced to a GPU engine without it. */
WARPAES_API warpaes_status warpaes_key_wrap_batch(const warpaes_key* key, warpaes_wrapping mode,
                                                  warpaes_direction direction,
                                                  const warpaes_key_wrap_batch_arguments* batch);

/** The same with a key-encryption key for each message: key m, of key_bytes = 16, 24 or 32 bytes, is at
 *  keys + m * key_stride, in host memory. */
WARPAES_API warpaes_status warpaes_key_wrap_batch_key_each(warpaes_context* context, const void* keys,
                                                           size_t key_bytes, uint64_t key_stride,
                                                           warpaes_wrapping mode, warpaes_direction direction,
                                                           const warpaes_key_wrap_batch_arguments* batch);

/** A lane wraps a message: fast for 10,000 messages and more, and for those of up to 64 bytes, which it keeps
 *  in its registers. */
WARPAES_API warpaes_status warpaes_key_wrap_batch_device(const warpaes_key* key, warpaes_wrapping mode,
                                                         warpaes_direction direction,
                                                         const warpaes_key_wrap_batch_arguments* batch,
                                                         warpaes_stream stream);

/** @param keys device memory, read when the stream comes to this call */
WARPAES_API warpaes_status warpaes_key_wrap_batch_key_each_device(
    warpaes_context* context, const void* keys, size_t key_bytes, uint64_t key_stride, warpaes_wrapping mode,
    warpaes_direction direction, const warpaes_key_wrap_batch_arguments* batch, warpaes_stream stream);

#ifdef __cplusplus
}
#endif
#endif
