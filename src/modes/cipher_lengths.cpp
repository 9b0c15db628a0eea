#include "modes/cipher_lengths.hpp"

#include <string>

#include "modes/cipher_batch.hpp"
#include "modes/modes.hpp"

namespace warpaes {
namespace {

constexpr uint64_t kBlock = 16, kSemiblock = 8, kNone = UINT64_MAX;

/// What a mode takes: `least` to `most` bytes, of a multiple of `unit`; and 0 bytes?
struct Lengths {
  uint64_t least, most, unit;
  bool none;
  const char* rule;
};

/// KW takes 2 to 2^54 - 1 semiblocks, KWP 1 to 2^32 - 1 bytes: SP 800-38F section 5.3.1.
constexpr uint64_t kKwMost = ((uint64_t{1} << 54) - 1) * kSemiblock, kKwpMost = (uint64_t{1} << 32) - 1;

Lengths lengths_of(CipherMode mode) {
  using enum CipherMode;
  switch (mode) {
    case xts_encrypt:
    case xts_decrypt:
      return {kXtsMinUnitBytes, kXtsMaxUnitBytes, 1, true,
              "an XTS data unit is 16 bytes to 16 MiB (2^20 blocks)"};
    case kw_wrap:
      return {2 * kSemiblock, kKwMost, kSemiblock, false,
              "KW wraps 16 bytes or more, in multiples of 8 (KWP any number)"};
    case kwp_wrap:
      return {1, kKwpMost, 1, false, "KWP wraps 1 to 2^32 - 1 bytes"};
    case kw_unwrap:
      return {3 * kSemiblock, kKwMost + kSemiblock, kSemiblock, false,
              "what KW wrapped is a multiple of 8 bytes, 24 or more"};
    case kwp_unwrap:
      return {2 * kSemiblock, kKwpMost + 1 + kSemiblock, kSemiblock, false,
              "what KWP wrapped is a multiple of 8 bytes, 16 or more"};
    case ecb_pkcs7_encrypt:
    case cbc_pkcs7_encrypt:
      return {0, kNone - kBlock, 1, true, "too long to be padded"};
    case ecb_pkcs7_decrypt:
    case cbc_pkcs7_decrypt:
      return {kBlock, kNone, kBlock, false, "a padded ciphertext is one block or more, and whole blocks"};
    case cbc_cs1_encrypt:
    case cbc_cs1_decrypt:
    case cbc_cs2_encrypt:
    case cbc_cs2_decrypt:
    case cbc_cs3_encrypt:
    case cbc_cs3_decrypt:
      return {kBlock, kNone, 1, false, "ciphertext stealing needs a block or more"};
    default:
      return needs_whole_blocks(mode)
                 ? Lengths{kBlock, kNone, kBlock, !makes_tags(mode), "the mode works on whole blocks of 16"}
                 : Lengths{0, kNone, 1, true, ""};
  }
}

}  // namespace

bool length_is_allowed(CipherMode mode, uint64_t bytes) {
  const Lengths lengths = lengths_of(mode);
  if (bytes == 0) return lengths.none;
  return bytes >= lengths.least && bytes <= lengths.most && bytes % lengths.unit == 0;
}

void require_length(CipherMode mode, uint64_t bytes) {
  if (length_is_allowed(mode, bytes)) return;
  throw Failure(WARPAES_ERROR_LENGTH, lengths_of(mode).rule + std::string(", not ") + std::to_string(bytes));
}

uint64_t output_bytes(CipherMode mode, uint64_t bytes) {
  using enum CipherMode;
  if (makes_tags(mode)) return 0;
  if (!changes_length(mode)) return bytes;
  if (unpads(mode)) return bytes;
  if (unwraps_keys(mode)) return bytes < kSemiblock ? 0 : bytes - kSemiblock;
  if (bytes > kNone - 2 * kBlock) return kNone;
  if (pads(mode)) return bytes / kBlock * kBlock + kBlock;
  return (bytes + kSemiblock - 1) / kSemiblock * kSemiblock + kSemiblock;
}

}  // namespace warpaes
