#include "container_name.hpp"

#include <algorithm>

namespace warpaes::cli {
namespace {

/// Of ASCII alone, whatever the locale is.
char small(char letter) {
  return 'A' <= letter && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

bool is_container_name(std::string_view path) {
  const std::string_view suffix = kSuffix;
  return path.size() >= suffix.size() &&
         std::ranges::equal(path.substr(path.size() - suffix.size()), suffix, {}, small);
}

}  // namespace warpaes::cli
