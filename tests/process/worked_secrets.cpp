#include "worked_secrets.hpp"

#include <algorithm>

#include "modes/chain.hpp"
#include "primitives/fips197_rounds.hpp"

namespace warpaes::core::testing {

const Bytes kKey = counted(16, 1), kSecondKey = counted(16, 2), kNonce = counted(12, 3), kIv = counted(16, 4);

Bytes counted(size_t bytes, uint8_t first) {
  Bytes made(bytes);
  for (uint8_t& byte : made) byte = first = static_cast<uint8_t>(167 * first + 13);
  return made;
}

Bytes sum(Bytes a, const Bytes& b) {
  xor_bytes(a.data(), a.data(), b.data(), std::min(a.size(), b.size()));
  return a;
}

Bytes part(const Bytes& of, size_t at, size_t bytes) {
  return {of.begin() + static_cast<ptrdiff_t>(at), of.begin() + static_cast<ptrdiff_t>(at + bytes)};
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes Aes::of(Bytes block) const {
  fips197::encrypt_block(schedule_, block.data(), block.data());
  return block;
}

Batch Message::batch(warpaes_mode mode, Direction direction) {
  return {.mode = mode,
          .direction = direction,
          .messages = 1,
          .bytes = data.size(),
          .input = data.data(),
          .output = data.data(),
          .host_nonce = kNonce.data(),
          .host_nonce_bytes = kNonce.size(),
          .aad = aad.data(),
          .aad_bytes = aad.size(),
          .tags = tag.data(),
          .tag_bytes = 16,
          .statuses = &status};
}

}  // namespace warpaes::core::testing
