#include "nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace warpaes::cli {
namespace {

/// The least number of letters to put in, take out, replace, or exchange with their neighbour (the "optimal
/// string alignment" distance, by its recurrence).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++) {
    for (size_t j = 0; j <= b.size(); j++) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const size_t replaced = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
      }
    }
  }
  return edits[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view typed, std::span<const std::string> names) {
  constexpr size_t kLongestTyped = 64;  // whatever is longer was not mistyped
  if (typed.empty() || names.empty() || typed.size() > kLongestTyped) return std::nullopt;
  const auto distance = [&](const std::string& name) {
    return name.starts_with(typed) ? 0 : edit_distance(typed, name);
  };
  const std::string& nearest = *std::ranges::min_element(names, {}, distance);
  if (distance(nearest) > (typed.size() + 2) / 3) return std::nullopt;
  return nearest;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> names) {
  const std::optional<std::string> nearest = nearest_name(typed, names);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

}  // namespace warpaes::cli
