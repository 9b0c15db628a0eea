#include "secret_key.hpp"

#include <openssl/crypto.h>

#include <algorithm>

namespace warpaes::cli {

SecretKey::SecretKey(std::span<const uint8_t> bytes) : size_(bytes.size()) {
  std::ranges::copy(bytes, bytes_.begin());
}

SecretKey::~SecretKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

SecretKey::SecretKey(SecretKey&& other) noexcept : bytes_(other.bytes_), size_(other.size_) {
  OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
  other.size_ = 0;
}

}  // namespace warpaes::cli
