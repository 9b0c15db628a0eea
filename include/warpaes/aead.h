/* WarpAES: modes that encrypt and authenticate, all called alike. A part of warpaes.h. */
#ifndef WARPAES_AEAD_H
#define WARPAES_AEAD_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The modes; docs/modes.md compares them. All have keys of 128, 192 and 256 bits but GCM-SIV, which has no
 *  192. `tag_bytes` in brackets is what is recommended. */
typedef enum warpaes_aead {
  WARPAES_AEAD_GCM = 0,     /**< SP 800-38D. Nonce 1 byte or more [12], in batches 12; tag 12 to 16 [16];
                                 bytes at most 2^36 - 32 */
  WARPAES_AEAD_GCM_SIV = 1, /**< RFC 8452. Nonce 12; tag 16; bytes and aad_bytes at most 2^36. A nonce that
                                 comes twice tells whether the messages were equal, and no more */
  WARPAES_AEAD_CCM = 2,     /**< SP 800-38C. Nonce 7 to 13 [12]; tag 8, 10, 12, 14 or 16 [16]; bytes fewer
                                 than 2^(8 * (15 - nonce_bytes)): 16 MiB - 1 with 12 */
  WARPAES_AEAD_EAX = 3,     /**< Bellare, Rogaway and Wagner, "The EAX Mode of Operation", 2004. Nonce 1 byte
                                 or more [16]; tag 12 to 16 [16] */
  WARPAES_AEAD_OCB3 = 4,    /**< RFC 7253. Nonce 1 to 15 [12]; tag 8, 12 or 16 [16]; 2^48 blocks a key */
  WARPAES_AEAD_SIV = 5      /**< RFC 5297, in batches, with a key pair; for one message there is siv.h. Nonce
                                 of any length, or none [none: then equal messages with equal additional data
                                 give equal ciphertexts]; tag 16. S2V's strings are the additional data, even
                                 if it is empty, the nonce if there is one (section 3), and the message */
} warpaes_aead;

/** One message. A nonce may be used for one message only under a key: with GCM, twice breaks the key.
 *  @param nonce host memory
 *  @param tag written by encrypt, read by decrypt
 *  @return decrypt: AUTHENTICATION if the tag is wrong; `output` is then all zero. Both, with nothing
 *          written: NONCE_LENGTH, TAG_LENGTH, LENGTH, KEY_LENGTH for what the mode does not have; OPTION for
 *          an unknown mode, and for SIV; UNSUPPORTED in a context that was forced to a GPU engine without
 * this mode. */
WARPAES_API warpaes_status warpaes_aead_encrypt(const warpaes_key* key, warpaes_aead mode, const void* nonce,
                                                size_t nonce_bytes, const void* aad, uint64_t aad_bytes,
                                                const void* input, void* output, uint64_t bytes, void* tag,
                                                size_t tag_bytes);
WARPAES_API warpaes_status warpaes_aead_decrypt(const warpaes_key* key, warpaes_aead mode, const void* nonce,
                                                size_t nonce_bytes, const void* aad, uint64_t aad_bytes,
                                                const void* input, void* output, uint64_t bytes,
                                                const void* tag, size_t tag_bytes);

/** GMAC, SP 800-38D: GCM of no message, whose additional data is what is authenticated. A nonce may be used
 * once only, as GCM's. Compare tags in constant time, or have warpaes_aead_decrypt of 0 bytes do it; for
 * batches, and for device memory, take the AEAD calls with GCM and 0 bytes.
 *  @param tag written: tag_bytes = 12 to 16 */
WARPAES_API warpaes_status warpaes_gmac(const warpaes_key* key, const void* nonce, size_t nonce_bytes,
                                        const void* input, uint64_t bytes, void* tag, size_t tag_bytes);

/** Many messages in one call. Message m is at pointer + m * stride and has `bytes` bytes. Where an array
 *  is given, it says the same for each message, and pointer and stride are not looked at:
 *    lengths       of ragged messages, 0 to `bytes` each
 *    inputs        where messages are, of scattered ones; outputs, aads likewise
 *    aad_lengths   0 to `aad_bytes` each
 *  All pointers, the arrays and what they point to lie in one memory space: host for the host forms,
 *  device for the device forms. The device forms cannot look into arrays: that outputs[m] is inputs[m] or
 *  overlaps nothing, and that all are device memory, is for the caller to see to; a message whose length
 *  is over the most, or whose address is null, is left alone and gets the status LENGTH or NULL_POINTER. */
