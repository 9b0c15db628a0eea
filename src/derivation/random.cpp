#include <openssl/rand.h>

#include <algorithm>
#include <climits>

#include "derivation/derivation_checks.hpp"
#include "failure.hpp"
#include "modes/regions.hpp"
#include "process/openssl_stays.hpp"

namespace warpaes::core {
namespace {

/// Fills `out` in steps, as OpenSSL counts in ints.
void fill(std::span<uint8_t> out, int (*generate)(unsigned char* to, int bytes)) {
  checked_range("the output", out.data(), out.size());
  keep_openssl();
  for (std::span<uint8_t> rest = out; !rest.empty();) {
    const size_t now = std::min<size_t>(rest.size(), INT_MAX);
    if (generate(rest.data(), static_cast<int>(now)) != 1) {
      wipe_derived(out);
      throw Failure(WARPAES_ERROR_INTERNAL, "OpenSSL's random generator failed");
    }
    rest = rest.subspan(now);
  }
}

}  // namespace

void random_secret(std::span<uint8_t> out) { fill(out, RAND_priv_bytes); }
void random_public(std::span<uint8_t> out) { fill(out, RAND_bytes); }

}  // namespace warpaes::core
