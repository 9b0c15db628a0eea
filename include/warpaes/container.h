/* WarpAES: encrypted files, in the format that the tool `warpaes encrypt` writes. A part of warpaes.h.
 *
 * The format is C2SP chunked-encryption with AES-GCM and SHA-512, "Cobblestone-256" and "Cobblestone-128"
 * (docs/container.md): a header of 56 bytes, and chunks of 16 KiB with a tag each. Every chunk can be opened
 * without the others, so a container can be read at any place, and written and read by several threads.
 *
 *   warpaes_container_create writes the header; warpaes_container_encrypt seals chunk after chunk, any number
 *   of them in a call; the last call says that it is the last. warpaes_container_open reads the header and
 *   knows whether the key is right; warpaes_container_decrypt opens chunks, and warpaes_container_read any
 *   range of bytes. Where the bytes of the container are kept is the caller's business.
 *
 * Containers are in host memory, and so is plaintext, unless a call says that it is in a GPU's (`on_device`).
 * Plaintext in host memory is the work of the CPU's threads, which share it with the GPUs where that is
 * faster, unless the context was created for one engine. Plaintext in device memory is that GPU's work: whole
 * chunks cross the bus sealed, and reading, copies and work are done at the same time, so long runs are fast,
 * and there is no need to divide them. The host sees the plaintext of the last chunk, of chunks that are read
 * in part, and when encrypting that of the chunks which the CPU makes a second time to compare them (one of
 * 64, or as warpaes_container_check says). */
#ifndef WARPAES_CONTAINER_H
#define WARPAES_CONTAINER_H

#include "warpaes/cipher.h"
#include "warpaes/kdf.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The keys of one container, derived from the caller's key and the container's salt. It may be used by
 * several threads at the same time. Its context must outlive it. */
typedef struct warpaes_container warpaes_container;

/** Where things lie: chunk k, counted from 0, begins at HEADER_LENGTH + k * SEALED_CHUNK_LENGTH. It holds
 * CHUNK_LENGTH bytes of plaintext; the container's last chunk holds fewer, perhaps none, and so a container
 * whose end is missing is told from a whole one. */
enum {
  WARPAES_CONTAINER_HEADER_LENGTH = 56,
  WARPAES_CONTAINER_SALT_LENGTH = 24,
  WARPAES_CONTAINER_CHUNK_LENGTH = 16384,
  WARPAES_CONTAINER_SEALED_CHUNK_LENGTH = 16400,
  WARPAES_PASSPHRASE_HEADER_LENGTH = 48 /**< before the container, if its key is made of a passphrase */
};

/** How many of the encrypted chunks are checked. A tag cannot show that a faulty GPU encrypted wrongly, since
 * the tag is made of the wrong ciphertext. So chunks are encrypted once more on the CPU, and compared. A CPU
 * without AES instructions is of a weaker timing class than a context may demand: then no sample is checked,
 * and FULL is refused with ENGINE_UNAVAILABLE. */
typedef uint32_t warpaes_container_check;
WARPAES_ENUM(uint32_t){
    WARPAES_CONTAINER_CHECK_SAMPLE = 0, /**< one in 64 of the chunks that a GPU made, at least one a call */
    WARPAES_CONTAINER_CHECK_NONE = 1, WARPAES_CONTAINER_CHECK_FULL = 2 /**< every chunk, whatever made it */
};

/** Options of a container. Set the structure to zero, then the members that you need. */
typedef struct warpaes_container_options {
  size_t size;           /**< sizeof(warpaes_container_options) */
  warpaes_bytes context; /**< any string that both sides know, authenticated and not stored: a name, a
                            purpose, a version; 952 bytes at most (LENGTH), which OpenSSL's HKDF can take. The
                            container opens with the same one only */
  warpaes_bytes salt;    /**< create: 24 bytes in place of random ones. A salt may be used for one container
                            only, so this is for tests and for formats with a salt of their own. open: none */
  warpaes_container_check check; /**< of what is encrypted */
  uint32_t reserved;             /**< must be 0 */
} warpaes_container_options;

/** Begins a container: derives its keys with a fresh salt (HKDF-Expand of RFC 5869 with SHA-512).
 *  @param key 32 bytes (Cobblestone-256) or 16 (Cobblestone-128), uniformly random. A passphrase is no key;
 * warpaes_passphrase_key makes one of it
 *  @param options null for the defaults
 *  @param header written: the container's first WARPAES_CONTAINER_HEADER_LENGTH bytes
 *  @return OK, or KEY_LENGTH, or LENGTH for a salt that does not have 24 bytes or a context string of more
 * than 952, or ENGINE_UNAVAILABLE if the CPU cannot check as FULL asks. On failure *container is null */
WARPAES_API warpaes_status warpaes_container_create(const warpaes_context* context, const void* key,
                                                    size_t key_length,
                                                    const warpaes_container_options* options, void* header,
                                                    warpaes_container** container);

