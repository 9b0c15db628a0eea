/* WarpAES: AES for data that lives on GPUs, and for host memory. The C interface, which includes all of it:
 *
 *   context.h    which engines do the work, and how fast; devices; page-locked memory
 *   mode.h       the modes of operation, in one list
 *   cipher.h     a key with its mode: one message, many, on the host and on the device; sealed messages
 *   operation.h  a message that comes in parts
 *   container.h  encrypted files: chunks of them, and any range of bytes
 *   kdf.h        random bytes and derived keys
 *   status.h     what calls return
 *
 * Nothing here prints, aborts or throws, and a thread that is cancelled (pthread_cancel, deferred) ends its
 * call first. Every call that can fail returns a status, and warpaes_last_error() has the whole sentence.
 * Lengths are in bytes. warpaes/simple.h has one-line calls for the commonest modes, warpaes/warpaes.hpp all
 * of it for C++20. */
#ifndef WARPAES_WARPAES_H
#define WARPAES_WARPAES_H

#include "warpaes/cipher.h"
#include "warpaes/container.h"
#include "warpaes/context.h"
#include "warpaes/kdf.h"
#include "warpaes/mode.h"
#include "warpaes/operation.h"
#include "warpaes/status.h"
#include "warpaes/types.h"

#define WARPAES_VERSION_MAJOR 0
#define WARPAES_VERSION_MINOR 1
#define WARPAES_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that is loaded, as "0.1.0". */
WARPAES_API const char* warpaes_version(void);

#ifdef __cplusplus
}
#endif
#endif
