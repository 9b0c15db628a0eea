// Random bytes, and keys derived from other secrets: by any function, and of passphrases by what a
// container's file says.
#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "c_api/handles.hpp"
#include "container/passphrase_header.hpp"
#include "derivation/derivation.hpp"
#include "modes/regions.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;
using cobblestone::PassphraseHeader;

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

/// An algorithm, and the names of the members that it uses besides secret and salt.
struct Row {
  const char* name;
  void (*derive)(const warpaes_kdf& kdf, const Inputs& given);
  std::array<std::string_view, 5> uses;
};

constexpr std::array kRows = {
    Row{"HKDF", derive_hkdf, {"hash", "info"}},
    Row{"PBKDF2", derive_pbkdf2, {"hash", "iterations"}},
    Row{"scrypt", derive_scrypt, {"cost", "block_size", "lanes"}},
    Row{"argon2id", derive_argon2id, {"info", "pepper", "iterations", "memory_kib", "lanes"}},
};
static_assert(kRows.size() == WARPAES_KDF_ARGON2ID);

void require_used(const Row& row, const warpaes_kdf& kdf) {
  const struct {
    std::string_view name;
    bool given;
  } members[] = {
      {"hash", kdf.hash != 0},
      {"info", kdf.info != nullptr || kdf.info_length != 0},
      {"pepper", kdf.pepper != nullptr || kdf.pepper_length != 0},
      {"iterations", kdf.iterations != 0},
      {"memory_kib", kdf.memory_kib != 0},
      {"cost", kdf.cost != 0},
      {"block_size", kdf.block_size != 0},
      {"lanes", kdf.lanes != 0},
  };
  for (const auto& [name, given] : members) {
    if (!given || std::ranges::find(row.uses, name) != row.uses.end()) continue;
    throw Failure(WARPAES_ERROR_OPTION, "{} has no use for kdf->{}, which must be 0", row.name, name);
  }
}

/// Derives a key, and wipes it if that fails. A derivation that throws a Failure has done so by itself, or
/// has refused the arguments before the key was touched.
template <class Derive>
void derive_into(std::span<uint8_t> key, const Derive& derive) {
  try {
    derive(key);
  } catch (const Failure&) {
    throw;
  } catch (...) {
    OPENSSL_cleanse(key.data(), key.size());
    throw;
  }
}

constexpr size_t kContainerKeyBytes = 32;

PassphraseHeader bearable_header(const void* header) {
  require(header, "header");
  const auto found = PassphraseHeader::at({bytes_at(header), WARPAES_PASSPHRASE_HEADER_LENGTH});
  if (!found) throw Failure(WARPAES_ERROR_OPTION, "the header is none of a passphrase");
  found->require_bearable();
  return *found;
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
      throw Failure(WARPAES_ERROR_OPTION, "kdf->algorithm is {}, which is none", given.algorithm);
    }
    require_used(kRows[index], given);
    if (length != 0) require(output, "output");
    const InputBytes secret = input(given.secret, given.secret_length, "kdf->secret"),
                     salt = input(given.salt, given.salt_length, "kdf->salt");
    derive_into({bytes_at(output), length},
                [&](std::span<uint8_t> key) { kRows[index].derive(given, {secret, salt, key}); });
  });
}

warpaes_status warpaes_passphrase_header_create(warpaes_kdf_algorithm algorithm, void* header) {
  return guarded([&] {
    require(header, "header");
    std::ranges::copy(PassphraseHeader::fresh(algorithm).bytes(), bytes_at(header));
  });
}

warpaes_status warpaes_passphrase_header_read(const void* beginning, size_t length,
                                              warpaes_kdf_algorithm* algorithm) {
  return guarded([&] {
    require(algorithm, "algorithm");
    if (beginning != nullptr) {
      require_apart(checked_range("the beginning", beginning, length),
                    checked_range("the algorithm", algorithm, sizeof *algorithm));
    }
    *algorithm = 0;
    const auto header = PassphraseHeader::at(input(beginning, length, "beginning"));
    if (!header) return;
    *algorithm = header->function();
    header->require_bearable();
  });
}

warpaes_status warpaes_passphrase_key(const void* header, const void* passphrase, size_t passphrase_length,
                                      void* key) {
  return guarded([&] {
    const PassphraseHeader known = bearable_header(header);
    const InputBytes secret = input(passphrase, passphrase_length, "passphrase");
    require(key, "key");
    require_apart(checked_range("the header", header, WARPAES_PASSPHRASE_HEADER_LENGTH),
                  checked_range("the key", key, kContainerKeyBytes));
    if (secret.empty()) throw Failure(WARPAES_ERROR_LENGTH, "the passphrase is empty");
    derive_into({bytes_at(key), kContainerKeyBytes},
                [&](std::span<uint8_t> made) { known.derive_key(secret, made); });
  });
}
