/* WarpAES: keys with their mode, and what they do to one message or to many. A part of warpaes.h.
 *
 * Every call comes in two kinds. The plain ones take host memory and are synchronous. Unless the context
 * was created for one engine, the CPU's threads do their work, and share it with the GPUs where that is
 * faster. Those that end in _device take device memory and a CUDA stream: they allocate nothing, never
 * synchronise, can be captured in a CUDA graph, and report what depends on the data (a wrong tag) in a status
 * in device memory.
 *
 * Calls on host memory allocate and wait, but only on streams of the library's own: threads may make them
 * while this or another thread captures a graph, which they are no part of.
 *
 * Input and output may begin at the same address ("in place"), in batches with the same stride. Apart from
 * that, no byte that a call writes may be one that it reads, or writes as something else (OVERLAP); what it
 * only reads may overlap, as a nonce inside the additional data does. A pointer may be null where its length
 * is 0.
 *
 * What the output holds after a failure: if arguments are refused, it is as it was. If a tag, a padding or a
 * wrapped key turns out to be wrong, it is zero. If the machine fails while a message in host memory is
 * worked on, it is as it was or zero. The status is CUDA, DEVICE_MEMORY, HOST_MEMORY, FORKED or INTERNAL
 * then, which every call may return and no function below lists again. */
#ifndef WARPAES_CIPHER_H
#define WARPAES_CIPHER_H

#include "warpaes/context.h"
#include "warpaes/mode.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Binds a key to a mode and prepares it for every engine of the context (FIPS 197 section 5.2). A cipher may
 * be used by several threads at the same time. The context must outlive it.
 *  @param key host memory, which may be wiped after the call; for XTS and SIV both keys, one behind the
 * other, as IEEE 1619 and RFC 5297 write them. Null with key_length 0 makes a cipher for batches whose
 * messages each bring a key of their own (warpaes_batch.keys)
 *  @return OK, or MODE, KEY_LENGTH or XTS_KEYS for wrong arguments, or UNSUPPORTED if the context was created
 * for one engine and that does not have the mode, or SELF_TEST if an engine of the context gave a wrong known
 * answer: then another context has to be created, which will be without that engine. On failure *cipher is
 * null */
WARPAES_API warpaes_status warpaes_cipher_create(const warpaes_context* context, warpaes_mode mode,
                                                 const void* key, size_t key_length, warpaes_cipher** cipher);

/** Wipes and frees. Work that is still running on a CUDA stream is not affected. Null is allowed. */
WARPAES_API void warpaes_cipher_destroy(warpaes_cipher* cipher);

/** What is known of a cipher, and who computes a message with it. */
typedef struct warpaes_cipher_info {
  size_t size;                 /**< sizeof(warpaes_cipher_info), set by the caller */
  warpaes_mode mode;           /**< that the cipher was created for */
  warpaes_direction direction; /**< set by the caller: of the message that is asked about */
  uint64_t length;             /**< set by the caller: its length in bytes of host memory */
  const char* engine; /**< the implementation that computes it, as "cuda/lane_private_tables"; valid as long
                         as the library is loaded. It may differ from what warpaes_context_engine names, as
                         not every engine has every mode */
} warpaes_cipher_info;

/** Describes a cipher.
 *  @return OK, or OPTION for a direction that is neither ENCRYPT nor DECRYPT */
WARPAES_API warpaes_status warpaes_cipher_get(const warpaes_cipher* cipher, warpaes_cipher_info* info);

/** A piece of memory that is only read. */
typedef struct warpaes_bytes {
  const void* data; /**< its first byte; null if there is none */
  uint64_t length;  /**< bytes */
} warpaes_bytes;

/** One message. Set it to zero, then what the mode needs: a member that the mode has no use for is refused
 * (OPTION) rather than ignored. Lengths are in bytes. */
