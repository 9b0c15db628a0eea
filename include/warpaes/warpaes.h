/* WarpAES: AES for data that lives on GPUs. The C ABI.
 *
 * Three forms of every operation:
 *   warpaes_MODE_VERB          host memory, synchronous; the context's engine does the work.
 *   warpaes_MODE_VERB_device   device memory, asynchronous on a CUDA stream: no allocation, no
 *                              synchronisation, no host copy. Data errors (a wrong tag) are reported
 *                              in a status word in device memory.
 *   warpaes_MODE_VERB_batch…   many messages, of one length or of many, under one key or a key each.
 *
 * Lengths are in bytes, 64 bits wide. `input == output` is allowed (in place); any other overlap is
 * refused before anything is written. A pointer may be null when its length is 0. Nothing here
 * prints, aborts or throws. Functions may be called from any thread; contexts and keys are immutable
 * after creation and may be shared between threads.
 */
#ifndef WARPAES_WARPAES_H
#define WARPAES_WARPAES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WARPAES_API __attribute__((visibility("default")))
#else
#define WARPAES_API
#endif

#define WARPAES_VERSION_MAJOR 0
#define WARPAES_VERSION_MINOR 1
#define WARPAES_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ status */

/** Result of every call. Bands: 0 done; 1-99 the caller's arguments; 100-199 the data; 200-299 CUDA
 *  and engines; 300-399 the machine and this library. */
typedef enum warpaes_status {
  WARPAES_OK = 0,

  WARPAES_ERROR_NULL_POINTER = 1,
  WARPAES_ERROR_KEY_LENGTH = 2,   /**< a key is 16, 24 or 32 bytes */
  WARPAES_ERROR_LENGTH = 3,       /**< the mode forbids this length */
  WARPAES_ERROR_NONCE_LENGTH = 4, /**< GCM: 1 byte or more; in batches 12 bytes */
  WARPAES_ERROR_TAG_LENGTH = 5,   /**< GCM: 12 to 16 bytes (SP 800-38D 5.2.1.2) */
  WARPAES_ERROR_OVERLAP = 6,      /**< input and output overlap without being equal */
  WARPAES_ERROR_WORKSPACE = 7,    /**< workspace missing, too small or not 16-byte aligned */
  WARPAES_ERROR_OPTION = 8,       /**< an options structure holds a value of no meaning */
  WARPAES_ERROR_MEMORY_SPACE = 9, /**< a host pointer where device memory is needed, or other device */
  WARPAES_ERROR_STRIDE = 10,      /**< a stride shorter than what it strides over */
  WARPAES_ERROR_XTS_KEYS = 11,    /**< XTS: keys that are equal, or differ in size or context */
  WARPAES_ERROR_BUFFER_SIZE = 12, /**< too little room for the output */
  WARPAES_ERROR_STATE = 13,       /**< an operation that was finished, or failed before */

  WARPAES_ERROR_AUTHENTICATION = 100, /**< wrong tag: wrong key or nonce, or damaged data */
  WARPAES_ERROR_PADDING = 101,        /**< wrong padding: wrong key or IV, or damaged data */

  WARPAES_ERROR_CUDA = 200,               /**< a CUDA call failed; the message names it */
  WARPAES_ERROR_DEVICE_MEMORY = 201,      /**< the GPU has too little free memory; the context is alive */
  WARPAES_ERROR_NO_DEVICE = 202,          /**< no such device, or no driver */
  WARPAES_ERROR_UNKNOWN_ENGINE = 203,     /**< no engine of that name */
  WARPAES_ERROR_ENGINE_UNAVAILABLE = 204, /**< the engine exists and cannot run here; the message says why */
  WARPAES_ERROR_SELF_TEST = 205,          /**< the engine gave a wrong known answer and was taken out */
  WARPAES_ERROR_UNSUPPORTED = 206, /**< this engine has no such operation (device calls need a GPU engine) */
  WARPAES_ERROR_CAPTURE = 207, /**< a stream is being captured, and CUDA forbids then what this call needs */

  WARPAES_ERROR_HOST_MEMORY = 300,
  WARPAES_ERROR_FORKED = 301, /**< the process forked after GPU use: a CUDA context does not survive that */
  WARPAES_ERROR_INTERNAL = 399
} warpaes_status;

