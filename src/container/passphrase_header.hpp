// What stands before a container whose key is made of a passphrase: 48 bytes that say how, and that are the
// container's context, so that they cannot be changed without the file failing to open. docs/container.md has
// the format.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "warpaes/container.h"
#include "warpaes/kdf.h"

namespace warpaes::core::cobblestone {

class PassphraseHeader {
 public:
  /// Makes a header with a fresh salt and the function's usual costs. Throws OPTION for a function that makes
  /// no such header.
  static PassphraseHeader fresh(warpaes_kdf_algorithm function);
  /// Finds the header that a file begins with, or nothing if its beginning is something else. What the header
  /// says has not been looked at.
  static std::optional<PassphraseHeader> at(std::span<const uint8_t> beginning);

  /// Throws OPTION for costs that nobody would choose: a file must not be able to take all memory or hours of
  /// whoever looks at it.
  void require_bearable() const;

  warpaes_kdf_algorithm function() const { return function_; }
  std::span<const uint8_t> bytes() const { return bytes_; }

  /// Makes the container's key of 32 bytes, which takes a part of a second, and memory. The costs must be
  /// bearable.
  void derive_key(std::span<const uint8_t> passphrase, std::span<uint8_t> key) const;

 private:
  warpaes_kdf_algorithm function_ = 0;
  std::array<uint8_t, WARPAES_PASSPHRASE_HEADER_LENGTH> bytes_ = {};
};

}  // namespace warpaes::core::cobblestone
