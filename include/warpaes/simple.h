/* WarpAES: one-line calls for whole messages in host memory, in the modes that are asked for most. All of
 * them are warpaes_encrypt and warpaes_decrypt with a warpaes_message filled in, and return what those
 * return (see cipher.h). They are for C99 and C++.
 *
 * A cipher belongs to one mode: create it for the mode that the function is named after. With another one
 * they return WARPAES_ERROR_MODE, and warpaes_last_error() does not tell about it. Nonces have 12 bytes, IVs
 * and tags 16. The caller provides the memory for the output; each function says how large it has to be. */
#ifndef WARPAES_SIMPLE_H
#define WARPAES_SIMPLE_H

#include <string.h>

#include "warpaes/cipher.h"

/** A message with an input, and zero in all other members. */
static inline warpaes_message warpaes_simple_input(const void* input, uint64_t length) {
  warpaes_message message;
  memset(&message, 0, sizeof message);
  message.size = sizeof message;
  message.input = input;
  message.length = length;
  return message;
}

/** The same with an output. */
static inline warpaes_message warpaes_simple_message(const void* input, uint64_t length, void* output,
                                                     uint64_t capacity) {
  warpaes_message message = warpaes_simple_input(input, length);
  message.output = output;
  message.output_capacity = capacity;
  return message;
}

/** The same with a nonce or an IV. */
static inline warpaes_message warpaes_simple_message_with_nonce(const void* nonce, size_t nonce_length,
                                                                const void* input, uint64_t length,
                                                                void* output, uint64_t capacity) {
  warpaes_message message = warpaes_simple_message(input, length, output, capacity);
  message.nonce = nonce;
  message.nonce_length = nonce_length;
  return message;
}

/** Gives a message to decrypt its tag, as a copy: warpaes_message.tag is not const, as encryption writes it.
 */
static inline void warpaes_simple_give_tag(warpaes_message* message, uint8_t copy[16], const uint8_t* tag) {
  if (tag) message->tag = memcpy(copy, tag, 16);
  message->tag_length = 16;
}

/** warpaes_encrypt or warpaes_decrypt, unless the cipher is of another mode. */
static inline warpaes_status warpaes_simple_run(const warpaes_cipher* cipher, warpaes_mode mode,
                                                warpaes_direction direction, const warpaes_message* message) {
  warpaes_cipher_info info;
  warpaes_status status;
  memset(&info, 0, sizeof info);
  info.size = sizeof info;
  status = warpaes_cipher_get(cipher, &info);
  if (status != WARPAES_OK) return status;
  if (info.mode != mode) return WARPAES_ERROR_MODE;
  return direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt(cipher, message)
                                                : warpaes_decrypt(cipher, message);
}

/* WARPAES_MODE_GCM. */

/** @param nonce must never be used twice with one key
 *  @param output `length` bytes
 *  @param tag written */
static inline warpaes_status warpaes_gcm_encrypt(const warpaes_cipher* cipher, const uint8_t nonce[12],
                                                 const void* aad, uint64_t aad_length, const void* input,
                                                 uint64_t length, void* output, uint8_t tag[16]) {
  warpaes_message message = warpaes_simple_message_with_nonce(nonce, 12, input, length, output, length);
  message.aad = aad;
  message.aad_length = aad_length;
  message.tag = tag;
  message.tag_length = 16;
  return warpaes_simple_run(cipher, WARPAES_MODE_GCM, WARPAES_DIRECTION_ENCRYPT, &message);
}

/** @return AUTHENTICATION if the message is not genuine: the output is all zero then */
static inline warpaes_status warpaes_gcm_decrypt(const warpaes_cipher* cipher, const uint8_t nonce[12],
                                                 const void* aad, uint64_t aad_length, const void* input,
                                                 uint64_t length, void* output, const uint8_t tag[16]) {
  uint8_t read[16];
  warpaes_message message = warpaes_simple_message_with_nonce(nonce, 12, input, length, output, length);
  message.aad = aad;
  message.aad_length = aad_length;
  warpaes_simple_give_tag(&message, read, tag);
  return warpaes_simple_run(cipher, WARPAES_MODE_GCM, WARPAES_DIRECTION_DECRYPT, &message);
}

/* WARPAES_MODE_CTR: encryption and decryption are the same. */

/** The first counter block of RFC 3686 (CTR in IPsec): nonce, IV, and the block counter 1. */
static inline void warpaes_ctr_rfc3686_counter(const uint8_t nonce[4], const uint8_t iv[8],
                                               uint8_t counter[16]) {
  memcpy(counter, nonce, 4);
  memcpy(counter + 4, iv, 8);
  memset(counter + 12, 0, 3);
  counter[15] = 1;
}

/** @param counter the first counter block; none may be used twice with one key
 *  @param output `length` bytes */
static inline warpaes_status warpaes_ctr_crypt(const warpaes_cipher* cipher, const uint8_t counter[16],
                                               const void* input, uint64_t length, void* output) {
  const warpaes_message message =
      warpaes_simple_message_with_nonce(counter, 16, input, length, output, length);
  return warpaes_simple_run(cipher, WARPAES_MODE_CTR, WARPAES_DIRECTION_ENCRYPT, &message);
}

/* WARPAES_MODE_CBC: whole blocks. */

/** @param iv 16 fresh random bytes @param output `length` bytes, a multiple of 16 */
static inline warpaes_status warpaes_cbc_encrypt(const warpaes_cipher* cipher, const uint8_t iv[16],
                                                 const void* input, uint64_t length, void* output) {
  const warpaes_message message = warpaes_simple_message_with_nonce(iv, 16, input, length, output, length);
  return warpaes_simple_run(cipher, WARPAES_MODE_CBC, WARPAES_DIRECTION_ENCRYPT, &message);
}

