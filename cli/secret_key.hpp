#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace warpaes::cli {

constexpr size_t kLongestKey = 64;  // XTS' two keys of 256 bits

/// A key; wiped when it goes.
class SecretKey {
 public:
  SecretKey() = default;
  explicit SecretKey(std::span<const uint8_t> bytes);
  ~SecretKey();
  SecretKey(SecretKey&& other) noexcept;
  SecretKey& operator=(SecretKey&&) = delete;

  std::span<const uint8_t> bytes() const { return {bytes_.data(), size_}; }

 private:
  friend class KeyText;
  std::array<uint8_t, kLongestKey> bytes_ = {};
  size_t size_ = 0;
};

/// Bytes that a key may have, the usual one first.
using KeyLengths = std::span<const size_t>;
constexpr size_t kContainerKeys[] = {32, 16};
constexpr size_t kAesKeys[] = {32, 24, 16};

}  // namespace warpaes::cli