/** Name of a status, as "WARPAES_ERROR_OVERLAP"; never null. */
WARPAES_API const char* warpaes_status_name(warpaes_status status);

/** One English sentence that says what the status means; never null. */
WARPAES_API const char* warpaes_status_string(warpaes_status status);

/** What the calling thread's last failed call had to say, in full; "" before any failure.
 *  Valid until the thread's next failed call. */
WARPAES_API const char* warpaes_last_error(void);

/** "0.1.0". */
WARPAES_API const char* warpaes_version(void);

/* ------------------------------------------------------- engines and devices */

/** What an attacker who measures time can learn. */
typedef enum warpaes_timing {
  WARPAES_TIMING_LEAKY = 0, /**< secret-dependent addresses reach a cache: teaching and reference code */
  WARPAES_TIMING_CONFLICT_FREE = 1, /**< secret-indexed shared memory, each lane in a bank of its own */
  WARPAES_TIMING_STRICT = 2         /**< no secret-dependent address or branch */
} warpaes_timing;

typedef struct warpaes_engine_info {
  const char* name;   /**< "cuda", "openssl", "portable" */
  const char* kernel; /**< the implementation inside, "lane_private_tables" */
  const char* description;
  warpaes_timing timing;
  int on_device;    /**< 1: works on device memory, and on host memory through it */
  int available;    /**< 1: can run here (device 0), self-test passed */
  char reason[256]; /**< why not, if not */
} warpaes_engine_info;

/** Number of rows that warpaes_engine_get knows, best first. */
WARPAES_API size_t warpaes_engine_count(void);

/** Describes one engine and runs its self-test if it has not run yet. */
WARPAES_API warpaes_status warpaes_engine_get(size_t index, warpaes_engine_info* info);

typedef struct warpaes_device_info {
  char name[256];
  int compute_major, compute_minor;
  int multiprocessors;
  uint64_t memory_bytes;
  uint64_t free_bytes;
  int driver_version;  /**< 13000 = CUDA 13.0 */
  int runtime_version; /**< CUDA runtime that this library was built with */
} warpaes_device_info;

/** Number of CUDA devices; 0 with no driver (that is not an error). */
WARPAES_API int warpaes_device_count(void);
WARPAES_API warpaes_status warpaes_device_get(int device, warpaes_device_info* info);

/* ----------------------------------------------------------- context and key */

typedef struct warpaes_context warpaes_context;
typedef struct warpaes_key warpaes_key;

/** Set `size` to sizeof(warpaes_context_options) and the rest to 0 for the defaults. */
typedef struct warpaes_context_options {
  size_t size;
  const char* engine;    /**< null or "auto": the best for each call; else forced, and it never falls
                              back. "portable/fips197" names one implementation of an engine. */
  int device;            /**< CUDA device of the GPU engine */
  warpaes_timing timing; /**< the least that is acceptable; LEAKY (0) accepts all */
  unsigned threads;      /**< CPU threads for host memory; 0: as many as the machine has */
  unsigned reserved[8];  /**< must be 0 */
} warpaes_context_options;

/** Chooses engines, checks them with known answers and sets up the device: all that may allocate or
 *  synchronise happens here, so that the device calls need not.
 *  @param options null for the defaults
 *  @return UNKNOWN_ENGINE, ENGINE_UNAVAILABLE, NO_DEVICE, SELF_TEST, OPTION; *context is then null. */
WARPAES_API warpaes_status warpaes_context_create(const warpaes_context_options* options,
                                                  warpaes_context** context);
WARPAES_API void warpaes_context_destroy(warpaes_context* context);

/** Name of the engine that host calls of `bytes` bytes go to, as "cuda"; never null. */
WARPAES_API const char* warpaes_context_engine(const warpaes_context* context, uint64_t bytes);

/** Expands a key once (FIPS 197 section 5.2) for every engine of the context.
 *  @param key key_bytes = 16, 24 or 32 bytes of host memory; may be wiped after the call
 *  The context must outlive the key. */
WARPAES_API warpaes_status warpaes_key_create(warpaes_context* context, const void* key, size_t key_bytes,
                                              warpaes_key** out);

