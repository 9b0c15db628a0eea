/* WarpAES: messages that come in parts. A part of warpaes.h.
 *
 *   warpaes_operation_create, then warpaes_operation_update for each part, of any number of bytes, then
 *   warpaes_operation_finish, and in any case warpaes_operation_destroy.
 *
 * The parts give what one call with the whole message gives, however it is cut. All memory is host memory;
 * long parts are shared between threads, or go to the GPU, as the calls for whole messages do. An operation
 * is for one thread at a time; its keys must outlive it.
 *
 * A call that fails ends the operation: it wipes what it has held, sets to zero what that call may have
 * written, and every later call but destroy returns STATE. So does every call after finish.
 *
 * Modes with a tag (GCM, EAX, OCB3) can be encrypted in parts, and not decrypted: that would hand out
 * plaintext before anybody knows whether it is genuine. Decrypt such messages whole (warpaes_aead_decrypt),
 * or cut them into chunks with a tag each. CCM, GCM-SIV and SIV have to see all of a message first.
 */
#ifndef WARPAES_OPERATION_H
#define WARPAES_OPERATION_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct warpaes_operation warpaes_operation;

/** The message's length, and what the IV is. */
typedef enum warpaes_mode {
  WARPAES_MODE_NONE = 0,      /**< of a structure that was not filled in; refused (OPTION) */
  WARPAES_MODE_ECB = 1,       /**< a multiple of 16 bytes; no IV */
  WARPAES_MODE_CBC = 2,       /**< a multiple of 16 bytes */
  WARPAES_MODE_CBC_PKCS7 = 3, /**< any length; ciphertext of the next multiple of 16. See block_modes.h
                                   about padding oracles */
  WARPAES_MODE_CBC_CS1 = 4,   /**< ciphertext stealing: 16 bytes or more */
  WARPAES_MODE_CBC_CS2 = 5,
  WARPAES_MODE_CBC_CS3 = 6,
  WARPAES_MODE_CFB = 7,   /**< segments of 128 bits */
  WARPAES_MODE_CFB8 = 8,  /**< segments of 8 bits */
  WARPAES_MODE_CFB1 = 9,  /**< segments of 1 bit; the message is whole bytes, as in OpenSSL's "cfb1" */
  WARPAES_MODE_OFB = 10,  /**< any length */
  WARPAES_MODE_CTR = 11,  /**< any length; the IV is the first counter block */
  WARPAES_MODE_XTS = 12,  /**< whole data units, the last of which may be shorter, of 16 bytes at least; the
                               IV is the first one's tweak */
  WARPAES_MODE_CMAC = 13, /**< any length; finish writes the tag */
  WARPAES_MODE_ECB_PKCS7 = 14, /**< as CBC_PKCS7, without an IV: for what `openssl enc -aes-256-ecb` made */
  WARPAES_MODE_GCM = 15,  /**< encryption: at most 2^36 - 32 bytes; the IV is the nonce, of 1 byte or more;
                               finish writes the tag */
  WARPAES_MODE_GMAC = 16, /**< any length; the IV is the nonce; finish writes the tag */
  WARPAES_MODE_EAX = 17,  /**< encryption: any length, the nonce 1 byte or more; finish writes the tag */
  WARPAES_MODE_OCB3 = 18  /**< encryption: at most 2^52 bytes, the nonce 1 to 15; finish writes what makes no
                               whole block, and behind it the tag */
} warpaes_mode;

/** Set `size` to sizeof(warpaes_operation_options), and to 0 what a mode has no use for. */
typedef struct warpaes_operation_options {
  size_t size;
  warpaes_mode mode;
  warpaes_direction direction;  /**< CFB, OFB, CTR: matters for CFB only; modes with tags: WARPAES_ENCRYPT */
  const void* iv;               /**< copied */
  size_t iv_bytes;              /**< 16; ECB and CMAC: 0; a nonce as the mode says (NONCE_LENGTH) */
  const warpaes_key* tweak_key; /**< XTS: as for warpaes_xts_encrypt */
  uint64_t data_unit_bytes;     /**< XTS: 16 to 2^24 */
  size_t tag_bytes;             /**< CMAC: 8 to 16; GCM, GMAC, EAX: 12 to 16; OCB3: 8, 12 or 16 */
  const void* aad;              /**< GCM, EAX, OCB3: additional data, read by create */
  uint64_t aad_bytes;
  unsigned reserved[8]; /**< must be 0 */
} warpaes_operation_options;

/** Encryption that chains (CBC, CFB), OFB, CFB-1, CFB-8 and modes with tags need a context with a CPU engine.
 *  @return OPTION for a mode or direction that there is not, or a field that the mode has no use for;
 *          NONCE_LENGTH, TAG_LENGTH, XTS_KEYS, LENGTH (data units, aad_bytes); *operation is then null */
WARPAES_API warpaes_status warpaes_operation_create(const warpaes_key* key,
                                                    const warpaes_operation_options* options,
                                                    warpaes_operation** operation);

/** What warpaes_operation_update would write for `bytes` more bytes, exactly: at most bytes + 15; XTS: at
 *  most bytes + data_unit_bytes - 1; CFB, OFB, CTR, GCM, EAX: `bytes`; CMAC, GMAC: 0. */
WARPAES_API warpaes_status warpaes_operation_update_bytes(const warpaes_operation* operation, uint64_t bytes,
                                                          uint64_t* output_bytes);

/** The next `bytes` bytes of the message.
 *  @param output may be equal to input; else the bytes that are written must not overlap the input
 *         (OVERLAP). CMAC and GMAC: null
 *  @param output_size room at output, warpaes_operation_update_bytes() at least (BUFFER_SIZE)
 *  @param output_bytes how many bytes have been written; 0 on failure */
WARPAES_API warpaes_status warpaes_operation_update(warpaes_operation* operation, const void* input,
                                                    uint64_t bytes, void* output, uint64_t output_size,
                                                    uint64_t* output_bytes);

/** The most that warpaes_operation_finish would write. CBC_PKCS7, ECB_PKCS7: 16. CBC_CS1 to 3: 32 at most.
 * XTS: data_unit_bytes - 1 at most. Modes with tags: tag_bytes; OCB3: 15 more. Others: 0. */
WARPAES_API warpaes_status warpaes_operation_finish_bytes(const warpaes_operation* operation,
                                                          uint64_t* output_bytes);

/** The end of the message.
 *  @param output_size warpaes_operation_finish_bytes() at least (BUFFER_SIZE)
 *  @param output_bytes how many bytes have been written; 0 on failure
 *  @return LENGTH if the mode forbids a message of this length; PADDING: see block_modes.h */
WARPAES_API warpaes_status warpaes_operation_finish(warpaes_operation* operation, void* output,
                                                    uint64_t output_size, uint64_t* output_bytes);

/** CTR: the next part begins with this byte of the message, forwards or backwards.
 *  @return UNSUPPORTED in other modes */
WARPAES_API warpaes_status warpaes_operation_seek(warpaes_operation* operation, uint64_t offset);

/** Wipes and frees; null is allowed. */
WARPAES_API void warpaes_operation_destroy(warpaes_operation* operation);

#ifdef __cplusplus
}
#endif
#endif
