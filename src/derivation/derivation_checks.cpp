#include "derivation/derivation_checks.hpp"

#include <openssl/crypto.h>

#include "failure.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {

void require_valid_derivation(std::initializer_list<DerivationInput> inputs, std::span<uint8_t> out,
                              uint64_t least, uint64_t most) {
  if (out.size() < least || out.size() > most) {
    throw Failure(WARPAES_ERROR_LENGTH, "{} bytes cannot be derived here, only {} to {}", out.size(), least,
                  most);
  }
  const MemoryRange written = checked_range("the derived key", out.data(), out.size());
  for (const auto& [name, bytes] : inputs) {
    if (bytes.size() > kMaxDerivationInput) {
      throw Failure(WARPAES_ERROR_LENGTH, "{} is of more than {} bytes", name, kMaxDerivationInput);
    }
    require_apart(checked_range(name, bytes.data(), bytes.size()), written);
  }
}

void wipe_derived(std::span<uint8_t> out) { OPENSSL_cleanse(out.data(), out.size()); }

}  // namespace warpaes::core
