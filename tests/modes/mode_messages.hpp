// The modes as warpaes_mode_get lists them, and messages for each with what OpenSSL makes of them. Tests that
// do the same with every mode walk over this list, so that a new mode is in all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpaes/warpaes.h"

namespace warpaes::core::testing {

using Bytes = std::vector<uint8_t>;

struct ListedMode {
  warpaes_mode mode;
  warpaes_mode_info info;

  bool has_tag() const { return info.tag_lengths != 0; }
  bool has_aad() const { return info.longest_aad != 0; }
  /// Ciphertext is longer than its message.
  bool changes_length() const;
  /// Decryption takes padding off, so that only it knows how long the message is.
  bool has_padding() const;
  /// Decryption can find a message to be wrong.
  bool can_refuse() const { return info.authenticates != 0 || has_padding(); }
};

/// Counted from 1 until there is no such mode.
const std::vector<ListedMode>& all_modes();
const ListedMode& listed(warpaes_mode mode);

/// The lengths of keys that the mode has, in bytes, the shortest first.
std::vector<size_t> key_lengths_of(const ListedMode& row);

/// The lengths of tags that the mode has, in bytes; a single 0 if it has no tag.
std::vector<size_t> tag_lengths_of(const ListedMode& row);

/// Bytes that look random, always the same for a seed.
Bytes bytes_from(uint64_t seed, size_t count);
/// @param length 0: the longest that the mode has. The two halves of an XTS key differ.
Bytes key_from(uint64_t seed, const ListedMode& row, size_t length = 0);

/// What a message is to be like; its contents follow from the seed.
struct MessageShape {
  size_t length;  // rounded to what the mode has
  uint64_t seed = 1;
  size_t key_length = 0;     // 0: the longest
  size_t nonce_length = 0;   // 0: as the mode recommends
  size_t tag_length = 0;     // 0: as the mode recommends
  size_t aad_length = 21;    // of each string
  size_t aad_strings = 1;    // more than 1: SIV only
  uint64_t data_unit = 0;    // XTS
  unsigned unused_bits = 0;  // CFB1
};

/// A message of about that length, whose other lengths differ from variant to variant: of key, nonce, tag,
/// additional data, data units and of what is left of the last byte.
MessageShape varied_shape(const ListedMode& row, size_t length, size_t variant);

struct ModeMessage {
  const ListedMode* row;
  Bytes key, nonce;
  std::vector<Bytes> aad;  // one string, or SIV's; none if the mode has none
  Bytes plaintext;
  size_t tag_length;  // 0: the mode has none
  uint64_t data_unit;
  unsigned unused_bits;
  Bytes ciphertext, tag;  // by OpenSSL; no ciphertext if the mode only makes a tag
};

ModeMessage message_of(const ListedMode& row, const MessageShape& shape);

/// Gives a message ciphertext and tag, from all the rest of it.
void seal_by_openssl(ModeMessage& message);

/// What a call reads and has to write.
struct Exchange {
  Bytes input, tag;         // as they are given
  Bytes output, tag_after;  // as they have to be; with the zeros behind a message whose padding was taken off
  uint64_t output_length;
  warpaes_status status;
};

Exchange exchange_of(const ModeMessage& message, warpaes_direction direction);
/// Decryption of a message that is damaged in a way that cannot go unnoticed.
Exchange refused_exchange_of(const ModeMessage& message);

}  // namespace warpaes::core::testing
