#include "container/shorter_last_chunk.hpp"

#include <openssl/crypto.h>

#include <algorithm>

#include "primitives/gf128.hpp"
#include "primitives/wiped.hpp"

namespace warpaes::core::cobblestone {
namespace {

/// GCM's tags, SP 800-38D section 7.1, of all beginnings of one ciphertext. They share what GHASH has of
/// whole blocks, so that each takes two products more.
class TagsOfBeginnings {
 public:
  TagsOfBeginnings(const FileKey& file_key, uint64_t chunk) {
    Wiped<std::array<uint8_t, 32>> blocks{};  // encrypted: H and E(J0)
    file_key.nonces(chunk, std::span(blocks).subspan<16, kNonceBytes>());
    blocks.back() = 1;  // J0 of a nonce of 96 bits
    ecb_host(file_key.key(), WARPAES_DIRECTION_ENCRYPT, {blocks.data(), blocks.data(), blocks.size()});
    key_ = gf128_factor(ghash_key(gf128_from_block(blocks.data())));
    mask_ = gf128_from_block(blocks.data() + 16);
  }
  ~TagsOfBeginnings() { OPENSSL_cleanse(this, sizeof *this); }
  TagsOfBeginnings(const TagsOfBeginnings&) = delete;
  TagsOfBeginnings& operator=(const TagsOfBeginnings&) = delete;

  /// The next whole block of ciphertext.
  void add(const uint8_t* block) { sum_ = times_key(sum_ ^ gf128_from_block(block)); }

  /// Of the blocks that were added and fewer than 16 bytes behind them.
  Gf128 tag(std::span<const uint8_t> rest, uint64_t bytes) const {
    Gf128 sum = sum_;
    if (!rest.empty()) {
      std::array<uint8_t, 16> padded{};
      std::ranges::copy(rest, padded.begin());
      sum = times_key(sum ^ gf128_from_block(padded.data()));
    }
    return times_key(sum ^ ghash_lengths(0, bytes)) ^ mask_;
  }

 private:
  Gf128 times_key(Gf128 value) const {
    Gf128Sum product;
    product.add(value, key_);
    return product.reduced();
  }

  Gf128Factor key_;
  Gf128 mask_;
  Gf128 sum_{0, 0};
};

}  // namespace

std::optional<size_t> shorter_last_chunk(const FileKey& file_key, uint64_t chunk,
                                         std::span<const uint8_t> sealed_chunk) {
  TagsOfBeginnings tags(file_key, chunk);
  const size_t longest = std::min(sealed_chunk.size(), kSealedChunkBytes);
  for (size_t bytes = 0; bytes + kTagBytes < longest; bytes++) {
    const size_t whole = bytes / 16 * 16;
    const Gf128 tag = tags.tag(sealed_chunk.subspan(whole, bytes - whole), bytes);
    if (tag == gf128_from_block(sealed_chunk.data() + bytes)) return bytes + kTagBytes;
    if (bytes % 16 == 15) tags.add(sealed_chunk.data() + whole);
  }
  return std::nullopt;
}

}  // namespace warpaes::core::cobblestone
