#include "modes/mode_table.hpp"

#include <algorithm>
#include <array>

#include "failure.hpp"
#include "modes/composed_batches.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

constexpr uint64_t kBlock = 16, kSemiblock = 8, kAny = UINT64_MAX;
constexpr size_t kAnyNonce = SIZE_MAX;

constexpr uint32_t bit(size_t number) { return uint32_t{1} << number; }

// The lengths of keys, in units of 8 bytes, and of tags, in bytes.
constexpr uint32_t kKeysNot192 = bit(2) | bit(4);
constexpr uint32_t kPairs = bit(4) | bit(6) | bit(8);
constexpr uint32_t kTags12To16 = bit(12) | bit(13) | bit(14) | bit(15) | bit(16);
constexpr char kAnyNonceAndTag12To16[] = "a nonce of 1 byte or more and a tag of 12 to 16 bytes";
constexpr uint32_t kTags8To16 = bit(8) | bit(9) | bit(10) | bit(11) | kTags12To16;

constexpr uint64_t same(uint64_t bytes) { return bytes; }
constexpr uint64_t nothing(uint64_t) { return 0; }
constexpr uint64_t padded(uint64_t bytes) {
  return bytes > kAny - kBlock ? kAny : bytes / kBlock * kBlock + kBlock;
}
constexpr uint64_t wrapped(uint64_t bytes) {
  if (bytes > kAny - 2 * kSemiblock) return kAny;
  return (bytes + kSemiblock - 1) / kSemiblock * kSemiblock + kSemiblock;
}
constexpr uint64_t unwrapped(uint64_t bytes) { return bytes < kSemiblock ? 0 : bytes - kSemiblock; }

constexpr LengthRule kAnyLength{.output = same};
constexpr LengthRule kWholeBlocks{.least = kBlock,
                                  .most = kAny / kBlock * kBlock,
                                  .multiple = kBlock,
                                  .sentence = "the mode works on whole blocks of 16 bytes",
                                  .output = same};
constexpr LengthRule kPadding{.most = kAny - kBlock, .sentence = "too long to be padded", .output = padded};
constexpr LengthRule kUnpadding{
    .least = kBlock,
    .multiple = kBlock,
    .or_none = false,
    .sentence = "a padded ciphertext is one block of 16 bytes or more, and whole blocks",
    .output = same};
constexpr LengthRule kStealing{.least = kBlock,
                               .or_none = false,
                               .sentence = "ciphertext stealing needs 16 bytes or more",
                               .output = same};
constexpr LengthRule kDataUnits{.least = kXtsMinUnitBytes,
                                .sentence = "an XTS data unit is 16 bytes to 16 MiB (2^20 blocks)",
                                .output = same};
constexpr LengthRule kMessageOfMac{.output = nothing};

/// SP 800-38F section 5.3.1: KW takes 2 to 2^54 - 1 semiblocks, KWP 1 to 2^32 - 1 bytes.
constexpr uint64_t kKwMost = ((uint64_t{1} << 54) - 1) * kSemiblock, kKwpMost = (uint64_t{1} << 32) - 1;
constexpr LengthRule kKwWrap{.least = 2 * kSemiblock,
                             .most = kKwMost,
                             .multiple = kSemiblock,
                             .or_none = false,
                             .sentence = "KW wraps 16 bytes or more, in multiples of 8 (KWP any number)",
                             .output = wrapped};
constexpr LengthRule kKwUnwrap{.least = 3 * kSemiblock,
                               .most = kKwMost + kSemiblock,
                               .multiple = kSemiblock,
                               .or_none = false,
                               .sentence = "what KW wrapped is a multiple of 8 bytes, 24 or more",
                               .output = unwrapped};
constexpr LengthRule kKwpWrap{.least = 1,
                              .most = kKwpMost,
                              .or_none = false,
                              .sentence = "KWP wraps 1 to 2^32 - 1 bytes",
                              .output = wrapped};
constexpr LengthRule kKwpUnwrap{.least = 2 * kSemiblock,
                                .most = kKwpMost + 1 + kSemiblock,
                                .multiple = kSemiblock,
                                .or_none = false,
                                .sentence = "what KWP wrapped is a multiple of 8 bytes, 16 or more",
                                .output = unwrapped};

constexpr LengthRule at_most(uint64_t most, const char* sentence) {
  LengthRule rule = kAnyLength;
  rule.most = most;
  rule.sentence = sentence;
  return rule;
}