/** Derives the keys of a container from its header.
 *  @param header the container's first WARPAES_CONTAINER_HEADER_LENGTH bytes
 *  @return as warpaes_container_create, and OPTION for a salt, and CONTAINER_KEY if the container was made
 * with another key or context string, or if its header is damaged. On failure *container is null */
WARPAES_API warpaes_status warpaes_container_open(const warpaes_context* context, const void* key,
                                                  size_t key_length, const warpaes_container_options* options,
                                                  const void* header, warpaes_container** container);

/** Wipes and frees; null is allowed. */
WARPAES_API void warpaes_container_destroy(warpaes_container* container);

/** The length of the container of `length` bytes of plaintext (ENCRYPT), or of the plaintext in a container
 * of `length` bytes (DECRYPT). Both include all chunks; the container includes its header.
 *  @return OK, or LENGTH for more than 2^38 chunks, or TRUNCATED if no whole container has this length. On
 * failure *size is 0 */
WARPAES_API warpaes_status warpaes_container_size(warpaes_direction direction, uint64_t length,
                                                  uint64_t* size);

/** How many chunks are best given to one call, and what computes them. */
typedef struct warpaes_container_plan {
  size_t size;            /**< sizeof(warpaes_container_plan) */
  const char* engine;     /**< what it goes to: "cuda/lane_private_tables", which may share it with the CPU */
  uint64_t chunks_a_call; /**< fewer leave threads or the GPU idle, and more need memory for nothing */
  uint32_t on_device;     /**< 1: that engine is a GPU, which memory of warpaes_host_alloc is for */
  uint32_t reserved;      /**< written: 0 */
} warpaes_container_plan;

/** @param length of the plaintext that is to be worked on; UINT64_MAX if it is not known
 *  @param plan its size is set by the caller, the rest is written */
WARPAES_API warpaes_status warpaes_container_plan_for(const warpaes_container* container, uint64_t length,
                                                      warpaes_container_plan* plan);

/** Consecutive chunks of a container. Set the structure to zero, then the members that you need. */
typedef struct warpaes_chunks {
  size_t size;       /**< sizeof(warpaes_chunks) */
  uint64_t first;    /**< number of the first chunk, counted from 0 */
  const void* input; /**< plaintext to seal, sealed chunks to open */
  uint64_t length;   /**< of the input: whole chunks and, with `ends`, the last, shorter one */
  void* output;      /**< must not overlap the input. Decryption: null, with a capacity of 0, to check the
                        chunks and make no plaintext, which is faster */
  uint64_t output_capacity; /**< room for the chunks' other form (BUFFER_SIZE) */
  uint64_t* output_length;  /**< null, or written: 0 on failure. That of the plaintext also if none is made */
  int32_t* statuses;        /**< null, or one for each chunk, written by warpaes_container_decrypt */
  uint64_t* failed; /**< null, or written by warpaes_container_decrypt: number of the first wrong chunk,
                       UINT64_MAX if there is none */
  uint64_t* failed_offset; /**< null, or written with it: where in the container that begins which is wrong:
                              the chunk, or what was appended */
  uint32_t ends;           /**< 1: the range ends the container, with a last chunk of length % CHUNK_LENGTH
                              bytes. 0: whole chunks only */
  uint32_t on_device;      /**< 1: the plaintext (the input of encryption, the output of decryption) is device
                              memory of the context's first device. 0: host memory. Sealed chunks and all
                              else are host memory, best of warpaes_host_alloc */
  uint64_t container_length; /**< decryption: that of the container, or 0 if it is not known. Only for the
                                sentence of TRAILING_DATA, which says then how many bytes follow */
  warpaes_stream stream; /**< with on_device: the call begins when the work is done that is on this stream.
                            It returns when its own is, so nothing has to wait for it. Else null */
} warpaes_chunks;

/** Seals chunks. A chunk number may be used once only in a container: two plaintexts under one number give
 * away how they differ, and tags can be forged then.
 *  @return OK, or LENGTH if the input is not whole chunks or the container would have more than 2^38 of them,
 * or SELF_TEST if a chunk differed from what the CPU makes of it (warpaes_container_check). With on_device
 * also MEMORY_SPACE, UNSUPPORTED if the context has no GPU, DEVICE_MEMORY, CUDA, or CAPTURE if a stream is
 * being captured, since the call waits. If anything failed after the arguments were checked, the output is
 * all zero */
WARPAES_API warpaes_status warpaes_container_encrypt(const warpaes_container* container,
                                                     const warpaes_chunks* chunks);

/** Opens chunks. What is written to the output of a chunk whose tag is wrong is zero, and all other chunks
 * are opened: their plaintext is genuine, whatever became of the others. That the container is whole is known
 * when its last chunk was opened with `ends`.
 *  @return AUTHENTICATION: a chunk is damaged; TRAILING_DATA: something was appended to the container;
 * TRUNCATED: no container ends with a chunk as short as the last one, so its end is missing. *output_length
 * is that of the whole output, also if some chunks are wrong; but after TRUNCATED it is 0: then no chunk has
 * been opened, and neither the output nor a status is written. With on_device also what
 * warpaes_container_encrypt names. If the machine fails, all of the output is zero, or as much as a device
 * that fails still reaches, and no status says OK */
