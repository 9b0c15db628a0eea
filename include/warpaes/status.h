/* WarpAES: what calls answer. A part of warpaes.h. */
#ifndef WARPAES_STATUS_H
#define WARPAES_STATUS_H

#include "warpaes/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Result of every call. Bands: 0 done; 1-99 the caller's arguments; 100-199 the data; 200-299 CUDA
 *  and engines; 300-399 the machine and this library. */
typedef int32_t warpaes_status;
WARPAES_ENUM(int32_t){
    WARPAES_OK = 0,

    WARPAES_ERROR_NULL_POINTER = 1, /**< where an object or memory is needed; not listed at every call */
    WARPAES_ERROR_KEY_LENGTH = 2,   /**< the mode has no key of this length */
    WARPAES_ERROR_LENGTH = 3,       /**< the mode, or the call, has no data of this length */
    WARPAES_ERROR_NONCE_LENGTH = 4, /**< the mode forbids a nonce of this length */
    WARPAES_ERROR_TAG_LENGTH = 5,   /**< the mode forbids a tag of this length */
    WARPAES_ERROR_OVERLAP = 6,      /**< input and output overlap without being equal */
    WARPAES_ERROR_WORKSPACE = 7,    /**< workspace missing, too small or not 16-byte aligned */
    WARPAES_ERROR_OPTION = 8,       /**< an options structure holds a value of no meaning */
    WARPAES_ERROR_MEMORY_SPACE = 9, /**< a host pointer where device memory is needed, or other device */
    WARPAES_ERROR_STRIDE = 10,      /**< a stride too short, or one nonce for all messages */
    WARPAES_ERROR_XTS_KEYS = 11,    /**< the two halves of an XTS key are equal */
    WARPAES_ERROR_BUFFER_SIZE = 12, /**< too little room for the output */
    WARPAES_ERROR_STATE = 13,       /**< an operation that is over, a cipher without key or nonces left */
    WARPAES_ERROR_MODE = 14,        /**< no such mode, or one that this call is not for */

    WARPAES_ERROR_AUTHENTICATION = 100, /**< wrong tag: wrong key or nonce, or damaged data */
    WARPAES_ERROR_PADDING = 101,        /**< wrong padding: wrong key or IV, or damaged data */
    WARPAES_ERROR_BATCH =
        102, /**< at least one message of the batch failed; `statuses` says what became of each */
    WARPAES_ERROR_CONTAINER_KEY =
        103, /**< a container of another key or context string, or one with a damaged header */
    WARPAES_ERROR_TRUNCATED = 104,     /**< the end of a container is missing */
    WARPAES_ERROR_TRAILING_DATA = 105, /**< something was appended to a container */
    WARPAES_ERROR_SOURCE = 106,        /**< what the caller gave to read from could not be read */

    WARPAES_ERROR_CUDA = 200,           /**< a CUDA call failed; the message names it */
    WARPAES_ERROR_DEVICE_MEMORY = 201,  /**< the GPU has too little free memory; the context is alive */
    WARPAES_ERROR_NO_DEVICE = 202,      /**< no such device, or no driver */
    WARPAES_ERROR_UNKNOWN_ENGINE = 203, /**< no engine of that name */
    WARPAES_ERROR_ENGINE_UNAVAILABLE =
        204,                       /**< the engine exists and cannot run here; the message says why */
    WARPAES_ERROR_SELF_TEST = 205, /**< wrongly computed: a known answer, or a chunk that was checked */
    WARPAES_ERROR_UNSUPPORTED =
        206, /**< this engine has no such operation (device calls need a GPU engine) */
    WARPAES_ERROR_CAPTURE =
        207, /**< a stream is being captured, and CUDA forbids then what this call needs */

    WARPAES_ERROR_HOST_MEMORY = 300,
    WARPAES_ERROR_FORKED = 301, /**< the process forked after GPU use, as a CUDA context does not survive
                                   that, or during the call */
    WARPAES_ERROR_FILE = 302,   /**< a file of the library's own could not be written; the message says why */
    WARPAES_ERROR_INTERNAL = 399};

/** Name of a status, as "WARPAES_ERROR_OVERLAP"; never null. */
WARPAES_API const char* warpaes_status_name(warpaes_status status);

/** One English sentence that says what the status means; never null. */
WARPAES_API const char* warpaes_status_string(warpaes_status status);

/** What the calling thread's last failed call had to say, in full; "" before any failure.
 *  Valid until the thread's next failed call. */
WARPAES_API const char* warpaes_last_error(void);

#ifdef __cplusplus
}
#endif
#endif
