// The sentences that go with a Verdict: one for each way to be wrong.
#pragma once

#include "container/cobblestone.hpp"

namespace warpaes::core::cobblestone {

Rejected reject_wrong_key();
/// @param end length of the container, or where its stream ended
Rejected reject_truncated(uint64_t end);
Rejected reject_damaged(uint64_t chunk, uint64_t sealed_bytes);
/// @param end where the container should have ended
Rejected reject_trailing(uint64_t chunk, uint64_t end, std::optional<uint64_t> length);
Rejected reject_too_long();

}  // namespace warpaes::core::cobblestone
