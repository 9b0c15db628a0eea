// A key made ready for OpenSSL.
#pragma once

#include "engines/engine.hpp"
#include "engines/openssl/cipher_contexts.hpp"

namespace warpaes::openssl {

struct OpensslKey : EngineKey {
  explicit OpensslKey(const KeySchedule& schedule) : contexts(schedule) {}
  mutable CipherContexts contexts;
};

}  // namespace warpaes::openssl
