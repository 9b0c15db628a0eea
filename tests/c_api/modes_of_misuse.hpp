// Which modes and directions a row of a table of mistakes is for.
#pragma once

#include "mode_rows.hpp"

namespace warpaes::core::testing {

inline bool all(const ModeRow&, warpaes_direction) { return true; }
inline bool with_output(const ModeRow& row, warpaes_direction) { return row.has_output(); }
inline bool without_output(const ModeRow& row, warpaes_direction) { return !row.has_output(); }
inline bool needing_nonce(const ModeRow& row, warpaes_direction) { return row.needs_nonce(); }
inline bool without_nonce(const ModeRow& row, warpaes_direction) { return !row.has_nonce(); }
inline bool with_tag(const ModeRow& row, warpaes_direction) { return row.has_tag(); }
inline bool without_tag(const ModeRow& row, warpaes_direction) { return !row.has_tag(); }
inline bool with_aad(const ModeRow& row, warpaes_direction) { return row.has_aad(); }
inline bool without_aad(const ModeRow& row, warpaes_direction) { return !row.has_aad(); }

/// Is a message, or its ciphertext, always a multiple of something?
inline bool in_units(const ModeRow& row, warpaes_direction direction) {
  const bool decrypts = direction == WARPAES_DIRECTION_DECRYPT;
  return row.multiple > 1 || (decrypts && (row.has_pkcs7() || row.wraps_keys()));
}
inline bool of_16_or_more(const ModeRow& row, warpaes_direction) { return row.shortest == 16; }

}  // namespace warpaes::core::testing