/** Wipes and frees. Work that is still running on a stream is not affected. Null is allowed. */
WARPAES_API void warpaes_key_destroy(warpaes_key* key);

/* ---------------------------------------------------------------- host memory */

/** ECB, SP 800-38A 6.1. Leaks equal blocks: for building other modes, not for data.
 *  @param bytes a multiple of 16 */
WARPAES_API warpaes_status warpaes_ecb_encrypt(const warpaes_key* key, const void* input, void* output,
                                               uint64_t bytes);
WARPAES_API warpaes_status warpaes_ecb_decrypt(const warpaes_key* key, const void* input, void* output,
                                               uint64_t bytes);

/** CTR, SP 800-38A 6.5, with a 128-bit big-endian counter that wraps as OpenSSL's does. Encryption
 *  and decryption are the same. No authentication; the same counter twice under one key reveals data.
 *  @param counter the first counter block, 16 bytes
 *  @param bytes any length */
WARPAES_API warpaes_status warpaes_ctr_crypt(const warpaes_key* key, const uint8_t counter[16],
                                             const void* input, void* output, uint64_t bytes);

/** CBC without padding, SP 800-38A 6.2. No authentication: whoever pads and reports wrong padding makes a
 *  padding oracle. Encryption chains from block to block and runs on one CPU thread (UNSUPPORTED in a
 *  context that was forced to a GPU engine); decryption is parallel.
 *  @param iv 16 bytes that nobody can predict (SP 800-38A appendix C)
 *  @param bytes a multiple of 16 */
WARPAES_API warpaes_status warpaes_cbc_encrypt(const warpaes_key* key, const uint8_t iv[16],
                                               const void* input, void* output, uint64_t bytes);
WARPAES_API warpaes_status warpaes_cbc_decrypt(const warpaes_key* key, const uint8_t iv[16],
                                               const void* input, void* output, uint64_t bytes);

/** CFB with segments of 128 bits, SP 800-38A 6.3 (OpenSSL's "cfb"). No authentication. Encryption runs on
 *  one CPU thread, as CBC's does.
 *  @param iv 16 bytes, never the same twice under one key
 *  @param bytes any length */
WARPAES_API warpaes_status warpaes_cfb_encrypt(const warpaes_key* key, const uint8_t iv[16],
                                               const void* input, void* output, uint64_t bytes);
WARPAES_API warpaes_status warpaes_cfb_decrypt(const warpaes_key* key, const uint8_t iv[16],
                                               const void* input, void* output, uint64_t bytes);

/** OFB, SP 800-38A 6.4; encryption and decryption are the same, and both run on one CPU thread, as CBC's
 *  encryption does. No authentication.
 *  @param iv 16 bytes, never the same twice under one key
 *  @param bytes any length */
WARPAES_API warpaes_status warpaes_ofb_crypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                             void* output, uint64_t bytes);

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

/** GCM, SP 800-38D. A nonce may be used for one message only under a key: twice breaks the key.
 *  @param nonce nonce_bytes >= 1, 12 recommended; host memory
 *  @param bytes at most 2^36 - 32
 *  @param tag tag_bytes = 12 to 16; written by encrypt, read by decrypt
 *  @return decrypt: AUTHENTICATION if the tag is wrong; `output` is then all zero. */
WARPAES_API warpaes_status warpaes_gcm_encrypt(const warpaes_key* key, const void* nonce, size_t nonce_bytes,
                                               const void* aad, uint64_t aad_bytes, const void* input,
                                               void* output, uint64_t bytes, void* tag, size_t tag_bytes);
WARPAES_API warpaes_status warpaes_gcm_decrypt(const warpaes_key* key, const void* nonce, size_t nonce_bytes,
                                               const void* aad, uint64_t aad_bytes, const void* input,
                                               void* output, uint64_t bytes, const void* tag,
                                               size_t tag_bytes);

/** Modes that encrypt and authenticate. */
typedef enum warpaes_aead {
  WARPAES_AEAD_GCM = 0,     /**< SP 800-38D */
  WARPAES_AEAD_GCM_SIV = 1, /**< RFC 8452 */
  WARPAES_AEAD_CCM = 2,     /**< SP 800-38C, RFC 3610 */
  WARPAES_AEAD_EAX = 3,     /**< Bellare, Rogaway and Wagner, "The EAX Mode of Operation", 2004 */
  WARPAES_AEAD_OCB3 = 4     /**< RFC 7253 */
} warpaes_aead;

