/* WarpAES: contexts, and what can do the work on this machine. A part of warpaes.h. */
#ifndef WARPAES_CONTEXT_H
#define WARPAES_CONTEXT_H

#include "warpaes/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an attacker who measures time can learn (docs/side-channels.md). */
typedef uint32_t warpaes_timing;
WARPAES_ENUM(uint32_t){
    WARPAES_TIMING_LEAKY = 0,         /**< secret-dependent addresses reach a cache: reference code */
    WARPAES_TIMING_CONFLICT_FREE = 1, /**< secret-indexed shared memory, each lane in a bank of its own */
    WARPAES_TIMING_STRICT = 2         /**< no secret-dependent address or branch */
};

/** What a context is made for. Set the structure to zero and then its size for the defaults. */
typedef struct warpaes_context_options {
  size_t size;        /**< sizeof(warpaes_context_options) */
  const char* engine; /**< null or "auto": the best for each call. Otherwise a name from warpaes_engine_get:
                           "cuda", "openssl", "portable", or one implementation as "cuda/bitsliced". A context
                           whose engine was named never uses another one */
  int32_t device;     /**< CUDA device of the GPU engine, if `devices` is null */
  warpaes_timing timing;  /**< the weakest class that is acceptable; LEAKY (0) accepts all */
  uint32_t threads;       /**< CPU threads for host memory, at most 4096; 0: one for each processor that this
                             process may run on */
  uint32_t reserved;      /**< must be 0 */
  const int32_t* devices; /**< null, or the CUDA devices that share calls on host memory, each of them once.
                             Then `device` must be 0. Calls on device memory are for the first one. With
                             engine "auto" each must be there (NO_DEVICE), but for a list of nothing but 0,
                             which is the default and may be missing */
  size_t device_count; /**< how many they are; or WARPAES_ALL_DEVICES, with null: all that there are, and with
                            engine "auto" it is no error if there is none */
} warpaes_context_options;

#define WARPAES_ALL_DEVICES SIZE_MAX

/** Chooses engines, checks them with known answers and sets up the device: whatever may allocate or
 * synchronise happens here and in warpaes_cipher_create, so that the device calls need not. Here the known
 * answers are those of GCM; the other modes' follow before the first cipher that is of one of them, once in a
 * process. A context may be used by several threads at the same time.
 *  @param options null for the defaults
 *  @return OK, or UNKNOWN_ENGINE, ENGINE_UNAVAILABLE, NO_DEVICE, SELF_TEST or OPTION. On failure *context is
 * null */
WARPAES_API warpaes_status warpaes_context_create(const warpaes_context_options* options,
                                                  warpaes_context** context);

/** Frees a context whose ciphers and operations have been destroyed. Null is allowed. */
WARPAES_API void warpaes_context_destroy(warpaes_context* context);

/** The engine that calls of `length` bytes of host memory go to. With engine "auto", a GPU's means that it
 * and the CPU's threads share them.
 *  @param name written: a name such as "cuda", valid as long as the library is loaded */
WARPAES_API warpaes_status warpaes_context_engine(const warpaes_context* context, uint64_t length,
                                                  const char** name);

/** How fast one kind of work on host memory is: of calls that are as long as `least_length` and shorter than
 * the next entry of the same work. Speeds are in bytes a second. */
typedef struct warpaes_host_speed {
  const char* work;          /**< "stream": modes whose blocks are independent; "gcm"; "chained": messages of
                                which each is one thread's, as in CBC encryption. Never freed */
  uint64_t least_length;     /**< bytes of a call */
  double one_thread;         /**< of the CPU */
  double all_threads;        /**< of the context, on the CPU alone */
  double with_gpu_pageable;  /**< the same and the GPUs, on ordinary memory; 0: no GPU, or it failed */
  double with_gpu_pinned;    /**< on page-locked memory, as of warpaes_host_alloc */
  uint32_t gpu_for_pageable; /**< 1: the GPUs take part in such calls on ordinary memory, if the call is work
                                for all threads */
  uint32_t gpu_for_pinned;   /**< the same on page-locked memory */
  uint64_t reserved[2];      /**< 0 */
} warpaes_host_speed;

#define WARPAES_MOST_HOST_SPEEDS 16

