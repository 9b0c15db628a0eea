#pragma once

#include <openssl/crypto.h>

namespace warpaes::core {

/// Wipes a kernel's arguments, which hold key material, when the host's copy of them goes out of scope.
template <class Arguments>
struct WipedArguments : Arguments {
  ~WipedArguments() { OPENSSL_cleanse(static_cast<Arguments*>(this), sizeof(Arguments)); }
};

}  // namespace warpaes::core
