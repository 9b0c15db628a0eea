// CCM and OCB3 through EVP, which interleaves their two passes, or does many blocks at once.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core::openssl {

/// EVP takes a CCM message in one piece, and counts its bytes in int.
constexpr uint64_t kLongestCcm = 0x7fffffff;

void run_ccm(const BatchKey& key, const Batch& batch, void*, Stream);
void run_ocb3(const BatchKey& key, const Batch& batch, void*, Stream);

}  // namespace warpaes::core::openssl
