/* WarpAES: contexts and keys. A part of warpaes.h. */
#ifndef WARPAES_CONTEXT_H
#define WARPAES_CONTEXT_H

#include "warpaes/engines.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
