// One message in host memory.
#include "c_api/arguments.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_message* message) {
  return guarded_quickly([&] {
    const warpaes_message given = read_structure(message, "message");
    const auto tell = [&](uint64_t length) {
      if (given.output_length != nullptr) *given.output_length = length;
    };
    bool checked = cipher == nullptr;  // then no memory is worked on
    try {
      const Cipher& bound = cipher_of(cipher);
      const Message right = checked_message(bound, direction, given, Place::host);
      checked = true;
      tell(run_message(bound, right));
    } catch (...) {
      if (checked || output_length_is_apart(cipher->cipher, direction, given)) tell(0);
      throw;
    }
  });
}

}  // namespace

warpaes_status warpaes_encrypt(const warpaes_cipher* cipher, const warpaes_message* message) {
  return run(cipher, WARPAES_DIRECTION_ENCRYPT, message);
}

warpaes_status warpaes_decrypt(const warpaes_cipher* cipher, const warpaes_message* message) {
  return run(cipher, WARPAES_DIRECTION_DECRYPT, message);
}
