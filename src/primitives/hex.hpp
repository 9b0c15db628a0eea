// Bytes written as hexadecimal digits, as test vectors have them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpaes::core {

/// @return the value of a digit, -1 for anything else
constexpr int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

/// Throws std::invalid_argument unless `digits` is pairs of digits and nothing else.
inline std::vector<uint8_t> bytes_of_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) throw std::invalid_argument("an odd number of hexadecimal digits");
  std::vector<uint8_t> bytes;
  bytes.reserve(digits.size() / 2);
  for (size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]), low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0) throw std::invalid_argument("not a hexadecimal digit");
    bytes.push_back(static_cast<uint8_t>(high * 16 + low));
  }
  return bytes;
}

template <typename Bytes>
std::string hex_of_bytes(const Bytes& bytes) {
  std::string digits;
  for (const uint8_t byte : bytes) {
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 15];
  }
  return digits;
}

}  // namespace warpaes::core
