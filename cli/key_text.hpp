#pragma once

#include <string>

#include "secret_key.hpp"

namespace warpaes::cli {

/// What a source of a key holds: pairs of hexadecimal digits and perhaps a line end, or else raw bytes. The
/// forms cannot be confused: that 32 random bytes are all hexadecimal digits has a chance of
/// (22/256)^32 < 10^-34.
class KeyText {
 public:
  /// @param lengths that the key may have
  explicit KeyText(KeyLengths lengths) : lengths_(lengths) {}

  SecretKey in_any_form(std::span<const uint8_t> text, const std::string& name) const;
  SecretKey in_digits(std::span<const uint8_t> text, const std::string& name) const;

  /// "a key is 32 or 16 random bytes, or 64 or 32 hexadecimal digits; …"
  std::string hint() const;

  /// Longer than any key with its line end, so that what is too long is seen.
  static constexpr size_t kMostBytes = 2 * kLongestKey + 64;

 private:
  bool is_length(size_t bytes) const;
  /// That what is there is no key, or one of another length.
  std::string why_not(std::span<const uint8_t> text, const std::string& name) const;

  KeyLengths lengths_;
};

}  // namespace warpaes::cli