typedef struct warpaes_message {
  size_t size;              /**< sizeof(warpaes_message) */
  const void* input;        /**< plaintext when encrypting, ciphertext when decrypting */
  uint64_t length;          /**< of the input */
  void* output;             /**< null in CMAC and GMAC */
  uint64_t output_capacity; /**< room at output: warpaes_output_size() at least (BUFFER_SIZE) */
  uint64_t* output_length;  /**< written: the length of the output without padding, 0 on failure. May be null,
                               but not when a PKCS#7 mode or KWP decrypts. Device calls: device memory, and
                               null in modes whose output is as long as the input */
  const void* nonce;        /**< nonce, IV, first counter block or tweak: host memory in all calls */
  size_t nonce_length; /**< always given: there is no length that is taken for 0. SIV goes without a nonce
                          if both are 0 (OPTION for a nonce without a length) */
  const void* aad;     /**< additional data: authenticated, not encrypted */
  uint64_t aad_length; /**< bytes */
  void* tag;           /**< written when encrypting, read when decrypting */
  size_t tag_length;   /**< 0: as the mode recommends, 16 */
  /** SIV: the associated strings of RFC 5297 section 2.4, at most 125 with a nonce and 126 without, in place
   * of `aad`. Where one ends and the next begins is authenticated. The array is host memory, what it points
   * to is as the input. Null: `aad` is the one string, even if it is empty; an array of none is no string at
   * all. */
  const warpaes_bytes* strings;
  size_t string_count; /**< entries of `strings` */
  uint64_t data_unit;  /**< XTS: the length of a data unit, 16 to 2^24. Units follow each other, their numbers
                            counting upwards, and the last one may be shorter. 0: the message is one unit */
  uint32_t unused_bits; /**< CFB1: how many bits of the input's last byte are no part of the message: its
                           lowest, 0 to 7. They are 0 in the output */
  uint32_t reserved;    /**< must be 0 */
  int32_t* status; /**< device calls that decrypt, in modes with a tag or padding, and KW, KWP: device memory,
                      or page-locked host memory, where the host reads it without a copy; becomes a
                        warpaes_status when the stream has come past the call. Else null */
} warpaes_message;

/** Encrypts one message, or makes its tag (CMAC, GMAC), or wraps a key (KW, KWP).
 *  @return OK, or one of these, and then nothing was written but *output_length, which is 0: NULL_POINTER,
 * LENGTH, NONCE_LENGTH, TAG_LENGTH, BUFFER_SIZE, OVERLAP or OPTION for wrong arguments; STATE for a cipher
 * that was created without a key; UNSUPPORTED if the context was created for one engine and that does not
 * have the mode, or not for this message or batch (docs/modes.md) */
WARPAES_API warpaes_status warpaes_encrypt(const warpaes_cipher* cipher, const warpaes_message* message);

/** Decrypts one message, or checks its tag in constant time (CMAC, GMAC), or unwraps a key (KW, KWP).
 * Until it returns, the output may hold plaintext of which nobody knows yet whether it is genuine.
 *  @return as warpaes_encrypt; and AUTHENTICATION or PADDING if the message turned out to be wrong: then the
 * output is all zero */
WARPAES_API warpaes_status warpaes_decrypt(const warpaes_cipher* cipher, const warpaes_message* message);

/** Where a batch reads one part of every message (its input, its nonce, its key and so on): for message m at
 * data + m * stride or, if `pointers` is given, at pointers[m]. With stride 0 all messages share one part.
 * Messages are counted from 0. */
typedef struct warpaes_source {
  const void* data;            /**< the first message's part */
  uint64_t stride;             /**< bytes from one message's part to the next one's */
  const void* const* pointers; /**< null, or one pointer a message; `data` must be null then */
} warpaes_source;

/** Where a batch writes one part of every message: its output or its tag. */
typedef struct warpaes_target {
  void* data;            /**< the first message's part */
  uint64_t stride;       /**< at least as many bytes as are written for each message (STRIDE) */
  void* const* pointers; /**< null, or one pointer a message; `data` must be null then */
} warpaes_target;

/** Many messages. Nonces, tags and additional data lie wherever a format keeps them: in rows of their own,
 * beside the data (an offset and the frame's stride), or anywhere (an array of pointers). All memory, arrays
 * of pointers and lengths included, is host memory in host calls and device memory in device calls.
 *
 *  What is wrong with the whole call is the call's own status, and nothing is written. If the machine fails
 * while messages are worked on, that is the call's status, too; no message's status says OK then, and all
 * output that was begun is zero. (Of a device call that returns CUDA, or whose stream then reports an error,
 * neither statuses nor outputs may be relied on.) What is wrong with one message (a null pointer or a length
 * in an array, an overlap, a wrong tag) is that message's status: a message that cannot be worked on is left
 * alone, one that turns out to be wrong has its output set to zero, and all others are done.
 *
 * Where arrays of pointers say where outputs and tags are, each message's are compared with what that message
 * reads, and not with other messages' memory, the arrays, the keys or the statuses: that these are apart is
 * for the caller to see to. */
