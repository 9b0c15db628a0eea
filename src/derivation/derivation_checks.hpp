// What all functions of derivation.hpp look at first.
#pragma once

#include <initializer_list>

#include "derivation/derivation.hpp"

namespace warpaes::core {

struct DerivationInput {
  const char* name;
  InputBytes bytes;
};

/// RFC 8018 and RFC 7914 allow more, which nobody needs and which takes hours.
constexpr uint64_t kMaxDerivedBytes = uint64_t{1} << 30;

/// OpenSSL's lengths are ints, libargon2's are of 32 bits.
constexpr uint64_t kMaxDerivationInput = INT32_MAX;

/// 16 GiB: what a passphrase may cost before it must be a mistake.
constexpr uint64_t kMaxDerivationMemory = uint64_t{16} << 30;

/// Throws LENGTH, NULL_POINTER, OVERLAP.
void require_valid_derivation(std::initializer_list<DerivationInput> inputs, std::span<uint8_t> out,
                              uint64_t least, uint64_t most);

/// Makes what a failed derivation left zero.
void wipe_derived(std::span<uint8_t> out);

}  // namespace warpaes::core
