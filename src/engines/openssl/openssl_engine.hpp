// The CPU engine of the product: OpenSSL's libcrypto through EVP.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

extern const Engine openssl_evp;

}  // namespace warpaes::core
