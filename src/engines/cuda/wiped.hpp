#pragma once

#include <openssl/crypto.h>

namespace warpaes::core {

/// Kernel arguments hold key material: the host's copy goes with its scope.
template <class Arguments>
struct Wiped : Arguments {
  ~Wiped() { OPENSSL_cleanse(static_cast<Arguments*>(this), sizeof(Arguments)); }
};

}  // namespace warpaes::core
