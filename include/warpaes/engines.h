/* WarpAES: what can do the work on this machine. A part of warpaes.h. */
#ifndef WARPAES_ENGINES_H
#define WARPAES_ENGINES_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
