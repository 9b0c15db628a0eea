// Random bytes, and keys derived from other secrets.
#include <openssl/crypto.h>

#include <array>
#include <string>

#include "c_api/structures.hpp"
#include "derivation/derivation.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

InputBytes input(const void* data, size_t length, const char* name) {
  if (length != 0) require(data, name);
  return {bytes_at(data), length};
}

/// The secret, the salt and the output, which all algorithms have.
struct Inputs {
  InputBytes secret, salt;
  std::span<uint8_t> output;
};

warpaes_hash hash_of(const warpaes_kdf& kdf) { return kdf.hash != 0 ? kdf.hash : WARPAES_HASH_SHA256; }

void derive_hkdf(const warpaes_kdf& kdf, const Inputs& given) {
  hkdf(hash_of(kdf), given.secret, given.salt, input(kdf.info, kdf.info_length, "kdf->info"), given.output);
}

void derive_pbkdf2(const warpaes_kdf& kdf, const Inputs& given) {
  pbkdf2(hash_of(kdf), given.secret, given.salt, kdf.iterations, given.output);
}

void derive_scrypt(const warpaes_kdf& kdf, const Inputs& given) {
  scrypt(given.secret, given.salt, {kdf.cost, kdf.block_size, kdf.lanes}, given.output);
}

void derive_argon2id(const warpaes_kdf& kdf, const Inputs& given) {
  Argon2idCosts costs;
  if (kdf.iterations != 0) costs.iterations = kdf.iterations;
  if (kdf.memory_kib != 0) costs.memory_kib = kdf.memory_kib;
  if (kdf.lanes != 0) costs.lanes = kdf.lanes;
  argon2id(given.secret, given.salt, input(kdf.pepper, kdf.pepper_length, "kdf->pepper"),
           input(kdf.info, kdf.info_length, "kdf->info"), costs, given.output);
}

/// An algorithm, and which members it uses besides secret and salt.
struct Row {
  const char* name;
  void (*derive)(const warpaes_kdf& kdf, const Inputs& given);
  bool hash = false, info = false, pepper = false, iterations = false, memory_kib = false, cost = false,
       block_size = false, lanes = false;
};

constexpr std::array kRows = {
    Row{.name = "HKDF", .derive = derive_hkdf, .hash = true, .info = true},
    Row{.name = "PBKDF2", .derive = derive_pbkdf2, .hash = true, .iterations = true},
    Row{.name = "scrypt", .derive = derive_scrypt, .cost = true, .block_size = true, .lanes = true},
    Row{.name = "argon2id",
        .derive = derive_argon2id,
        .info = true,
        .pepper = true,
        .iterations = true,
        .memory_kib = true,
        .lanes = true},
};
static_assert(kRows.size() == WARPAES_KDF_ARGON2ID);

void require_used(const Row& row, const warpaes_kdf& kdf) {
  const struct {
    const char* name;
    bool used, given;
  } members[] = {
      {"hash", row.hash, kdf.hash != 0},
      {"info", row.info, kdf.info != nullptr || kdf.info_length != 0},
      {"pepper", row.pepper, kdf.pepper != nullptr || kdf.pepper_length != 0},
      {"iterations", row.iterations, kdf.iterations != 0},
      {"memory_kib", row.memory_kib, kdf.memory_kib != 0},
      {"cost", row.cost, kdf.cost != 0},
      {"block_size", row.block_size, kdf.block_size != 0},
      {"lanes", row.lanes, kdf.lanes != 0},
  };
  for (const auto& member : members) {
    if (!member.given || member.used) continue;
    throw Failure(WARPAES_ERROR_OPTION,
                  std::string(row.name) + " has no use for kdf->" + member.name + ", which must be 0");
  }
}

}  // namespace

warpaes_status warpaes_random(void* output, size_t length) {
  return guarded([&] {
    if (length != 0) require(output, "output");
    random_secret({bytes_at(output), length});
  });
}

warpaes_status warpaes_derive_key(const warpaes_kdf* kdf, void* output, size_t length) {
  return guarded([&] {
    const warpaes_kdf given = read_structure(kdf, "kdf");
    const size_t index = size_t{given.algorithm} - 1;  // algorithm 0 becomes an index behind the table
    if (index >= kRows.size()) {
      throw Failure(WARPAES_ERROR_OPTION,
                    "kdf->algorithm is " + std::to_string(given.algorithm) + ", which is none");
    }
    require_used(kRows[index], given);
    if (length != 0) require(output, "output");
    const Inputs from{input(given.secret, given.secret_length, "kdf->secret"),
                      input(given.salt, given.salt_length, "kdf->salt"),
                      {bytes_at(output), length}};
    try {
      kRows[index].derive(given, from);
    } catch (const Failure&) {  // it has wiped, or refused its arguments
      throw;
    } catch (...) {
      OPENSSL_cleanse(output, length);
      throw;
    }
  });
}
