// Programs call the library while they end: by destructors of static objects, or by threads that go on.
#pragma once

#include <openssl/crypto.h>

#include <atomic>

#include "failure.hpp"

namespace warpaes::core {

/// OpenSSL frees all it has when exit() begins, unless whoever used it first has said that it stays. So this
/// comes before any use of OpenSSL, and not when the library is loaded: a program may still want to give
/// OpenSSL its own memory functions then. It has no effect where the program has used OpenSSL before.
///
/// OpenSSL's handlers of forks are registered here, too: a fork may wait for a thread that is about to do
/// what needs them (made_once.hpp), and some C libraries let nobody register any meanwhile.
///
/// Throws HOST_MEMORY if OpenSSL had no memory for its set-up, after which most of its functions would use
/// null pointers. OpenSSL tries some of that only once in a process, and then this throws each time.
inline void keep_openssl() {
  static constinit std::atomic<bool> is_kept = false;
  if (is_kept) return;
  if (OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_ATFORK, nullptr) != 1 ||
      OSSL_LIB_CTX_get0_global_default() == nullptr) {
    throw Failure(WARPAES_ERROR_HOST_MEMORY, "OpenSSL had no memory for its set-up");
  }
  is_kept = true;
}

}  // namespace warpaes::core
