// A table of the modes as their standards define them, with OpenSSL's answers. The tests of the C interface
// walk it, and what the library says about its modes is compared with it. (tests/modes/mode_messages.hpp, in
// contrast, takes the modes as the library lists them, so that a new mode is tested at once.)
#pragma once

#include <algorithm>
#include <span>

#include "handles_for_tests.hpp"

namespace warpaes::core::testing {

/// A message with all that its mode takes. Both keys of XTS and SIV are in `key`, one behind the other.
struct Example {
  Bytes key, nonce, aad, text;
  size_t tag_length = 0;
};

/// What encryption makes of an example.
struct Answer {
  Bytes output, tag;
};

struct ModeRow {
  warpaes_mode mode;
  const char* name;
  const char* standard;
  uint32_t key_count;
  uint32_t key_lengths;  // bit n: 8 * n bytes, all keys together
  uint64_t shortest_nonce, longest_nonce, recommended_nonce;
  uint32_t tag_lengths;                               // bit n: n bytes
  uint64_t shortest, longest, multiple, longest_aad;  // of XTS: of a data unit
  uint64_t (*grown)(uint64_t length);                 // the length of a message's ciphertext
  Answer (*answer)(const Example& example);

  bool has_nonce() const { return longest_nonce > 0; }
  bool needs_nonce() const { return shortest_nonce > 0; }
  /// Do messages that share key and nonce give away their plaintexts' sum, or the tags' key?
  bool breaks_by_repetition() const {
    return needs_nonce() && mode != WARPAES_MODE_GCM_SIV && mode != WARPAES_MODE_XTS &&
           (has_tag() || mode == WARPAES_MODE_CTR || mode == WARPAES_MODE_OFB);
  }
  bool has_tag() const { return tag_lengths != 0; }
  bool has_aad() const { return longest_aad > 0; }
  bool has_output() const { return mode != WARPAES_MODE_CMAC && mode != WARPAES_MODE_GMAC; }
  bool wraps_keys() const { return mode == WARPAES_MODE_KW || mode == WARPAES_MODE_KWP; }
  bool has_pkcs7() const { return mode == WARPAES_MODE_ECB_PKCS7 || mode == WARPAES_MODE_CBC_PKCS7; }
  bool authenticates() const { return has_tag() || wraps_keys(); }
  /// Does decryption take padding off, so that the message is shorter than what is written?
  bool unpads() const { return has_pkcs7() || mode == WARPAES_MODE_KWP; }
  /// Does decryption notice that a message is wrong?
  bool notices() const { return authenticates() || has_pkcs7(); }
  warpaes_status noticed() const {
    return has_pkcs7() ? WARPAES_ERROR_PADDING : WARPAES_ERROR_AUTHENTICATION;
  }
  bool encrypts_and_authenticates() const { return has_tag() && has_output(); }

  /// The shortest message of at least `length` bytes.
  size_t some_length(size_t length) const {
    const auto least = std::max<size_t>(length, shortest);
    return (least + multiple - 1) / multiple * multiple;
  }
  /// XTS has data units of 16 bytes or more, and a message may have none of them.
  bool has_empty() const { return shortest == 0 || mode == WARPAES_MODE_XTS; }
  /// What decryption of `length` bytes writes, the zeros behind an unpadded message included.
  uint64_t opened_length(uint64_t length) const { return wraps_keys() ? length - 8 : length; }
  /// The lengths of keys in bytes, the shortest first.
  std::vector<size_t> keys() const;
  size_t longest_key() const { return keys().back(); }
  uint32_t recommended_tag() const { return has_tag() ? 16 : 0; }
  Example example(size_t length, size_t seed = 0) const;
};

/// All modes, in the order of their numbers.
std::span<const ModeRow> mode_rows();
const ModeRow& row_of(warpaes_mode mode);

/// What ciphertext has wrong padding under this key: 17 is no length of padding.
Bytes wrongly_padded(const ModeRow& row, const Example& example, size_t length);

/// RFC 5297 with any number of associated strings, the nonce being the last one if there is one.
Answer siv_of_strings(const Bytes& key, const std::vector<Bytes>& strings, const Bytes& text);

/// XTS of data units of one length, which follow each other.
Bytes xts_of_units(const Example& example, size_t data_unit);

/// A message's example in memory that a call works on: first encryption, then decryption of what that made.
class MessageMemory {
 public:
  MessageMemory(const ModeRow& row, Example example, warpaes_direction direction = WARPAES_DIRECTION_ENCRYPT);
  MessageMemory(const MessageMemory&) = delete;

  warpaes_status run(const warpaes_cipher* cipher) {
    return (direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt : warpaes_decrypt)(cipher, &message);
  }

  const ModeRow& row;
  Example example;
  warpaes_direction direction;
  Answer answer;
  Bytes input, output, tag;
  uint64_t output_length = 77;
  warpaes_message message = sized<warpaes_message>();
};

}  // namespace warpaes::core::testing
