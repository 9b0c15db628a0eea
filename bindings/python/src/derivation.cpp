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

/// Into memory of the caller, who can wipe it: a bytes object cannot be wiped.
void derive(const warpaes_kdf& kdf, nb::handle secret_object, nb::handle salt_object, nb::handle into) {
  const Buffer secret = Buffer::reading(secret_object, "passphrase"),
               salt = Buffer::reading(salt_object, "salt"), output = Buffer::writing(into, "into");
  warpaes_kdf given = kdf;
  given.size = sizeof given;
  given.secret = secret.data();
  given.secret_length = secret.length();
  given.salt = salt.data();
  given.salt_length = salt.length();
  check(without_gil([&] { return warpaes_derive_key(&given, output.data(), output.length()); }));
}

void scrypt(nb::handle secret, nb::handle salt, uint64_t cost, uint32_t block_size, uint32_t lanes,
            nb::handle into) {
  warpaes_kdf kdf{};
  kdf.algorithm = WARPAES_KDF_SCRYPT;
  kdf.cost = cost;
  kdf.block_size = block_size;
  kdf.lanes = lanes;
  derive(kdf, secret, salt, into);
}

void argon2id(nb::handle secret, nb::handle salt, uint32_t iterations, uint32_t memory_kib, uint32_t lanes,
              nb::handle into) {
  warpaes_kdf kdf{};
  kdf.algorithm = WARPAES_KDF_ARGON2ID;
  kdf.iterations = iterations;
  kdf.memory_kib = memory_kib;
  kdf.lanes = lanes;
  derive(kdf, secret, salt, into);
}

}  // namespace

void add_derivation(nb::module_& module) {
  module.def("random_bytes", random_bytes, nb::arg("length"));
  module.def("scrypt", scrypt, nb::arg("secret"), nb::arg("salt"), nb::arg("cost"), nb::arg("block_size"),
             nb::arg("lanes"), nb::arg("into"));
  module.def("argon2id", argon2id, nb::arg("secret"), nb::arg("salt"), nb::arg("iterations"),
             nb::arg("memory_kib"), nb::arg("lanes"), nb::arg("into"));
}

}  // namespace warpaes::python
