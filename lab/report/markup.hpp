#pragma once

#include <string>
#include <string_view>

namespace warpaes::core::lab {

/// Escapes text for HTML and SVG, also between double quotes.
inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += letter;
    }
  }
  return out;
}

}  // namespace warpaes::core::lab
