/* WarpAES: the modes of operation, the one list that every call, the tools and the documentation use.
 * docs/modes.md compares them. A part of warpaes.h. */
#ifndef WARPAES_MODE_H
#define WARPAES_MODE_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The modes of operation. A key belongs to one of them. "IV" stands for whatever a mode needs besides the
 * key: nonce, initialisation vector, first counter block or tweak. Lengths are in bytes, and those in square
 * brackets are recommended. */
typedef uint32_t warpaes_mode;
WARPAES_ENUM(uint32_t){
    WARPAES_MODE_INVALID = 0, /**< of a structure that was not filled in; refused everywhere */

    /* Encrypt and authenticate. */
    WARPAES_MODE_GCM = 1, /**< SP 800-38D. Nonce 1 or more [12]; tag 12 to 16 [16]; message at most
                               2^36 - 32. A nonce that is used twice breaks the key */
    WARPAES_MODE_GCM_SIV =
        2,                 /**< RFC 8452. Keys of 16 and 32; nonce 12; tag 16; message and additional data at
                                most 2^36. A repeated nonce reveals only whether two messages were equal */
    WARPAES_MODE_CCM = 3,  /**< SP 800-38C. Nonce 7 to 13 [12]; tag 8, 10, 12, 14 or 16 [16]; message shorter
                                than 2^(8 * (15 - nonce length)): 16 MiB - 1 with a nonce of 12 */
    WARPAES_MODE_EAX = 4,  /**< Bellare, Rogaway, Wagner, "The EAX Mode of Operation", FSE 2004. Nonce 1 or
                                more [16]; tag 12 to 16 [16] */
    WARPAES_MODE_OCB3 = 5, /**< RFC 7253. Nonce 1 to 15 [12]; tag 8, 12 or 16 [16]; 2^48 blocks a key */
    WARPAES_MODE_SIV = 6,  /**< RFC 5297. Keys of 32, 48 and 64: the MAC's half, then the cipher's. Nonce of
                              any length, or none: then equal messages give equal ciphertexts; tag 16 */

    /* Encrypt, and authenticate nothing. */
    WARPAES_MODE_ECB = 7, /**< SP 800-38A 6.1. Multiples of 16; no IV. Reveals equal blocks: for building
                               other modes, not for data */
    WARPAES_MODE_ECB_PKCS7 =
        8,                /**< ECB with the padding of CBC_PKCS7: what `openssl enc -aes-256-ecb` makes */
    WARPAES_MODE_CBC = 9, /**< SP 800-38A 6.2. Multiples of 16; IV 16, which nobody can predict */
    WARPAES_MODE_CBC_PKCS7 =
        10,                    /**< RFC 5652 6.3. Any length; the ciphertext is 1 to 16 bytes longer. Whoever
                                    learns whether the padding was right can decrypt everything with that
                                    ("padding oracle"): check a MAC over IV and ciphertext first */
    WARPAES_MODE_CBC_CS1 = 11, /**< SP 800-38A addendum, ciphertext stealing. 16 or more; IV 16 */
    WARPAES_MODE_CBC_CS2 = 12, WARPAES_MODE_CBC_CS3 = 13, /**< the variant of Kerberos (RFC 3962) */
    WARPAES_MODE_CFB =
        14, /**< SP 800-38A 6.3, segments of 128 bits. Any length; IV 16, which nobody can predict */
    WARPAES_MODE_CFB8 = 15, /**< segments of 8 bits: one block of AES a byte */
    WARPAES_MODE_CFB1 = 16, /**< segments of 1 bit: one block of AES a bit. Lengths are in bytes here too; see
                                 warpaes_message.unused_bits */
    WARPAES_MODE_OFB = 17,  /**< SP 800-38A 6.4. Any length; IV 16, never the same twice */
    WARPAES_MODE_CTR = 18,  /**< SP 800-38A 6.5. Any length; the IV is the first counter block, 128 bits
                                 big-endian, which wraps. No counter block may be used twice under a key */
    WARPAES_MODE_XTS = 19,  /**< IEEE 1619, SP 800-38E. Keys of 32, 48 and 64: Key1, then Key2, which differ.
                                 The IV is the first data unit's number, 16 bytes little-endian; data units of
                                 16 to 2^24 bytes, or an empty message */

    /* Authenticate, and encrypt nothing: the message is read, and only a tag is written. */
    WARPAES_MODE_CMAC = 20, /**< SP 800-38B, RFC 4493. Any length; no IV; tag 8 to 16 [16] */
    WARPAES_MODE_GMAC = 21, /**< SP 800-38D: GCM of no message. Nonce and tag as GCM's. The message is what
                               GCM calls additional data, at most 2^61 - 1 */

    /* Wrap keys: deterministic, and authentic. For keys and other random data. */
    WARPAES_MODE_KW = 22, /**< SP 800-38F 6.2, RFC 3394. Multiples of 8, 16 or more; becomes 8 bytes longer */
    WARPAES_MODE_KWP = 23 /**< SP 800-38F 6.3, RFC 5649. 1 to 2^32 - 1; becomes 8 to 15 bytes longer */
};

/** What a mode takes. Lengths are in bytes. */
typedef struct warpaes_mode_info {
  size_t size;                /**< sizeof(warpaes_mode_info) */
  const char* name;           /**< "GCM", "CBC-CS3" */
  const char* standard;       /**< "SP 800-38D" */
  uint32_t key_count;         /**< keys of AES that a key consists of: 2 for XTS and SIV */
  uint32_t key_lengths;       /**< bit n: a key of 8 * n bytes is allowed, all of its halves together */
  uint32_t authenticates;     /**< 1: the mode notices when a message was changed */
  uint32_t has_output;        /**< 0: only a tag is written */
  uint64_t shortest_nonce;    /**< bytes, as all lengths here */
  uint64_t longest_nonce;     /**< UINT64_MAX: any. Both are 0 in modes without IV */
  uint64_t recommended_nonce; /**< what sealed messages have, and batches that leave the length 0 */
  uint32_t tag_lengths;       /**< bit n: a tag of n bytes is allowed; 0: the mode has no tag */
  uint32_t recommended_tag;   /**< what is taken where a call leaves its length 0 */
  uint64_t shortest_message;  /**< bytes */
  uint64_t longest_message;   /**< with a nonce of the recommended length; XTS: of a data unit */
  uint64_t message_multiple;  /**< a message has a multiple of this many bytes; 1: any */
  uint64_t longest_aad;       /**< 0: the mode has no additional data */
  uint64_t sealed_overhead; /**< how much longer than its plaintext a sealed message is (warpaes_seal): by its
                                 nonce and its tag. 0: the mode has no sealed messages */
} warpaes_mode_info;

/** Describes a mode.
 *  @return OK, or OPTION for a number that is no mode: whoever counts upwards from 1 until then has seen all
 * modes */
WARPAES_API warpaes_status warpaes_mode_get(warpaes_mode mode, warpaes_mode_info* info);

/** The length of the output of a message of `length` bytes. Decryption that takes off padding (the PKCS#7
 * modes, KWP) writes this many bytes, of which those behind the message are zero, and reports the message's
 * own length.
 *  @return LENGTH if the mode has no message of that length; OPTION for an unknown mode or direction */
WARPAES_API warpaes_status warpaes_output_size(warpaes_mode mode, warpaes_direction direction,
                                               uint64_t length, uint64_t* size);

#ifdef __cplusplus
}
#endif
#endif