constexpr uint64_t kGcmMostAad = (uint64_t{1} << 61) - 1;  // that is 2^64 - 1 bits
constexpr uint64_t kGcmSivMost = uint64_t{1} << 36;
constexpr uint64_t kOcbMost = uint64_t{1} << 52;  // that is 2^48 blocks
constexpr LengthRule kGcmLength = at_most(kGcmMaxBytes, "GCM has messages of at most 2^36 - 32 bytes"),
                     kGcmSivLength = at_most(kGcmSivMost, "GCM-SIV has messages of at most 2^36 bytes"),
                     kOcbLength = at_most(kOcbMost, "OCB3 has messages of at most 2^52 bytes"),
                     kGmacLength{.most = kGcmMostAad,
                                 .sentence = "GMAC has messages of at most 2^61 - 1 bytes",
                                 .output = nothing};

/// The row of a mode that encrypts and does not authenticate, without the members that its own row fills in.
constexpr ModeRow cipher(const char* name, const char* standard, size_t iv, LengthRule encrypt,
                         LengthRule decrypt, Chains chains, CipherMode encrypting, CipherMode decrypting) {
  return {.name = name,
          .standard = standard,
          .shortest_nonce = iv,
          .longest_nonce = iv,
          .recommended_nonce = iv,
          .nonce_and_tag = "an IV of 16 bytes",
          .encrypt = encrypt,
          .decrypt = decrypt,
          .chains = chains,
          .composed = cipher_composed,
          .cipher_encrypt = encrypting,
          .cipher_decrypt = decrypting};
}

constexpr const char* kSp38a = "SP 800-38A";

/// The row of a mode that adds a key stream to the message.
constexpr ModeRow key_stream(const char* name, Chains chains, CipherMode mode) {
  ModeRow row = cipher(name, kSp38a, 16, kAnyLength, kAnyLength, chains, mode, mode);
  row.breaks_by_repetition = true;
  return row;
}

constexpr ModeRow xts() {
  ModeRow row = cipher("XTS", "IEEE 1619, SP 800-38E", 16, kDataUnits, kDataUnits, Chains::never,
                       CipherMode::xts_encrypt, CipherMode::xts_decrypt);
  row.key_count = 2;
  row.key_lengths = kPairs;
  row.nonce_and_tag = "a tweak of 16 bytes";
  row.longest_unit = kXtsMaxUnitBytes;
  return row;
}

/// The row of a mode that wraps keys.
constexpr ModeRow key_wrap(const char* name, const char* standard, LengthRule wrap, LengthRule unwrap,
                           CipherMode wrapping, CipherMode unwrapping) {
  ModeRow row = cipher(name, standard, 0, wrap, unwrap, Chains::always, wrapping, unwrapping);
  row.authenticates = true;
  row.nonce_and_tag = "";
  return row;
}

/// The row of an AEAD mode, or of GMAC, by what its own row says: `row` has all members but these.
constexpr ModeRow aead(LengthRule lengths, ModeRow row) {
  row.authenticates = row.is_aead = true;
  row.encrypt = row.decrypt = lengths;
  return row;
}

