#include "size_text.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <charconv>

namespace warpaes::bench {
namespace {

struct Unit {
  const char* name;
  uint64_t bytes;
};

constexpr Unit kUnits[] = {
    {"TiB", uint64_t{1} << 40},
    {"GiB", uint64_t{1} << 30},
    {"MiB", uint64_t{1} << 20},
    {"KiB", 1024},
    {"TB", 1000000000000},
    {"GB", 1000000000},
    {"MB", 1000000},
    {"kB", 1000},
    {"B", 1},
    {"", 1},
};

}  // namespace

std::optional<uint64_t> parse_size(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) return std::nullopt;
  std::string unit_name(end, text.data() + text.size());
  if (unit_name.starts_with(' ')) unit_name.erase(0, 1);
  for (const Unit& unit : kUnits) {
    if (strcasecmp(unit_name.c_str(), unit.name) != 0) continue;
    if (number > UINT64_MAX / unit.bytes) return std::nullopt;
    return number * unit.bytes;
  }
  return std::nullopt;
}

std::string size_text(uint64_t bytes) {
  for (const Unit& unit : kUnits) {
    if (unit.bytes % 1024 == 0 && bytes >= unit.bytes && bytes % unit.bytes == 0) {
      return fmt::format("{} {}", bytes / unit.bytes, unit.name);
    }
  }
  return fmt::format("{} B", bytes);
}

}  // namespace warpaes::bench
