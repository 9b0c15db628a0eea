// SIV on host memory: the MAC on a CPU engine, the key stream where CTR goes.
#pragma once

#include "modes/siv.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core {

/// Throws OPTION for keys of two contexts, KEY_LENGTH for two sizes.
void require_siv_keys(const Key& mac_key, const Key& key);

/// Throws AUTHENTICATION for a wrong tag, with the output zeroed.
void siv_host(const Key& mac_key, const Key& key, const SivRun& run);

}  // namespace warpaes::core
