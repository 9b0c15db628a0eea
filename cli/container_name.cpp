#include "container_name.hpp"

#include <algorithm>
#include <filesystem>

#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

/// Makes capital letters of ASCII small, and no others, whatever the locale is.
char small(char letter) {
  return 'A' <= letter && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

Refusal refuse_nameless(const std::string& path, const std::string& hint) {
  return Refusal(ExitCode::usage, shown(path) + " is no file, so the output has no name", hint);
}

}  // namespace

bool is_container_name(std::string_view path) {
  const std::string_view suffix = kSuffix;
  return path.size() >= suffix.size() &&
         std::ranges::equal(path.substr(path.size() - suffix.size()), suffix, {}, small);
}

void require_name_of_file(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder != "/dev" && folder != "/dev/fd" && !path.starts_with("/proc/")) return;
  throw refuse_nameless(path, "-o FILE, or -o - for standard output");
}

std::string name_in_place(const std::string& path) {
  if (!std::filesystem::is_symlink(path)) return path;
  std::error_code has_none;
  const std::filesystem::path name = std::filesystem::canonical(path, has_none);
  if (has_none) throw refuse_nameless(path, "-o FILE");
  return name;
}

}  // namespace warpaes::cli