/** What warpaes_context_calibrate has measured and stored. */
typedef struct warpaes_calibration {
  size_t size;                                         /**< sizeof(warpaes_calibration), set by the caller */
  size_t speed_count;                                  /**< how many of `speeds` there are */
  warpaes_host_speed speeds[WARPAES_MOST_HOST_SPEEDS]; /**< one kind of work after the other, short calls
                                                          first */
  char file[4096]; /**< where they are stored, or were to be (FILE); "" if the user has no folder for that */
  char why_no_gpu[256]; /**< why no GPU takes part; "" if the context has one */
} warpaes_calibration;

/** Measures how fast the context's CPU threads are on host memory, alone and together with its GPUs, which
 * decides whether a GPU takes part in a call. That takes some seconds, in which nothing else should run, and
 * half a gigabyte of memory. A context measures by itself what it needs when it first needs it; this function
 * measures everything and stores it in the user's cache folder, $XDG_CACHE_HOME/warpaes or ~/.cache/warpaes,
 * for contexts that are like this one: with the same version of the library, GPUs, driver, CPU, engines and
 * number of threads. It is the only function that writes a file. Contexts read the file at their first long
 * call, and those that have done so before go on as they were.
 *  @param calibration written; also with FILE
 *  @return OK; UNSUPPORTED for a context that was created for one engine, or has no engine of the CPU's, as
 * there is nothing to choose; HOST_MEMORY; or FILE if the speeds could not be stored */
WARPAES_API warpaes_status warpaes_context_calibrate(const warpaes_context* context,
                                                     warpaes_calibration* calibration);

/** What is known of an engine, which is one way to compute AES. */
typedef struct warpaes_engine_info {
  size_t size;               /**< sizeof(warpaes_engine_info), set by the caller */
  const char* name;          /**< "cuda", "openssl", "portable" */
  const char* kernel;        /**< the implementation inside, such as "lane_private_tables" */
  const char* description;   /**< one sentence */
  warpaes_timing timing;     /**< what its time may depend on */
  uint32_t on_device;        /**< 1: works on device memory, and on host memory through it */
  uint32_t available;        /**< 1: can run here, and its self-test passed */
  uint32_t failed_self_test; /**< 1: could run here, and computes wrongly */
  char reason[256];          /**< why it is not available; "" if it is */
  int32_t device;            /**< set by the caller: the CUDA device that is asked about */
  uint32_t reserved;         /**< written: 0 */
} warpaes_engine_info;

/** Describes one engine, the best first, and runs its self-test if that has not been done in this process.
 *  @param index counts from 0
 *  @return OK, or OPTION for a number that is no engine: whoever counts upwards from 0 until then has seen
 * all engines */
WARPAES_API warpaes_status warpaes_engine_get(size_t index, warpaes_engine_info* info);

/** A CUDA device. */
typedef struct warpaes_device_info {
  size_t size;             /**< sizeof(warpaes_device_info), set by the caller */
  char name[256];          /**< as CUDA gives it, such as "NVIDIA H200" */
  int32_t compute_major;   /**< compute capability, before the point */
  int32_t compute_minor;   /**< and behind it */
  int32_t multiprocessors; /**< how many it has */
  int32_t driver_version;  /**< 13000 = CUDA 13.0 */
  int32_t runtime_version; /**< of the CUDA runtime that this library was built with */
  int32_t reserved;        /**< written: 0 */
  uint64_t memory_size;    /**< bytes */
  uint64_t memory_free;    /**< bytes */
} warpaes_device_info;

/** Describes a CUDA device, which makes a CUDA context on it.
 *  @param device counts from 0
 *  @param info written; null asks only whether there is such a device, and makes no context
 *  @return OK, or NO_DEVICE for a number that is no device, or CUDA: whoever counts upwards from 0 until
 * NO_DEVICE has seen all devices. Without a driver there is none */
WARPAES_API warpaes_status warpaes_device_get(uint32_t device, warpaes_device_info* info);

/** Host memory for bulk input and output: page-locked ("pinned") if the context has a GPU engine, so that
 * copies to and from the device run at full speed. It is zero at first, kept out of core dumps, and wiped
 * when it is freed. A child of fork() has no copy of page-locked memory but shares its parent's; what the
 * child frees, the parent keeps.
 *  @param memory written: null on failure (HOST_MEMORY). Free it with warpaes_host_free, before the context
 */
WARPAES_API warpaes_status warpaes_host_alloc(const warpaes_context* context, size_t length, void** memory);

/** Wipes and frees what warpaes_host_alloc gave; null is allowed.
 *  @return OPTION for memory that is not of this context's warpaes_host_alloc */
WARPAES_API warpaes_status warpaes_host_free(const warpaes_context* context, void* memory);

#ifdef __cplusplus
}
#endif
#endif
