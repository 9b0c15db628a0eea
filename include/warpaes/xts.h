/* WarpAES: XTS, for storage. A part of warpaes.h. */
#ifndef WARPAES_XTS_H
#define WARPAES_XTS_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** XTS, IEEE 1619 and SP 800-38E: for storage, whose sectors ("data units") must not grow. No
 *  authentication. A call works on one data unit or on many that follow each other.
 *  @param key,tweak_key IEEE 1619's Key1 and Key2: of one context and size, and not equal (XTS_KEYS)
 *  @param tweak of the first data unit: its number, little-endian, as dm-crypt's plain64 has it. Each
 *         following unit has a number that is 1 higher (of 128 bits, which wrap).
 *  @param data_unit_bytes of each data unit: 16 to 2^24. Lengths that are no multiple of 16 are encrypted
 *         with ciphertext stealing.
 *  @param bytes of all; if no multiple of data_unit_bytes, the last unit is shorter, of 16 bytes at least */
WARPAES_API warpaes_status warpaes_xts_encrypt(const warpaes_key* key, const warpaes_key* tweak_key,
                                               const uint8_t tweak[16], uint64_t data_unit_bytes,
                                               const void* input, void* output, uint64_t bytes);
WARPAES_API warpaes_status warpaes_xts_decrypt(const warpaes_key* key, const warpaes_key* tweak_key,
                                               const uint8_t tweak[16], uint64_t data_unit_bytes,
                                               const void* input, void* output, uint64_t bytes);

/** As the host forms, on device memory, as cipher_modes.h says of its device forms.
 *  @param tweak host memory, read during the call
 *  Data units of a multiple of 16 bytes are fast. */
WARPAES_API warpaes_status warpaes_xts_encrypt_device(const warpaes_key* key, const warpaes_key* tweak_key,
                                                      const uint8_t tweak[16], uint64_t data_unit_bytes,
                                                      const void* input, void* output, uint64_t bytes,
                                                      warpaes_stream stream);
WARPAES_API warpaes_status warpaes_xts_decrypt_device(const warpaes_key* key, const warpaes_key* tweak_key,
                                                      const uint8_t tweak[16], uint64_t data_unit_bytes,
                                                      const void* input, void* output, uint64_t bytes,
                                                      warpaes_stream stream);

#ifdef __cplusplus
}
#endif
#endif