typedef struct warpaes_batch {
  size_t size;              /**< sizeof(warpaes_batch) */
  uint64_t count;           /**< of the messages */
  warpaes_source input;     /**< plaintext when encrypting, ciphertext when decrypting */
  uint64_t length;          /**< of every input; with `lengths`, the most that one may have */
  const uint64_t* lengths;  /**< null, or the length of each input */
  warpaes_target output;    /**< all null in CMAC and GMAC */
  uint64_t output_capacity; /**< room for each message's output, warpaes_output_size() of `length` at least
                               (BUFFER_SIZE); 0: exactly what is needed */
  uint64_t* output_lengths; /**< null, or written: the length of each output without padding, 0 if the message
                               failed. Not null when a PKCS#7 mode or KWP decrypts; null in device calls in
                               modes whose outputs are as long as the inputs */
  warpaes_source nonces;    /**< one for each message. In GCM, GMAC, CCM, EAX, OCB3, CTR and OFB messages that
                               are encrypted under one key cannot share one: a stride of 0 is refused
                               (STRIDE), equal entries of an array are not looked for */
  size_t nonce_length; /**< 0: as the mode recommends. SIV recommends to have no nonce, so `nonces` that are
                          given without a length are refused there (OPTION) */
  warpaes_source aad;  /**< additional data: authenticated, not encrypted */
  uint64_t aad_length; /**< of all; with `aad_lengths`, the most that one may have */
  const uint64_t* aad_lengths; /**< null, or the length of each */
  size_t aad_strings;  /**< SIV: how many associated strings a message has, at most 125 with nonces and 126
                          without; 0 counts as 1. String s of message m is entry m * aad_strings + s of aad
                          and of aad_lengths */
  warpaes_target tags; /**< read when decrypting */
  size_t tag_length;   /**< 0: as the mode recommends, 16 */
  warpaes_source keys; /**< a key for each message, for ciphers that were created without one */
  size_t key_length;   /**< of each of them, in bytes */
  int32_t* statuses;   /**< null, or written for every message: its warpaes_status. Not null in device calls
                          that decrypt in modes with a tag or padding, KW and KWP, in those of XTS with a key
                          for each message, whose halves may be equal, and in those with arrays. There in
                          device memory or in page-locked host memory */
} warpaes_batch;

/** Encrypts every message of a batch.
 *  @return OK if all messages were encrypted; BATCH if at least one was not, and then `statuses` says which;
 * or what is wrong with the call as a whole: as in warpaes_encrypt, and STRIDE for parts of messages that
 * would overlap each other or share a nonce, KEY_LENGTH for the keys of the messages */
WARPAES_API warpaes_status warpaes_encrypt_batch(const warpaes_cipher* cipher, const warpaes_batch* batch);
/** Decrypts every message of a batch.
 *  @return as warpaes_encrypt_batch */
WARPAES_API warpaes_status warpaes_decrypt_batch(const warpaes_cipher* cipher, const warpaes_batch* batch);

/** How much device memory a device call needs to work in. The memory must be aligned to 16 bytes; the caller
 * allocates it and passes it to the call as `workspace`. One workspace serves one call at a
 * time: calls on one stream may share it, and graphs that were captured with it must not run at the same
 * time. The calls leave nothing secret in it.
 *  @param count,length of the largest batch that the workspace is for: it serves batches of fewer messages
 * and of shorter ones as well. One message is a batch of one
 *  @param workspace_size written; may be 0, and then no workspace is needed
 *  @return UNSUPPORTED if no engine of the context has the mode on device memory; LENGTH for a length that
 * the mode or device memory (2^40 bytes) does not have, or more than 2^48 messages */
WARPAES_API warpaes_status warpaes_workspace_size(const warpaes_cipher* cipher, warpaes_direction direction,
                                                  uint64_t count, uint64_t length, size_t* workspace_size);

