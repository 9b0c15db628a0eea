// XTS through EVP, which has it for keys of 128 and 256 bits.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core::openssl {

void run_xts(const XtsKeys& keys, Direction direction, const XtsRun& run, Stream);

}  // namespace warpaes::core::openssl
