#include "shown_name.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace warpaes::cli {
namespace {

struct Character {
  size_t bytes;  // that it takes; 1 if they are no UTF-8
  bool harmless;
};

bool is_harmless(uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool line_end = code == 0x2028 || code == 0x2029;
  return !control && !direction && !line_end;
}

/// The first character of a text that is not empty (RFC 3629, section 3).
Character first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < 0x80) return {1, is_harmless(byte(0))};
  const size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (byte(0) < 0xc0 || byte(0) > 0xf7 || text.size() < bytes) return {1, false};
  uint32_t code = byte(0) & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; i++) {
    if ((byte(i) & 0xc0) != 0x80) return {1, false};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[bytes] || code > 0x10ffff || surrogate) return {1, false};
  return {bytes, is_harmless(code)};
}

std::string escaped(std::string_view bytes) {
  if (bytes == "\n") return "\\n";
  if (bytes == "\t") return "\\t";
  std::string text;
  for (const char byte : bytes) text += fmt::format("\\x{:02x}", static_cast<uint8_t>(byte));
  return text;
}

}  // namespace

std::string without_controls(std::string_view message) {
  std::string text;
  while (!message.empty()) {
    const Character character = first_character(message);
    const std::string_view bytes = message.substr(0, character.bytes);
    text += character.harmless || bytes == "\n" ? std::string(bytes) : escaped(bytes);
    message.remove_prefix(character.bytes);
  }
  return text;
}

std::string shown(std::string_view name) {
  std::string quoted = "$'";
  bool plain = true;
  for (std::string_view rest = name; !rest.empty();) {
    const Character character = first_character(rest);
    const std::string_view bytes = rest.substr(0, character.bytes);
    plain = plain && character.harmless;
    if (!character.harmless) {
      quoted += escaped(bytes);
    } else {
      if (bytes == "'" || bytes == "\\") quoted += '\\';
      quoted += bytes;
    }
    rest.remove_prefix(character.bytes);
  }
  return plain ? std::string(name) : quoted + "'";
}

std::string shown_input(const std::string& path) { return path == "-" ? "standard input" : shown(path); }
std::string shown_output(const std::string& path) { return path == "-" ? "standard output" : shown(path); }

std::string told_bytes(uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

}  // namespace warpaes::cli
