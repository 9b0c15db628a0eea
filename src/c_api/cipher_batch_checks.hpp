// What the calls for batches of modes and of wrapped keys look at before and after.
#pragma once

#include "c_api/handles.hpp"
#include "modes/cipher_batch.hpp"

namespace warpaes::c_api {

/// Throws the first message's status that is not OK, if one is.
void require_right_messages(const CipherBatch& batch);

/// Throws MEMORY_SPACE, with the pointer's name.
void require_batch_on_device(int device, const CipherBatch& batch);

/// All checks, and the call.
void key_each_on_device(const Engine& engine, int device, const KeyArray& keys, const CipherBatch& batch,
                        Stream stream);

}  // namespace warpaes::c_api