WARPAES_API warpaes_status warpaes_container_decrypt(const warpaes_container* container,
                                                     const warpaes_chunks* chunks);

/** What warpaes_container_read reads a container from (a file, an object store, memory), and what to. */
typedef struct warpaes_container_source {
  size_t size;     /**< sizeof(warpaes_container_source) */
  uint64_t length; /**< of the container */
  void* user;      /**< handed to `read` */
  /** Reads `length` bytes at `offset`, all of which lie in the container.
   *  @return 0, or anything else if that cannot be done: the call then returns SOURCE, as it does if `read`
   *  throws a C++ exception (warpaes::Container::read hands that on). It must not leave by longjmp(), nor end
   *  its thread. Another CUDA device than the caller's may be current in it. If it forks and `parallel` is 1,
   *  the child is best ended in it (exec, _exit): the call that it returns to is FORKED, or if another thread
   *  than the call's was in it, the child ends with a status of failure */
  int32_t (*read)(void* user, uint64_t offset, void* into, uint64_t length);
  /** 1: several threads may be in `read` at once, as they may in pread(2): then all of the context's read. A
   * single thread copies from the page cache at some GB/s, which is less than a GPU or many cores open */
  uint32_t parallel;
  uint32_t on_device;    /**< 1: `into` is device memory of the context's first device; 0: host memory */
  warpaes_stream stream; /**< with on_device: as in warpaes_chunks */
} warpaes_container_source;

/** Reads plaintext from any place, opening only the chunks that hold it. A read up to the end or from there
 * on opens the last chunk, too, which may be empty and proves that nothing is missing.
 *  @param offset of the first byte, counted from 0; at or past the end nothing is read
 *  @param got null, or written: bytes read, fewer than `length` only at the end; 0 on failure
 *  @param into of source->on_device
 *  @return as warpaes_container_decrypt, and SOURCE if `read` failed. On failure all that `into` would have
 * got is zero; with on_device, as long as CUDA reaches it. TRUNCATED for a source of a length that no
 * container has, and LENGTH for one of more than 2^38 chunks: then nothing has been read, and `into` is as it
 * was */
WARPAES_API warpaes_status warpaes_container_read(const warpaes_container* container,
                                                  const warpaes_container_source* source, uint64_t offset,
                                                  void* into, uint64_t length, uint64_t* got);

/* Files whose key is made of a passphrase, as `warpaes encrypt -p` writes them. They begin with the
 * passphrase's header, which says how the key is made of it; behind that stands the container, whose context
 * string (warpaes_container_options) is that header, followed by a context string of the caller, if there is
 * one. */

/** Makes a passphrase's header, with a fresh salt and the usual costs of the function.
 *  @param algorithm WARPAES_KDF_SCRYPT (128 MiB of memory; every build has it) or WARPAES_KDF_ARGON2ID (64
 * MiB; needs libargon2), else OPTION
 *  @param header written: WARPAES_PASSPHRASE_HEADER_LENGTH bytes. Several files may have the same one, so
 * that their key is made once: each has a salt of its own in its container's header */
WARPAES_API warpaes_status warpaes_passphrase_header_create(warpaes_kdf_algorithm algorithm, void* header);

/** Tells whether a file begins with a passphrase's header.
 *  @param beginning the file's first `length` bytes; WARPAES_PASSPHRASE_HEADER_LENGTH are enough, and fewer
 * are no header
 *  @param algorithm written: the function that the header names, or 0 if the file begins with something else.
 * It must not lie in `beginning` (OVERLAP)
 *  @return OK, or LENGTH for one that no memory has, or OPTION for costs that no file of WarpAES has (more
 * than 1 GiB of memory, 16 times the usual work of scrypt, 21 times that of argon2id, or 64 lanes): nobody's
 * file may take a reader's memory or hours */
WARPAES_API warpaes_status warpaes_passphrase_header_read(const void* beginning, size_t length,
                                                          warpaes_kdf_algorithm* algorithm);

/** Makes the key of a container. It takes a part of a second.
 *  @param header WARPAES_PASSPHRASE_HEADER_LENGTH bytes, of a new file or the beginning of one that exists
 *  @param passphrase 1 byte or more (LENGTH); text is best UTF-8
 *  @param key written: 32 bytes, which must not overlap what is read (OVERLAP). Untouched when arguments are
 * refused, zero when the machine fails
 *  @return OK, or OPTION as warpaes_passphrase_header_read, also for what is no such header; UNSUPPORTED if
 * the machine has no libargon2 for a file that needs it, or HOST_MEMORY. Whether the passphrase is right, the
 * container tells (CONTAINER_KEY) */
WARPAES_API warpaes_status warpaes_passphrase_key(const void* header, const void* passphrase,
                                                  size_t passphrase_length, void* key);

#ifdef __cplusplus
}
#endif
#endif
