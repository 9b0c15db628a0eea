// A key made ready for OpenSSL.
#pragma once

#include "engines/engine.hpp"
#include "engines/openssl/cipher_contexts.hpp"

namespace warpaes::core::openssl {

struct OpensslKey : EngineKey {
  explicit OpensslKey(const KeySchedule& schedule) : contexts(schedule) {}
  mutable CipherContexts contexts;
};

}  // namespace warpaes::core::openssl
