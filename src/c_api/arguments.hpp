// The C ABI's messages and batches checked against the mode table, and made into what the runtime takes.
#pragma once

#include "c_api/structures.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core::c_api {

/// Where is the memory that a call works on? Of device memory, only addresses can be looked at.
enum class Place { host, device };

/// Throws OPTION for a member that the mode has no use for.
/// @param member as "message->aad"
void require_unused(bool given, const ModeRow& mode, const char* member);

/// All that can be said against a message. The nonce's and the tag's lengths are filled in.
Message checked_message(const Cipher& cipher, Direction direction, const warpaes_message& given, Place place);

/// What messages and operations have: IV, additional data, tag's length, data unit.
/// @param parameters to be filled in
void check_parameters(const Cipher& cipher, const warpaes_message& given, Message& parameters);

struct CheckedBatch {
  Batch batch;
  std::optional<KeyArray> keys;  // if the messages bring theirs

  const KeyArray* keys_or_null() const { return keys ? &*keys : nullptr; }
};
CheckedBatch checked_batch(const Cipher& cipher, Direction direction, const warpaes_batch& given,
                           Place place);

}  // namespace warpaes::core::c_api