/** As warpaes_encrypt, on device memory of the context's device. Any alignment works; multiples of 16 bytes
 * are fast. A replayed graph repeats the nonce, and it holds the key: destroy it as you would destroy the
 * key.
 *  @param workspace null if warpaes_workspace_size() is 0
 *  @return as warpaes_encrypt; and WORKSPACE if the workspace is too small or badly aligned, MEMORY_SPACE for
 * host memory or memory of another device (where a part begins is looked at, and not where it ends), CUDA for
 * a stream of another device (not asked while it is being captured) or a launch that failed, CAPTURE if a
 * stream is being captured and CUDA forbids what the call needs, UNSUPPORTED if the GPU engine does not have
 * the mode, or not for this message or batch (docs/modes.md) */
WARPAES_API warpaes_status warpaes_encrypt_device(const warpaes_cipher* cipher,
                                                  const warpaes_message* message, void* workspace,
                                                  size_t workspace_size, warpaes_stream stream);
/** As warpaes_decrypt, in the way of warpaes_encrypt_device. What became of the message is in its status.
 * Work that follows in the same stream finds the plaintext, or zeros where the message was wrong. */
WARPAES_API warpaes_status warpaes_decrypt_device(const warpaes_cipher* cipher,
                                                  const warpaes_message* message, void* workspace,
                                                  size_t workspace_size, warpaes_stream stream);
/** As warpaes_encrypt_batch, in the way of warpaes_encrypt_device. */
WARPAES_API warpaes_status warpaes_encrypt_batch_device(const warpaes_cipher* cipher,
                                                        const warpaes_batch* batch, void* workspace,
                                                        size_t workspace_size, warpaes_stream stream);
/** As warpaes_decrypt_batch, in the way of warpaes_encrypt_device. What became of the messages is in their
 * statuses. */
WARPAES_API warpaes_status warpaes_decrypt_batch_device(const warpaes_cipher* cipher,
                                                        const warpaes_batch* batch, void* workspace,
                                                        size_t workspace_size, warpaes_stream stream);

/* Sealed messages: nonce, ciphertext and tag in one piece. The library makes the nonce at random; nonce and
 * tag have the lengths that the mode recommends, so that a sealed message is longer than its plaintext by the
 * mode's sealed_overhead (warpaes_mode_info). There are sealed messages in the modes that encrypt and
 * authenticate; in other modes the calls return MODE. */

/** Encrypts one message under a fresh random nonce, or without one in SIV, which recommends none: there equal
 * messages are equal when they are sealed. A key may be used with 2^32 random nonces (SP 800-38D section
 * 8.3); the cipher counts the calls whose arguments were right, but in SIV, see warpaes_cipher_add_nonces.
 *  @param input may lie where the ciphertext will, behind the nonce; any other overlap is refused
 *  @param sealed room for the input and the mode's sealed_overhead: `capacity` is at least that (BUFFER_SIZE)
 *  @param sealed_length written: 0 on failure
 *  @return as warpaes_encrypt; MODE in modes without sealed messages; STATE also after 2^32 messages: make a
 * new key */
WARPAES_API warpaes_status warpaes_seal(warpaes_cipher* cipher, warpaes_bytes aad, warpaes_bytes input,
                                        void* sealed, uint64_t capacity, uint64_t* sealed_length);

/** Decrypts a message that warpaes_seal made.
 *  @param output may lie where the ciphertext is, behind the nonce. It takes as many bytes as the sealed
 * message has without nonce and tag, for which there has to be room (BUFFER_SIZE)
 *  @param length written: the length of the plaintext, 0 on failure
 *  @return as warpaes_decrypt; LENGTH also if the message is shorter than a nonce and a tag; MODE in modes
 * without sealed messages; AUTHENTICATION if it is not genuine, and then the output is all zero */
WARPAES_API warpaes_status warpaes_open(const warpaes_cipher* cipher, warpaes_bytes aad, warpaes_bytes sealed,
                                        void* output, uint64_t capacity, uint64_t* length);

/** Adds messages that were sealed under the same key elsewhere, or before the process was started: the limit
 * is the key's. Add 0 to read the count.
 *  @param total null, or written: the messages counted so far, at most 2^32
 *  @return OK, also if the count has reached 2^32; or MODE in modes without sealed messages */
WARPAES_API warpaes_status warpaes_cipher_add_nonces(warpaes_cipher* cipher, uint64_t messages,
                                                     uint64_t* total);

#ifdef __cplusplus
}
#endif
#endif
