#include "derivation/derivation_checks.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include "failure.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

Region region_of(const char* name, InputBytes bytes) { return {name, bytes.data(), 1, 0, bytes.size()}; }

}  // namespace

void require_valid_derivation(std::initializer_list<DerivationInput> inputs, std::span<uint8_t> out,
                              uint64_t least, uint64_t most) {
  if (out.size() < least || out.size() > most) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  fmt::format("{} bytes cannot be derived here, only {} to {}", out.size(), least, most));
  }
  const Region written = region_of("the derived key", out);
  require_valid(written);
  for (const DerivationInput& input : inputs) {
    if (input.bytes.size() > kMaxDerivationInput) {
      throw Failure(WARPAES_ERROR_LENGTH,
                    fmt::format("{} is of more than {} bytes", input.name, kMaxDerivationInput));
    }
    const Region read = region_of(input.name, input.bytes);
    require_valid(read);
    require_disjoint(read, written);
  }
}

void wipe_derived(std::span<uint8_t> out) { OPENSSL_cleanse(out.data(), out.size()); }

}  // namespace warpaes::core