typedef struct warpaes_aead_batch_arguments {
  size_t size; /**< sizeof(warpaes_aead_batch_arguments) */
  uint64_t messages;
  uint64_t bytes; /**< of each message; with `lengths`, the most that one may have */
  const void* input;
  uint64_t input_stride; /**< >= bytes */
  void* output;
  uint64_t output_stride; /**< >= bytes */
  const void* nonces;     /**< nonce_bytes each */
  uint64_t nonce_stride;  /**< >= nonce_bytes */
  size_t nonce_bytes;     /**< 0: as recommended, 12, EAX 16, SIV none */
  const void* aad;
  uint64_t aad_bytes;          /**< of each message */
  uint64_t aad_stride;         /**< 0: the same for all messages */
  void* tags;                  /**< written when encrypting, read when decrypting */
  uint64_t tag_stride;         /**< >= tag_bytes */
  size_t tag_bytes;            /**< one of the mode's */
  int32_t* statuses;           /**< decrypting: one warpaes_status a message; encrypting: may be null, and is
                                    written for messages that are left alone only */
  const uint64_t* lengths;     /**< null: `bytes` */
  const void* const* inputs;   /**< null: input + m * input_stride */
  void* const* outputs;        /**< null: output + m * output_stride */
  const void* const* aads;     /**< null: aad + m * aad_stride */
  const uint64_t* aad_lengths; /**< null: `aad_bytes` */
  const warpaes_key* mac_key; /**< SIV under one key: the left half of RFC 5297's key, whose right half is the
                                   call's `key`: of its context (OPTION) and size (KEY_LENGTH). Else null */
  unsigned reserved[8];       /**< must be 0 */
} warpaes_aead_batch_arguments;

/** @return AUTHENTICATION if at least one message failed; its output is zero, the others are right. */
WARPAES_API warpaes_status warpaes_aead_batch(const warpaes_key* key, warpaes_aead mode,
                                              warpaes_direction direction,
                                              const warpaes_aead_batch_arguments* batch);

/** The same with a key for each message, as servers and databases have them: key m, of key_bytes = 16, 24 or
 *  32 bytes, is at keys + m * key_stride, in host memory. SIV's keys are RFC 5297's, both halves, of 32, 48
 * or 64 bytes. */
WARPAES_API warpaes_status warpaes_aead_batch_key_each(warpaes_context* context, const void* keys,
                                                       size_t key_bytes, uint64_t key_stride,
                                                       warpaes_aead mode, warpaes_direction direction,
                                                       const warpaes_aead_batch_arguments* batch);

/* Device forms, as cipher_modes.h says of its own. The GPU engines have the modes that docs/modes.md lists;
 * the others answer UNSUPPORTED: take the host forms for them. */

/** Bytes of device workspace (16-byte aligned) that a device call of `messages` x `bytes` needs.
 *  One workspace serves one call at a time; its contents do not matter before or after. */
WARPAES_API warpaes_status warpaes_aead_workspace_bytes(const warpaes_key* key, warpaes_aead mode,
                                                        uint64_t messages, uint64_t bytes,
                                                        size_t* workspace_bytes);

/** @param nonce host memory, read during the call
 *  @param aad,input,output,tag device memory */
WARPAES_API warpaes_status warpaes_aead_encrypt_device(const warpaes_key* key, warpaes_aead mode,
                                                       const void* nonce, size_t nonce_bytes, const void* aad,
                                                       uint64_t aad_bytes, const void* input, void* output,
                                                       uint64_t bytes, void* tag, size_t tag_bytes,
                                                       void* workspace, size_t workspace_bytes,
                                                       warpaes_stream stream);
/** @param status one int32_t of device memory: WARPAES_OK, or WARPAES_ERROR_AUTHENTICATION with
 *         `output` set to zero, once the stream has come past this call. In place, a wrong tag
 *         therefore destroys the ciphertext. */
WARPAES_API warpaes_status warpaes_aead_decrypt_device(const warpaes_key* key, warpaes_aead mode,
                                                       const void* nonce, size_t nonce_bytes, const void* aad,
                                                       uint64_t aad_bytes, const void* input, void* output,
                                                       uint64_t bytes, const void* tag, size_t tag_bytes,
                                                       int32_t* status, void* workspace,
                                                       size_t workspace_bytes, warpaes_stream stream);
WARPAES_API warpaes_status warpaes_aead_batch_device(const warpaes_key* key, warpaes_aead mode,
                                                     warpaes_direction direction,
                                                     const warpaes_aead_batch_arguments* batch,
                                                     void* workspace, size_t workspace_bytes,
                                                     warpaes_stream stream);

/** @param keys device memory, read when the stream comes to this call. They are expanded on the GPU
 *         and never leave its multiprocessors.
 *  A message is one warp's work at most, of CCM and EAX one lane's: a very long one takes long. Needs no
 *  workspace. */
WARPAES_API warpaes_status warpaes_aead_batch_key_each_device(warpaes_context* context, const void* keys,
                                                              size_t key_bytes, uint64_t key_stride,
                                                              warpaes_aead mode, warpaes_direction direction,
                                                              const warpaes_aead_batch_arguments* batch,
                                                              warpaes_stream stream);

#ifdef __cplusplus
}
#endif
#endif
