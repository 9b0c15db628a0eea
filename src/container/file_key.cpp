#include "container/file_key.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "derivation/derivation.hpp"
#include "failure.hpp"

namespace warpaes::core::cobblestone {
namespace {

/// The registered name (IANA, "AEAD Algorithms") of AES-GCM with that key.
std::string_view aead_name(size_t key_bytes) {
  if (key_bytes == 16) return "AEAD_AES_128_GCM";
  if (key_bytes == 32) return "AEAD_AES_256_GCM";
  throw Failure(WARPAES_ERROR_KEY_LENGTH, "a container's key is 32 or 16 bytes");
}

/// What is left of the 1024 bytes of information that OpenSSL's HKDF can take.
constexpr size_t kMostContextBytes = 952;

/// "c2sp.org/chunked-encryption@v1+" || aead || 0x00 || salt || context
std::vector<uint8_t> derivation_info(const InputKey& input_key, const Salt& salt) {
  constexpr std::string_view prefix = "c2sp.org/chunked-encryption@v1+";
  const std::string_view aead = aead_name(input_key.key.size());
  if (input_key.context.size() > kMostContextBytes) {
    throw Failure(WARPAES_ERROR_LENGTH, "a container's context string has at most {} bytes, not {}",
                  kMostContextBytes, input_key.context.size());
  }
  std::vector<uint8_t> info(prefix.begin(), prefix.end());
  info.insert(info.end(), aead.begin(), aead.end());
  info.push_back(0);
  info.insert(info.end(), salt.begin(), salt.end());
  info.insert(info.end(), input_key.context.begin(), input_key.context.end());
  return info;
}

}  // namespace

Salt random_salt() {
  Salt salt;
  random_public(salt);
  return salt;
}

FileKey::FileKey(const Context& context, const InputKey& input_key, const Salt& salt) : salt_(salt) {
  Wiped<std::array<uint8_t, 32 + kNonceBytes + kCommitmentBytes>> derived;
  const size_t key_bytes = input_key.key.size();
  const std::vector<uint8_t> info = derivation_info(input_key, salt);  // refuses other key lengths
  const auto used = std::span(derived).first(key_bytes + kNonceBytes + kCommitmentBytes);
  hkdf_expand(input_key.hash, input_key.key, info, used);
  key_.emplace(context, used.first(key_bytes));
  std::ranges::copy(used.subspan(key_bytes, kNonceBytes), base_nonce_.begin());
  std::ranges::copy(used.last(kCommitmentBytes), commitment_.begin());
}

bool FileKey::matches(std::span<const uint8_t, kCommitmentBytes> commitment) const {
  return CRYPTO_memcmp(commitment.data(), commitment_.data(), kCommitmentBytes) == 0;
}

void FileKey::nonces(uint64_t first_chunk, std::span<uint8_t> out) const {
  for (uint64_t chunk = first_chunk; !out.empty(); chunk++, out = out.subspan(kNonceBytes)) {
    std::ranges::copy(base_nonce_, out.begin());
    for (size_t i = 0; i < sizeof chunk; i++) {
      out[kNonceBytes - 1 - i] ^= static_cast<uint8_t>(chunk >> (8 * i));
    }
  }
}

}  // namespace warpaes::core::cobblestone
