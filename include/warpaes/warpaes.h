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

#include "warpaes/aead.h"
#include "warpaes/block_modes.h"
#include "warpaes/cipher_batch.h"
#include "warpaes/cipher_modes.h"
#include "warpaes/context.h"
#include "warpaes/engines.h"
#include "warpaes/kdf.h"
#include "warpaes/key_wrap.h"
#include "warpaes/operation.h"
#include "warpaes/sealed_message.h"
#include "warpaes/siv.h"
#include "warpaes/status.h"
#include "warpaes/types.h"
#include "warpaes/xts.h"

#define WARPAES_VERSION_MAJOR 0
#define WARPAES_VERSION_MINOR 1
#define WARPAES_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/** "0.1.0". */
WARPAES_API const char* warpaes_version(void);

#ifdef __cplusplus
}
#endif
#endif