constexpr const char* kAddendum = "SP 800-38A addendum";
using enum CipherMode;
constexpr std::array kRows = {
    // SP 800-38D section 5.2.1.
    aead(kGcmLength, {.name = "GCM",
                      .standard = "SP 800-38D",
                      .shortest_nonce = 1,
                      .longest_nonce = kAnyNonce,
                      .recommended_nonce = 12,
                      .breaks_by_repetition = true,
                      .tag_lengths = kTags12To16,
                      .longest_aad = kGcmMostAad,
                      .nonce_and_tag = kAnyNonceAndTag12To16,
                      .composed = gcm_composed}),
    // RFC 8452 section 6.
    aead(kGcmSivLength, {.name = "GCM-SIV",
                         .standard = "RFC 8452",
                         .key_lengths = kKeysNot192,
                         .shortest_nonce = 12,
                         .longest_nonce = 12,
                         .recommended_nonce = 12,
                         .tag_lengths = bit(16),
                         .longest_aad = kGcmSivMost,
                         .nonce_and_tag = "a nonce of 12 bytes and a tag of 16",
                         .composed = gcm_siv_composed}),
    // SP 800-38C appendix A.1: the message's length is written in the bytes that the nonce leaves of 15. The
    // standard also has tags of 4 and 6 bytes, for callers who limit how often one may be wrong (appendix
    // B.2). A library cannot do that.
    aead(kAnyLength, {.name = "CCM",
                      .standard = "SP 800-38C",
                      .shortest_nonce = 7,
                      .longest_nonce = 13,
                      .recommended_nonce = 12,
                      .breaks_by_repetition = true,
                      .tag_lengths = bit(8) | bit(10) | bit(12) | bit(14) | bit(16),
                      .longest_aad = kAny,
                      .nonce_and_tag = "a nonce of 7 to 13 bytes and a tag of 8, 10, 12, 14 or 16",
                      .longest_with_nonce =
                          [](size_t nonce_bytes) {
                            return nonce_bytes <= 7 ? kAny : (uint64_t{1} << 8 * (15 - nonce_bytes)) - 1;
                          },
                      .chains = Chains::always,
                      .composed = ccm_composed}),
    aead(kAnyLength, {.name = "EAX",
                      .standard = "EAX (Bellare, Rogaway, Wagner 2004)",
                      .shortest_nonce = 1,
                      .longest_nonce = kAnyNonce,
                      .recommended_nonce = 16,
                      .breaks_by_repetition = true,
                      .tag_lengths = kTags12To16,
                      .longest_aad = kAny,
                      .nonce_and_tag = kAnyNonceAndTag12To16,
                      .chains = Chains::always,
                      .composed = eax_composed}),
    // RFC 7253 sections 3.1, 4.2 and 5: 2^48 blocks under a key.
    aead(kOcbLength, {.name = "OCB3",
                      .standard = "RFC 7253",
                      .shortest_nonce = 1,
                      .longest_nonce = 15,
                      .recommended_nonce = 12,
                      .breaks_by_repetition = true,
                      .tag_lengths = bit(8) | bit(12) | bit(16),
                      .longest_aad = kOcbMost,
                      .nonce_and_tag = "a nonce of 1 to 15 bytes and a tag of 8, 12 or 16",
                      .composed = ocb3_composed}),
    // RFC 5297 sections 2.4 and 3: the nonce is one of the strings of S2V, which may have any length. The
    // limits of section 7 are beyond any memory.
    aead(kAnyLength, {.name = "SIV",
                      .standard = "RFC 5297",
                      .key_count = 2,
                      .key_lengths = kPairs,
                      .longest_nonce = kAnyNonce,
                      .tag_lengths = bit(16),
                      .longest_aad = kAny,
                      .nonce_and_tag = "a nonce of any length, or none, and a tag of 16 bytes",
                      .chains = Chains::always,
                      .composed = siv_composed}),

    cipher("ECB", kSp38a, 0, kWholeBlocks, kWholeBlocks, Chains::never, ecb_encrypt, ecb_decrypt),
    cipher("ECB-PKCS7", "SP 800-38A, RFC 5652", 0, kPadding, kUnpadding, Chains::never, ecb_pkcs7_encrypt,
           ecb_pkcs7_decrypt),
    cipher("CBC", kSp38a, 16, kWholeBlocks, kWholeBlocks, Chains::encrypting, cbc_encrypt, cbc_decrypt),
    cipher("CBC-PKCS7", "SP 800-38A, RFC 5652", 16, kPadding, kUnpadding, Chains::encrypting,
           cbc_pkcs7_encrypt, cbc_pkcs7_decrypt),
    cipher("CBC-CS1", kAddendum, 16, kStealing, kStealing, Chains::encrypting, cbc_cs1_encrypt,
           cbc_cs1_decrypt),
    cipher("CBC-CS2", kAddendum, 16, kStealing, kStealing, Chains::encrypting, cbc_cs2_encrypt,
           cbc_cs2_decrypt),
    cipher("CBC-CS3", kAddendum, 16, kStealing, kStealing, Chains::encrypting, cbc_cs3_encrypt,
           cbc_cs3_decrypt),
    cipher("CFB", kSp38a, 16, kAnyLength, kAnyLength, Chains::encrypting, cfb_encrypt, cfb_decrypt),
    cipher("CFB8", kSp38a, 16, kAnyLength, kAnyLength, Chains::encrypting, cfb8_encrypt, cfb8_decrypt),
    cipher("CFB1", kSp38a, 16, kAnyLength, kAnyLength, Chains::encrypting, cfb1_encrypt, cfb1_decrypt),
    key_stream("OFB", Chains::always, CipherMode::ofb),
    key_stream("CTR", Chains::never, CipherMode::ctr),
    xts(),

    // SP 800-38B appendix A.2: tags of 64 bits or more.
    ModeRow{.name = "CMAC",
            .standard = "SP 800-38B",
            .authenticates = true,
            .has_output = false,
            .tag_lengths = kTags8To16,
            .nonce_and_tag = "a tag of 8 to 16 bytes",
            .encrypt = kMessageOfMac,
            .decrypt = kMessageOfMac,
            .chains = Chains::always,
            .composed = cmac_composed,
            .cipher_encrypt = cmac,
            .cipher_decrypt = cmac_check},
    aead(kGmacLength, {.name = "GMAC",
                       .standard = "SP 800-38D",
                       .has_output = false,
                       .shortest_nonce = 1,
                       .longest_nonce = kAnyNonce,
                       .recommended_nonce = 12,
                       .breaks_by_repetition = true,
                       .tag_lengths = kTags12To16,
                       .nonce_and_tag = kAnyNonceAndTag12To16,
                       .composed = gcm_composed}),
    key_wrap("KW", "SP 800-38F, RFC 3394", kKwWrap, kKwUnwrap, kw_wrap, kw_unwrap),
    key_wrap("KWP", "SP 800-38F, RFC 5649", kKwpWrap, kKwpUnwrap, kwp_wrap, kwp_unwrap),
};
static_assert(kRows.size() == WARPAES_MODE_KWP && std::tuple_size_v<ModeSupports> == kRows.size() + 1);
static_assert(std::ranges::all_of(kRows, [](const ModeRow& row) {
  return row.encrypt.output != nullptr && row.decrypt.output != nullptr;
}));

