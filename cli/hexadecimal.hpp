// Hexadecimal digits on the command line and in key files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpaes::cli {

/// Are these pairs of digits and nothing else? Without tables or branches on a digit's value: it may be a
/// key's.
bool is_hexadecimal(std::span<const uint8_t> text);

/// @param text is_hexadecimal()
/// @param out text.size() / 2 bytes
void decode_hexadecimal(std::span<const uint8_t> text, std::span<uint8_t> out);

/// @param out 2 * bytes.size() lower-case digits
void encode_hexadecimal(std::span<const uint8_t> bytes, std::span<uint8_t> out);

/// The digits of what is no secret.
std::string public_digits_of(std::span<const uint8_t> bytes);

/// For what is no secret. Throws a matter of usage that begins with `name` for anything but pairs of digits.
std::vector<uint8_t> public_bytes_of(const std::string& digits, const std::string& name);

}  // namespace warpaes::cli
