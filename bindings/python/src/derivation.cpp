// Random bytes, and the keys that are made of passphrases.
#include "buffer.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

nb::bytes random_bytes(size_t length) {
  nb::bytes made = new_bytes(length);
  check(warpaes_random(data_of(made), length));
  return made;
}

/// What stands before the container of a new file whose key is made of a passphrase.
nb::bytes passphrase_header(warpaes_kdf_algorithm algorithm) {
  nb::bytes made = new_bytes(WARPAES_PASSPHRASE_HEADER_LENGTH);
  check(warpaes_passphrase_header_create(algorithm, data_of(made)));
  return made;
}

/// The function that the beginning of a file names, or 0. Whether its costs are bearable is for
/// passphrase_key() to say.
warpaes_kdf_algorithm passphrase_algorithm(nb::handle beginning_object) {
  const Buffer beginning = Buffer::reading(beginning_object, "beginning");
  warpaes_kdf_algorithm algorithm = 0;
  const warpaes_status status =
      warpaes_passphrase_header_read(beginning.data(), beginning.length(), &algorithm);
  if (status != WARPAES_ERROR_OPTION) check(status);
  return algorithm;
}

/// Into memory of the caller, who can wipe it: a bytes object cannot be wiped.
void passphrase_key(nb::handle header_object, nb::handle passphrase_object, nb::handle into) {
  const Buffer header = Buffer::reading(header_object, "header"),
               passphrase = Buffer::reading(passphrase_object, "passphrase"),
               key = Buffer::writing(into, "into");
  if (header.length() != WARPAES_PASSPHRASE_HEADER_LENGTH || key.length() != 32) {
    throw nb::value_error("a passphrase's header has 48 bytes, and its key 32");
  }
  check(without_gil([&] {
    return warpaes_passphrase_key(header.data(), passphrase.data(), passphrase.length(), key.data());
  }));
}

}  // namespace

void add_derivation(nb::module_& module) {
  module.def("random_bytes", random_bytes, nb::arg("length"));
  module.attr("KDF_SCRYPT") = WARPAES_KDF_SCRYPT + 0;
  module.attr("KDF_ARGON2ID") = WARPAES_KDF_ARGON2ID + 0;
  module.def("passphrase_header", passphrase_header, nb::arg("algorithm"));
  module.def("passphrase_algorithm", passphrase_algorithm, nb::arg("beginning"));
  module.def("passphrase_key", passphrase_key, nb::arg("header"), nb::arg("passphrase"), nb::arg("into"));
}

}  // namespace warpaes::python