/// The lengths of keys in words, for example "16, 24 or 32".
std::string key_lengths_in_words(const ModeRow& mode) {
  std::string words;
  for (size_t bytes = 64; bytes != 0; bytes -= 8) {
    if (!mode.takes_key(bytes)) continue;
    const char* const joint = words.empty() ? "" : words.find("or") == std::string::npos ? " or " : ", ";
    words = std::to_string(bytes) + joint + words;
  }
  return words;
}

}  // namespace

void LengthRule::refuse(uint64_t bytes) const {
  throw Failure(WARPAES_ERROR_LENGTH, "{}, not {}", sentence, bytes);
}

void ModeRow::require_unit(Direction direction, uint64_t bytes) const {
  if (!has_unit(direction, bytes)) lengths(direction).refuse(bytes);  // memory that long is refused as such
}

void ModeRow::require_length(Direction direction, size_t nonce_bytes, uint64_t bytes) const {
  const uint64_t most =
      longest_with_nonce == nullptr ? lengths(direction).most : longest_with_nonce(nonce_bytes);
  if (bytes <= most) return;
  throw Failure(WARPAES_ERROR_LENGTH, "{}{} has messages of at most {} bytes, not {}", name,
                longest_with_nonce == nullptr ? "" : " with this nonce", most, bytes);
}

std::span<const ModeRow> mode_rows() { return kRows; }

const ModeRow& mode_row(warpaes_mode mode) {
  const size_t index = size_t{mode} - 1;  // mode 0 becomes an index behind the table
  if (index < kRows.size()) return kRows[index];
  throw Failure(WARPAES_ERROR_MODE, "no mode has the number {}", mode);
}

void require_key_length(const ModeRow& mode, size_t bytes) {
  if (mode.takes_key(bytes)) return;
  throw Failure(WARPAES_ERROR_KEY_LENGTH, "{} has keys of {} bytes, not {}", mode.name,
                key_lengths_in_words(mode), bytes);
}

void require_nonce_length(const ModeRow& mode, size_t bytes) {
  if (bytes >= mode.shortest_nonce && bytes <= mode.longest_nonce) return;
  throw Failure(WARPAES_ERROR_NONCE_LENGTH, "{} takes {}, not a nonce of {}", mode.name, mode.nonce_and_tag,
                bytes);
}

void require_tag_length(const ModeRow& mode, size_t bytes) {
  if (mode.takes_tag(bytes)) return;
  throw Failure(WARPAES_ERROR_TAG_LENGTH, "{} takes {}, not a tag of {}", mode.name, mode.nonce_and_tag,
                bytes);
}

void require_aad_length(const ModeRow& mode, uint64_t bytes) {
  if (bytes <= mode.longest_aad) return;
  throw Failure(WARPAES_ERROR_LENGTH, "{} has additional data of at most {} bytes, not {}", mode.name,
                mode.longest_aad, bytes);
}

}  // namespace warpaes::core
