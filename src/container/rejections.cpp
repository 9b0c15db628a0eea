#include "container/rejections.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>

#include "modes/gcm_parts.hpp"
#include "primitives/host_gf128.hpp"
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
    key_ = ghash_key(gf128_from_block(blocks.data()));
    mask_ = gf128_from_block(blocks.data() + 16);
  }
  ~TagsOfBeginnings() { OPENSSL_cleanse(this, sizeof *this); }
  TagsOfBeginnings(const TagsOfBeginnings&) = delete;
  TagsOfBeginnings& operator=(const TagsOfBeginnings&) = delete;

  /// Takes the next whole block of ciphertext.
  void add(const uint8_t* block) { sum_ = times_key(sum_ ^ gf128_from_block(block)); }

  /// The tag of the blocks that were added and fewer than 16 bytes behind them.
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
  Gf128 times_key(Gf128 value) const { return arithmetic_->multiply(value, key_); }

  const HostGf128* arithmetic_ = &host_gf128();
  Gf128 key_, mask_;
  Gf128 sum_{0, 0};
};

}  // namespace

Rejected reject_wrong_key() {
  return {WARPAES_ERROR_CONTAINER_KEY, 0, 0, "wrong key: this file was encrypted under another one"};
}

Rejected reject_truncated(uint64_t end) {
  if (end < kHeaderBytes) {
    return {WARPAES_ERROR_TRUNCATED, 0, end,
            fmt::format("truncated: {} bytes are too few for a header, which has {}", end, kHeaderBytes)};
  }
  const uint64_t chunk = layout_of(end).chunks;
  return {WARPAES_ERROR_TRUNCATED, chunk, end,
          fmt::format("truncated: the file ends at byte {}, before the end of chunk {}", end, chunk)};
}

Layout checked_layout(uint64_t length) {
  const Layout layout = layout_of(length);
  if (!layout.complete) throw reject_truncated(length);
  if (layout.chunks <= kMaxChunks) return layout;
  throw Rejected(WARPAES_ERROR_LENGTH, kMaxChunks, chunk_offset(kMaxChunks),
                 "damaged: more than 2^38 chunks");
}

std::optional<uint64_t> first_wrong(std::span<const int32_t> statuses) {
  const auto found = std::ranges::find_if(statuses, [](int32_t status) { return status != WARPAES_OK; });
  if (found == statuses.end()) return std::nullopt;
  return static_cast<uint64_t>(found - statuses.begin());
}

Rejected diagnose(const FileKey& file_key, uint64_t chunk, std::span<const uint8_t> sealed_chunk,
                  std::optional<uint64_t> length) {
  const uint64_t begin = chunk_offset(chunk);
  const auto shorter = shorter_last_chunk(file_key, chunk, sealed_chunk);
  if (!shorter) {
    const bool may_be_cut = sealed_chunk.size() < kSealedChunkBytes;
    return {WARPAES_ERROR_AUTHENTICATION, chunk, begin,
            fmt::format("damaged: chunk {} (bytes {} to {}) failed authentication{}", chunk, begin,
                        begin + sealed_chunk.size() - 1,
                        may_be_cut ? ", or the file was cut short inside of it" : "")};
  }
  const uint64_t end = begin + *shorter;
  const std::string excess = length && *length > end ? fmt::format("{} bytes", *length - end) : "bytes";
  return {WARPAES_ERROR_TRAILING_DATA, chunk, end,
          fmt::format("damaged: the data ends in chunk {} at byte {}, and {} follow that do not belong to it",
                      chunk, end, excess)};
}

std::optional<size_t> shorter_last_chunk(const FileKey& file_key, uint64_t chunk,
                                         std::span<const uint8_t> sealed_chunk) {
  TagsOfBeginnings tags(file_key, chunk);
  const size_t longest = std::min(sealed_chunk.size(), kSealedChunkBytes);
  for (size_t bytes = 0; bytes + kTagBytes < longest; bytes++) {
    const size_t whole = bytes / 16 * 16;
    // Whoever knows it can forge this chunk.
    const SecretGf128 tag(tags.tag(sealed_chunk.subspan(whole, bytes - whole), bytes));
    if (tag == gf128_from_block(sealed_chunk.data() + bytes)) return bytes + kTagBytes;
    if (bytes % 16 == 15) tags.add(sealed_chunk.data() + whole);
  }
  return std::nullopt;
}

}  // namespace warpaes::core::cobblestone
