/* WarpAES: the types that all parts of warpaes.h are made of.
 *
 * Conventions of every structure whose address a call is given: its first member is `size`, which the caller
 * sets to the structure's sizeof. A program that was compiled with an older header passes a smaller size, and
 * the members that it lacks count as zero; a larger size is accepted as long as the bytes that this library
 * does not know are zero. So set a structure to zero first, then its size and what you need. Members named
 * `reserved` must be zero. The small structures inside others, such as warpaes_bytes, have no size: they stay
 * as they are.
 *
 * Every enumeration is a type of fixed width, and its constants follow it. */
#ifndef WARPAES_TYPES_H
#define WARPAES_TYPES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WARPAES_API __attribute__((visibility("default")))
#else
#define WARPAES_API
#endif

/** An enumeration whose values are of `type`: C11 cannot say so, C++ can. */
#ifdef __cplusplus
#define WARPAES_ENUM(type) enum : type
#else
#define WARPAES_ENUM(type) enum
#endif

/** Engines, a device and CPU threads: context.h. */
typedef struct warpaes_context warpaes_context;
/** A key that belongs to one mode, made ready for the engines of a context: cipher.h. */
typedef struct warpaes_cipher warpaes_cipher;
/** A message that comes in parts: operation.h. */
typedef struct warpaes_operation warpaes_operation;

/** What is done with a message. */
typedef uint32_t warpaes_direction;
WARPAES_ENUM(uint32_t){
    WARPAES_DIRECTION_ENCRYPT = 0, /**< also: make a tag, wrap a key */
    WARPAES_DIRECTION_DECRYPT = 1, /**< also: check a tag, unwrap a key */
    /** Of warpaes_operation_create alone: the tag is checked when all of the plaintext has been written. */
    WARPAES_DIRECTION_DECRYPT_UNVERIFIED = 2};

/** A cudaStream_t; null is the default stream. */
typedef struct CUstream_st* warpaes_stream;

#endif
