// What stands before a container whose key is made of a passphrase: 48 bytes that say how, and that are the
// container's context, so that they cannot be changed without the file failing to open. docs/container.md has
// the format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace warpaes::cli {

constexpr size_t kPassphraseHeaderBytes = 48;

/// Functions that make guessing slow.
enum class PassphraseFunction { scrypt, argon2id };

class PassphraseHeader {
 public:
  /// With a fresh salt and the usual costs.
  static PassphraseHeader fresh(PassphraseFunction function);
  /// Does a file with this beginning have one, whatever it says?
  static bool is_one(std::span<const uint8_t> beginning);
  /// Nothing if the beginning of a file is something else. Throws Error (LENGTH) for costs that nobody
  /// would choose: a file must not be able to take all memory or hours of whoever looks at it.
  static std::optional<PassphraseHeader> read(std::span<const uint8_t> beginning);

  std::span<const uint8_t, kPassphraseHeaderBytes> bytes() const { return bytes_; }

  /// Makes the container's key. Takes a part of a second, and memory.
  void derive_key(std::span<const uint8_t> passphrase, std::span<uint8_t, 32> key) const;

 private:
  PassphraseFunction function_ = PassphraseFunction::scrypt;
  std::array<uint8_t, kPassphraseHeaderBytes> bytes_ = {};
};

}  // namespace warpaes::cli
