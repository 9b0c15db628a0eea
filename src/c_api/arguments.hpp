// Checks the messages and batches of the C ABI by the mode table, and turns them into what src/runtime takes.
#pragma once

#include "c_api/handles.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core::c_api {

/// Where is the memory that a call works on? Of device memory, only the addresses can be checked.
enum class Place { host, device };

[[noreturn]] void refuse_member(const ModeRow& mode, const char* member);
/// Throws OPTION if a member is given for which the mode has no use.
/// @param member its name, such as "message->aad"
inline void require_unused(bool given, const ModeRow& mode, const char* member) {
  if (given) refuse_member(mode, member);
}

/// Makes every check of a message that its mode asks for. The lengths of nonce and tag are filled in.
Message checked_message(const Cipher& cipher, Direction direction, const warpaes_message& given, Place place);

/// May a call that is refused set the length of the output to 0? It lies apart from all that the caller
/// gives, as far as that can be memory: other checks have not been made.
bool output_length_is_apart(const Cipher& cipher, Direction direction, const warpaes_message& given);

/// Checks what messages and operations have in common: IV, additional data, the tag's length, and the data
/// unit.
/// @param parameters are filled in
void check_parameters(const Cipher& cipher, const warpaes_message& given, Message& parameters);

struct CheckedBatch {
  Batch batch;
  std::optional<KeyArray> keys;  // if the messages bring keys of their own

  const KeyArray* keys_or_null() const { return keys ? &*keys : nullptr; }
};
CheckedBatch checked_batch(const Cipher& cipher, Direction direction, const warpaes_batch& given,
                           Place place);

}  // namespace warpaes::core::c_api