/** Many messages in one call. Message m is at pointer + m * stride and has `bytes` bytes. Where an array
 *  is given, it says the same for each message, and pointer and stride are not looked at:
 *    lengths       of ragged messages, 0 to `bytes` each
 *    inputs        where messages are, of scattered ones; outputs, aads likewise
 *    aad_lengths   0 to `aad_bytes` each
 *  All pointers, the arrays and what they point to lie in one memory space: host for the host forms,
 *  device for the device forms. The device forms cannot look into arrays: that outputs[m] is inputs[m] or
 *  overlaps nothing, and that all are device memory, is for the caller to see to; a message whose length
 *  is over the most, or whose address is null, is left alone and gets the status LENGTH or NULL_POINTER. */
typedef struct warpaes_gcm_batch_arguments {
  size_t size; /**< sizeof(warpaes_gcm_batch_arguments) */
  uint64_t messages;
  uint64_t bytes; /**< of each message; with `lengths`, the most that one may have */
  const void* input;
  uint64_t input_stride; /**< >= bytes */
  void* output;
  uint64_t output_stride; /**< >= bytes */
  const void* nonces;     /**< 12 bytes each */
  uint64_t nonce_stride;  /**< >= 12 */
  const void* aad;
  uint64_t aad_bytes;          /**< of each message */
  uint64_t aad_stride;         /**< 0: the same for all messages */
  void* tags;                  /**< written when encrypting, read when decrypting */
  uint64_t tag_stride;         /**< >= tag_bytes */
  size_t tag_bytes;            /**< 12 to 16 */
  int32_t* statuses;           /**< decrypting: one warpaes_status a message; encrypting: may be null, and is
                                    written for messages that are left alone only */
  const uint64_t* lengths;     /**< null: `bytes` */
  const void* const* inputs;   /**< null: input + m * input_stride */
  void* const* outputs;        /**< null: output + m * output_stride */
  const void* const* aads;     /**< null: aad + m * aad_stride */
  const uint64_t* aad_lengths; /**< null: `aad_bytes` */
  unsigned reserved[8];        /**< must be 0 */
} warpaes_gcm_batch_arguments;

typedef enum warpaes_direction { WARPAES_ENCRYPT = 0, WARPAES_DECRYPT = 1 } warpaes_direction;

/** @return AUTHENTICATION if at least one message failed; its output is zero, the others are right. */
WARPAES_API warpaes_status warpaes_gcm_batch(const warpaes_key* key, warpaes_direction direction,
                                             const warpaes_gcm_batch_arguments* batch);

/** The same with a key for each message, as servers and databases have them: key m, of key_bytes = 16, 24 or
 *  32 bytes, is at keys + m * key_stride, in host memory. */
WARPAES_API warpaes_status warpaes_gcm_batch_key_each(warpaes_context* context, const void* keys,
                                                      size_t key_bytes, uint64_t key_stride,
                                                      warpaes_direction direction,
                                                      const warpaes_gcm_batch_arguments* batch);

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

/* -------------------------------------------------------------- device memory */

/** A cudaStream_t; null is the default stream. */
typedef struct CUstream_st* warpaes_stream;

/** As the host forms, on device memory of the context's device, asynchronous on `stream`. The
 *  context must have a GPU engine (UNSUPPORTED if not). Any alignment works; 16-byte aligned input
 *  and output are fast. Can be captured in a CUDA graph; a replay repeats counter and nonce. */
WARPAES_API warpaes_status warpaes_ecb_encrypt_device(const warpaes_key* key, const void* input, void* output,
                                                      uint64_t bytes, warpaes_stream stream);
WARPAES_API warpaes_status warpaes_ecb_decrypt_device(const warpaes_key* key, const void* input, void* output,
                                                      uint64_t bytes, warpaes_stream stream);
/** @param counter host memory, read during the call */
WARPAES_API warpaes_status warpaes_ctr_crypt_device(const warpaes_key* key, const uint8_t counter[16],
                                                    const void* input, void* output, uint64_t bytes,
                                                    warpaes_stream stream);

