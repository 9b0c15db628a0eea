// Does long messages of GCM on the GPU and the CPU's threads together, each message in parts.
#pragma once

#include "engines/batch.hpp"
#include "pipeline/host_run.hpp"

namespace warpaes::core {

/// Is it a batch of GCM whose messages are so long that each should be shared, by engines that can do that?
bool is_for_gcm_shared(const Context& context, const Batch& batch, const HostWork& work);

/// Runs such a batch, message by message. While it runs, plaintext lies in the output whose tag is not known
/// yet; if that turns out to be wrong, the output is zeroed.
void gcm_shared(const Key& key, const Batch& batch);

/// Encrypts text in place as that of a message, by those workers alone, to see how fast they are.
void gcm_shared_by(const Workers& workers, const Key& key, uint8_t* text, uint64_t bytes);

}  // namespace warpaes::core
