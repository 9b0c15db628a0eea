// One message in host memory.
#include "c_api/arguments.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

warpaes_status run(const warpaes_cipher* cipher, Direction direction, const warpaes_message* message) {
  return guarded_quickly([&] {
    const warpaes_message given = read_structure(message, "message");
    if (given.output_length != nullptr) *given.output_length = 0;
    const Cipher& bound = cipher_of(cipher);
    const uint64_t length = run_message(bound, checked_message(bound, direction, given, Place::host));
    if (given.output_length != nullptr) *given.output_length = length;
  });
}

}  // namespace

warpaes_status warpaes_encrypt(const warpaes_cipher* cipher, const warpaes_message* message) {
  return run(cipher, WARPAES_DIRECTION_ENCRYPT, message);
}

warpaes_status warpaes_decrypt(const warpaes_cipher* cipher, const warpaes_message* message) {
  return run(cipher, WARPAES_DIRECTION_DECRYPT, message);
}
