// The modes that `warpaes raw` has: what the library says of each, and one row with what it does not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "key_options.hpp"
#include "warpaes/mode.hpp"

namespace warpaes::cli {

/// Data units of XTS: mode.h.
constexpr uint64_t kShortestDataUnit = 16, kLongestDataUnit = uint64_t{1} << 24;

struct RawMode {
  Mode mode;
  std::optional<Mode> padded;  // the same with PKCS#7 padding; none: the mode needs none
  const char* caution;         // what it does not do; or null
  const char* length_hint;     // what to do with messages that are too long
  bool has_parts;              // of those with a tag
  ModeInfo info;
  std::string name;                 // "cbc-cs3"
  std::vector<size_t> key_lengths;  // the longest first

  bool is_xts() const { return mode == Mode::xts; }
  bool is_siv() const { return mode == Mode::siv; }
  bool wraps() const { return mode == Mode::kw || mode == Mode::kwp; }
  /// Encrypts and authenticates, with a nonce that has to be there: all that do but SIV.
  bool is_aead() const { return info.authenticates != 0 && info.shortest_nonce != 0; }
  /// Encryption and decryption give what they can as the parts come.
  bool streams() const { return info.authenticates == 0; }
  /// Of a message under a nonce of that length.
  uint64_t longest_message(size_t nonce_length) const;
};

/// Throws a matter of usage, listing those there are, for a name of none.
RawMode raw_mode(const std::string& name);

/// "ecb|cbc|…"
std::string raw_mode_names();

}  // namespace warpaes::cli
