#include "process/openssl_stays.hpp"

#include <openssl/crypto.h>

#include <atomic>

namespace warpaes::core {

/// OpenSSL's handlers of forks are registered here, too: a fork may wait for a thread that is about to do
/// what needs them (made_once.hpp), and some C libraries let nobody register any meanwhile.
void keep_openssl() {
  static constinit std::atomic<bool> is_kept = false;
  if (is_kept) return;
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_ATFORK, nullptr);
  is_kept = true;
}

}  // namespace warpaes::core
