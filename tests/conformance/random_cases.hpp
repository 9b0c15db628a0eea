// Cases drawn at random: mode, key size, length, alignment, in place or not, batches, nonces, tags,
// forgeries. What is expected comes from two engines, which must agree, as for the generated cases.
#pragma once

#include "batch_cases.hpp"
#include "generated_cases.hpp"

namespace warpaes::core::conformance {

/// A case depends on `seed` and its number only, so that one which fails can be had again: both are in its
/// name. Each is encrypted, and then decrypted or, where the mode authenticates, sometimes forged.
/// @param largest bytes of the largest message
/// @param visit_batch takes those that are batches of other forms
void visit_random_cases(uint64_t seed, uint64_t cases, uint64_t largest, Share& share, const Visitor& visit,
                        const BatchVisitor& visit_batch);

}  // namespace warpaes::core::conformance
