// SIV on host memory: the MAC on a CPU engine, the key stream where CTR goes.
#pragma once

#include "modes/siv.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core {

/// Arguments have been checked. Throws AUTHENTICATION for a wrong tag, with the output zeroed.
/// @param mac_key,key of one context and one size
void siv_host(const Key& mac_key, const Key& key, const SivRun& run);

}  // namespace warpaes::core
