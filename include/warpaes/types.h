/* WarpAES: what all parts of warpaes.h are made of. */
#ifndef WARPAES_TYPES_H
#define WARPAES_TYPES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WARPAES_API __attribute__((visibility("default")))
#else
#define WARPAES_API
#endif

/* Engines and a device, and a key made ready for them: context.h. */
typedef struct warpaes_context warpaes_context;
typedef struct warpaes_key warpaes_key;

typedef enum warpaes_direction { WARPAES_ENCRYPT = 0, WARPAES_DECRYPT = 1 } warpaes_direction;

/** A cudaStream_t; null is the default stream. */
typedef struct CUstream_st* warpaes_stream;

#endif
