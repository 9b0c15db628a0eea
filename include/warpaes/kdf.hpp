// Random bytes and key derivation for C++20: kdf.h, which says what each call does. A part of warpaes.hpp.
#pragma once

#include "warpaes/kdf.h"
#include "warpaes/memory.hpp"

namespace warpaes {
inline namespace v0 {

using Hash = warpaes_hash;

inline void random(Output out) { detail::require(warpaes_random(out.data(), out.size())); }

inline void hkdf(Hash hash, Input key, Input salt, Input info, Output out) {
  detail::require(warpaes_hkdf(hash, key.data(), key.size(), salt.data(), salt.size(), info.data(),
                               info.size(), out.data(), out.size()));
}

inline void pbkdf2(Hash hash, Input passphrase, Input salt, uint32_t iterations, Output out) {
  detail::require(warpaes_pbkdf2(hash, passphrase.data(), passphrase.size(), salt.data(), salt.size(),
                                 iterations, out.data(), out.size()));
}

struct ScryptCosts {
  uint64_t n = uint64_t{1} << 17;
  uint32_t r = 8, p = 1;
};

inline void scrypt(Input passphrase, Input salt, const ScryptCosts& costs, Output out) {
  detail::require(warpaes_scrypt(passphrase.data(), passphrase.size(), salt.data(), salt.size(), costs.n,
                                 costs.r, costs.p, out.data(), out.size()));
}

struct Argon2idCosts {
  uint32_t iterations = 3, memory_kib = 65536, lanes = 4;
};

inline void argon2id(Input passphrase, Input salt, const Argon2idCosts& costs, Output out) {
  warpaes_argon2id_options plain = {};
  plain.size = sizeof plain;
  plain.iterations = costs.iterations;
  plain.memory_kib = costs.memory_kib;
  plain.lanes = costs.lanes;
  detail::require(warpaes_argon2id(passphrase.data(), passphrase.size(), salt.data(), salt.size(), &plain,
                                   out.data(), out.size()));
}

}  // namespace v0
}  // namespace warpaes
