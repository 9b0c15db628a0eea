// The checks that all functions of derivation.hpp make first.
#pragma once

#include <initializer_list>

#include "derivation/derivation.hpp"

namespace warpaes::core {

struct DerivationInput {
  const char* name;
  InputBytes bytes;
};

/// RFC 8018 and RFC 7914 allow more, which takes hours and which nobody needs.
constexpr uint64_t kMaxDerivedBytes = uint64_t{1} << 30;

/// OpenSSL has lengths of type int, libargon2 of 32 bits.
constexpr uint64_t kMaxDerivationInput = INT32_MAX;

/// 16 GiB: more memory than that for a passphrase must be a mistake.
constexpr uint64_t kMaxDerivationMemory = uint64_t{16} << 30;

/// Throws LENGTH, NULL_POINTER or OVERLAP.
void require_valid_derivation(std::initializer_list<DerivationInput> inputs, std::span<uint8_t> out,
                              uint64_t least, uint64_t most);

/// Sets to zero what a failed derivation has left.
void wipe_derived(std::span<uint8_t> out);

}  // namespace warpaes::core