/** As warpaes_cbc_encrypt. A damaged message is not noticed. */
static inline warpaes_status warpaes_cbc_decrypt(const warpaes_cipher* cipher, const uint8_t iv[16],
                                                 const void* input, uint64_t length, void* output) {
  const warpaes_message message = warpaes_simple_message_with_nonce(iv, 16, input, length, output, length);
  return warpaes_simple_run(cipher, WARPAES_MODE_CBC, WARPAES_DIRECTION_DECRYPT, &message);
}

/* WARPAES_MODE_CBC_PKCS7. IVs as above. Read what mode.h says about padding oracles first. */

/** @param output the next multiple of 16 bytes: `length` and 1 to 16 more */
static inline warpaes_status warpaes_cbc_pkcs7_encrypt(const warpaes_cipher* cipher, const uint8_t iv[16],
                                                       const void* input, uint64_t length, void* output) {
  const uint64_t padded = length - length % 16 + 16;
  const warpaes_message message = warpaes_simple_message_with_nonce(iv, 16, input, length, output, padded);
  return warpaes_simple_run(cipher, WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_ENCRYPT, &message);
}

/** @param output `length` bytes
 *  @param output_length written: the message's own length
 *  @return PADDING: the output is all zero then */
static inline warpaes_status warpaes_cbc_pkcs7_decrypt(const warpaes_cipher* cipher, const uint8_t iv[16],
                                                       const void* input, uint64_t length, void* output,
                                                       uint64_t* output_length) {
  warpaes_message message = warpaes_simple_message_with_nonce(iv, 16, input, length, output, length);
  message.output_length = output_length;
  return warpaes_simple_run(cipher, WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_DECRYPT, &message);
}

/* WARPAES_MODE_XTS: data units that follow each other, such as the sectors of a disk. */

/** The tweak of a data unit: its number, little-endian. */
static inline void warpaes_xts_tweak(uint64_t unit, uint8_t tweak[16]) {
  int i;
  memset(tweak, 0, 16);
  for (i = 0; i < 8; i++) tweak[i] = (unit >> (8 * i)) & 0xff;
}

/** @param first_unit the number of the first data unit
 *  @param unit_length 512 or 4096, say
 *  @param output `length` bytes */
static inline warpaes_status warpaes_xts_encrypt(const warpaes_cipher* cipher, uint64_t first_unit,
                                                 uint64_t unit_length, const void* input, uint64_t length,
                                                 void* output) {
  uint8_t tweak[16];
  warpaes_message message;
  warpaes_xts_tweak(first_unit, tweak);
  message = warpaes_simple_message_with_nonce(tweak, 16, input, length, output, length);
  message.data_unit = unit_length;
  return warpaes_simple_run(cipher, WARPAES_MODE_XTS, WARPAES_DIRECTION_ENCRYPT, &message);
}

/** As warpaes_xts_encrypt. A damaged message is not noticed. */
static inline warpaes_status warpaes_xts_decrypt(const warpaes_cipher* cipher, uint64_t first_unit,
                                                 uint64_t unit_length, const void* input, uint64_t length,
                                                 void* output) {
  uint8_t tweak[16];
  warpaes_message message;
  warpaes_xts_tweak(first_unit, tweak);
  message = warpaes_simple_message_with_nonce(tweak, 16, input, length, output, length);
  message.data_unit = unit_length;
  return warpaes_simple_run(cipher, WARPAES_MODE_XTS, WARPAES_DIRECTION_DECRYPT, &message);
}

/* WARPAES_MODE_CMAC. */

/** @param tag written: all 16 bytes */
static inline warpaes_status warpaes_cmac(const warpaes_cipher* cipher, const void* input, uint64_t length,
                                          uint8_t tag[16]) {
  warpaes_message message = warpaes_simple_input(input, length);
  message.tag = tag;
  message.tag_length = 16;
  return warpaes_simple_run(cipher, WARPAES_MODE_CMAC, WARPAES_DIRECTION_ENCRYPT, &message);
}

/** Compares the tags in constant time.
 *  @return AUTHENTICATION if the message has another tag */
static inline warpaes_status warpaes_cmac_verify(const warpaes_cipher* cipher, const void* input,
                                                 uint64_t length, const uint8_t tag[16]) {
  uint8_t read[16];
  warpaes_message message = warpaes_simple_input(input, length);
  warpaes_simple_give_tag(&message, read, tag);
  return warpaes_simple_run(cipher, WARPAES_MODE_CMAC, WARPAES_DIRECTION_DECRYPT, &message);
}

/* WARPAES_MODE_KW: RFC 3394. */

/** @param length a multiple of 8, 16 or more
 *  @param wrapped length + 8 bytes */
static inline warpaes_status warpaes_kw_wrap(const warpaes_cipher* cipher, const void* key, uint64_t length,
                                             void* wrapped) {
  const warpaes_message message = warpaes_simple_message(key, length, wrapped, length + 8);
  return warpaes_simple_run(cipher, WARPAES_MODE_KW, WARPAES_DIRECTION_ENCRYPT, &message);
}

/** @param length the length of the wrapped key
 *  @param key length - 8 bytes
 *  @return AUTHENTICATION if it was not wrapped by this key: the output is all zero then */
static inline warpaes_status warpaes_kw_unwrap(const warpaes_cipher* cipher, const void* wrapped,
                                               uint64_t length, void* key) {
  const warpaes_message message = warpaes_simple_message(wrapped, length, key, length < 8 ? 0 : length - 8);
  return warpaes_simple_run(cipher, WARPAES_MODE_KW, WARPAES_DIRECTION_DECRYPT, &message);
}

#endif
