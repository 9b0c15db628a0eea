#pragma once

#include <span>

#include "pipeline/context.hpp"

namespace warpaes::cli {

/// One message of an AEAD mode, in place.
struct AeadMessage {
  Aead mode;
  std::span<const uint8_t> nonce, aad;
  std::span<uint8_t> text;

  void seal(const Key& key, std::span<uint8_t> tag) const;
  /// Throws AUTHENTICATION, with `text` zeroed, unless the tag is right.
  void open(const Key& key, std::span<const uint8_t> tag) const;
};

}  // namespace warpaes::cli
