#include "hexadecimal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "failure_report.hpp"

namespace warpaes::cli {
namespace {

/// All ones (-1) if low <= value <= high, else 0.
int between(int value, int low, int high) { return ((low - 1 - value) & (value - high - 1)) >> 8; }

/// Value of a digit, or -1.
int digit_value(uint8_t digit) {
  const int letter = digit | 0x20;
  return (between(digit, '0', '9') & (digit - '0' + 1)) + (between(letter, 'a', 'f') & (letter - 'a' + 11)) -
         1;
}

uint8_t digit_of(int value) { return static_cast<uint8_t>('0' + value + (between(value, 10, 15) & 39)); }

std::span<const uint8_t> bytes_of_text(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

bool is_hexadecimal(std::span<const uint8_t> text) {
  return text.size() % 2 == 0 && std::ranges::all_of(text, [](uint8_t c) { return digit_value(c) >= 0; });
}

void decode_hexadecimal(std::span<const uint8_t> text, std::span<uint8_t> out) {
  for (size_t i = 0; i < out.size(); i++) {
    out[i] = static_cast<uint8_t>(digit_value(text[2 * i]) << 4 | digit_value(text[2 * i + 1]));
  }
}

void encode_hexadecimal(std::span<const uint8_t> bytes, std::span<uint8_t> out) {
  for (size_t i = 0; i < bytes.size(); i++) {
    out[2 * i] = digit_of(bytes[i] >> 4);
    out[2 * i + 1] = digit_of(bytes[i] & 15);
  }
}

std::string public_digits_of(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> digits(2 * bytes.size());
  encode_hexadecimal(bytes, digits);
  return {digits.begin(), digits.end()};
}

std::vector<uint8_t> public_bytes_of(const std::string& digits, const std::string& name) {
  const std::span<const uint8_t> text = bytes_of_text(digits);
  if (!is_hexadecimal(text)) {
    throw Refusal(ExitCode::usage, name + " takes pairs of hexadecimal digits and nothing else",
                  "00ff is two bytes");
  }
  std::vector<uint8_t> bytes(text.size() / 2);
  decode_hexadecimal(text, bytes);
  return bytes;
}

}  // namespace warpaes::cli
