// Random bytes and key derivation of the C ABI.

#include "c_api/handles.hpp"
#include "derivation/derivation.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

InputBytes span_of(const void* data, size_t bytes, const char* name) {
  if (bytes != 0) require(data, name);
  return {bytes_at(data), bytes};
}

std::span<uint8_t> span_of(void* data, size_t bytes) {
  if (bytes != 0) require(data, "out");
  return {bytes_at(data), bytes};
}

Argon2idCosts costs_of(const warpaes_argon2id_options& options) {
  require_layout(options, "options", "warpaes_argon2id_options");
  if (options.reserved0 != 0) throw Failure(WARPAES_ERROR_OPTION, "options.reserved0 is not zero");
  Argon2idCosts costs;
  if (options.iterations != 0) costs.iterations = options.iterations;
  if (options.memory_kib != 0) costs.memory_kib = options.memory_kib;
  if (options.lanes != 0) costs.lanes = options.lanes;
  return costs;
}

}  // namespace

warpaes_status warpaes_random(void* out, size_t bytes) {
  return guarded([&] { random_secret(span_of(out, bytes)); });
}

warpaes_status warpaes_hkdf(warpaes_hash hash, const void* key, size_t key_bytes, const void* salt,
                            size_t salt_bytes, const void* info, size_t info_bytes, void* out,
                            size_t out_bytes) {
  return guarded([&] {
    hkdf(hash, span_of(key, key_bytes, "key"), span_of(salt, salt_bytes, "salt"),
         span_of(info, info_bytes, "info"), span_of(out, out_bytes));
  });
}

warpaes_status warpaes_pbkdf2(warpaes_hash hash, const void* passphrase, size_t passphrase_bytes,
                              const void* salt, size_t salt_bytes, uint32_t iterations, void* out,
                              size_t out_bytes) {
  return guarded([&] {
    pbkdf2(hash, span_of(passphrase, passphrase_bytes, "passphrase"), span_of(salt, salt_bytes, "salt"),
           iterations, span_of(out, out_bytes));
  });
}

warpaes_status warpaes_scrypt(const void* passphrase, size_t passphrase_bytes, const void* salt,
                              size_t salt_bytes, uint64_t n, uint32_t r, uint32_t p, void* out,
                              size_t out_bytes) {
  return guarded([&] {
    scrypt(span_of(passphrase, passphrase_bytes, "passphrase"), span_of(salt, salt_bytes, "salt"), {n, r, p},
           span_of(out, out_bytes));
  });
}

warpaes_status warpaes_argon2id(const void* passphrase, size_t passphrase_bytes, const void* salt,
                                size_t salt_bytes, const warpaes_argon2id_options* options, void* out,
                                size_t out_bytes) {
  return guarded([&] {
    const Argon2idCosts costs = options ? costs_of(*options) : Argon2idCosts{};
    const InputBytes secret =
        options ? span_of(options->secret, options->secret_bytes, "secret") : InputBytes{};
    const InputBytes associated_data =
        options ? span_of(options->associated_data, options->associated_data_bytes, "associated_data")
                : InputBytes{};
    argon2id(span_of(passphrase, passphrase_bytes, "passphrase"), span_of(salt, salt_bytes, "salt"), secret,
             associated_data, costs, span_of(out, out_bytes));
  });
}