/** Bytes of device workspace (16-byte aligned) that warpaes_cbc_decrypt_device and
 *  warpaes_cfb_decrypt_device need for `bytes` bytes in place: ciphertext is kept there that would
 *  otherwise be overwritten before it was needed. One workspace serves one call at a time; its contents do
 *  not matter before or after. */
WARPAES_API warpaes_status warpaes_chained_decrypt_workspace_bytes(const warpaes_key* key, uint64_t bytes,
                                                                   size_t* workspace_bytes);

/** @param iv host memory, read during the call
 *  @param workspace device memory; may be null unless input == output */
WARPAES_API warpaes_status warpaes_cbc_decrypt_device(const warpaes_key* key, const uint8_t iv[16],
                                                      const void* input, void* output, uint64_t bytes,
                                                      void* workspace, size_t workspace_bytes,
                                                      warpaes_stream stream);
WARPAES_API warpaes_status warpaes_cfb_decrypt_device(const warpaes_key* key, const uint8_t iv[16],
                                                      const void* input, void* output, uint64_t bytes,
                                                      void* workspace, size_t workspace_bytes,
                                                      warpaes_stream stream);

/** @param tweak host memory, read during the call
 *  Data units of a multiple of 16 bytes are fast. */
WARPAES_API warpaes_status warpaes_xts_encrypt_device(const warpaes_key* key, const warpaes_key* tweak_key,
                                                      const uint8_t tweak[16], uint64_t data_unit_bytes,
                                                      const void* input, void* output, uint64_t bytes,
                                                      warpaes_stream stream);
WARPAES_API warpaes_status warpaes_xts_decrypt_device(const warpaes_key* key, const warpaes_key* tweak_key,
                                                      const uint8_t tweak[16], uint64_t data_unit_bytes,
                                                      const void* input, void* output, uint64_t bytes,
                                                      warpaes_stream stream);

/** Bytes of device workspace (16-byte aligned) that a GCM device call of `messages` x `bytes` needs.
 *  One workspace serves one call at a time; its contents do not matter before or after. */
WARPAES_API warpaes_status warpaes_gcm_workspace_bytes(const warpaes_key* key, uint64_t messages,
                                                       uint64_t bytes, size_t* workspace_bytes);

/** @param nonce host memory, read during the call
 *  @param aad,input,output,tag device memory */
WARPAES_API warpaes_status warpaes_gcm_encrypt_device(const warpaes_key* key, const void* nonce,
                                                      size_t nonce_bytes, const void* aad, uint64_t aad_bytes,
                                                      const void* input, void* output, uint64_t bytes,
                                                      void* tag, size_t tag_bytes, void* workspace,
                                                      size_t workspace_bytes, warpaes_stream stream);
/** @param status one int32_t of device memory: WARPAES_OK, or WARPAES_ERROR_AUTHENTICATION with
 *         `output` set to zero, once the stream has come past this call. In place, a wrong tag
 *         therefore destroys the ciphertext. */
WARPAES_API warpaes_status warpaes_gcm_decrypt_device(const warpaes_key* key, const void* nonce,
                                                      size_t nonce_bytes, const void* aad, uint64_t aad_bytes,
                                                      const void* input, void* output, uint64_t bytes,
                                                      const void* tag, size_t tag_bytes, int32_t* status,
                                                      void* workspace, size_t workspace_bytes,
                                                      warpaes_stream stream);
WARPAES_API warpaes_status warpaes_gcm_batch_device(const warpaes_key* key, warpaes_direction direction,
                                                    const warpaes_gcm_batch_arguments* batch, void* workspace,
                                                    size_t workspace_bytes, warpaes_stream stream);

/** @param keys device memory, read when the stream comes to this call. They are expanded on the GPU
 *         and never leave its multiprocessors.
 *  A message is one warp's work at most: a very long one takes long. Needs no workspace. */
WARPAES_API warpaes_status warpaes_gcm_batch_key_each_device(warpaes_context* context, const void* keys,
                                                             size_t key_bytes, uint64_t key_stride,
                                                             warpaes_direction direction,
                                                             const warpaes_gcm_batch_arguments* batch,
                                                             warpaes_stream stream);

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

#include "warpaes/block_modes.h"
#include "warpaes/kdf.h"
#include "warpaes/operation.h"
#endif
