// The public headers' text, for tests that count and compare what they declare.
#pragma once

#include <dlfcn.h>
#include <regex.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "warpaes/warpaes.h"

namespace warpaes::core::testing {

/// Where the library lies that this program was started with.
inline std::filesystem::path library_path() {
  Dl_info found = {};
  if (dladdr(reinterpret_cast<const void*>(&warpaes_version), &found) == 0) return {};
  return std::filesystem::canonical(found.dli_fname);
}

/// In the source tree or, where there is none, beside the library as it was installed.
inline std::filesystem::path public_header_folder() {
  std::filesystem::path source = WARPAES_PUBLIC_HEADERS;
  if (std::filesystem::exists(source)) return source;
  return library_path().parent_path().parent_path() / "include" / "warpaes";
}

inline std::string text_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A part of a text that fits a pattern, and the two groups that the pattern has.
using Match = std::array<std::string, 3>;

/// By the C library: std::regex takes ten seconds to compile, and under sanitizers GCC 12 warns of its
/// insides.
/// @param pattern as "extended" regular expressions are written, see regex(7)
inline std::vector<Match> matches(const std::string& text, const char* pattern) {
  regex_t compiled = {};
  if (regcomp(&compiled, pattern, REG_EXTENDED) != 0) throw std::invalid_argument(pattern);
  std::vector<Match> found;
  regmatch_t groups[3] = {};
  for (const char* rest = text.c_str(); regexec(&compiled, rest, 3, groups, 0) == 0;
       rest += groups[0].rm_eo) {
    Match& match = found.emplace_back();
    for (size_t i = 0; i < match.size(); i++) match[i].assign(rest + groups[i].rm_so, rest + groups[i].rm_eo);
  }
  regfree(&compiled);
  return found;
}

inline std::string without_comments(std::string code) {
  for (size_t at = 0; (at = code.find("/*", at)) != std::string::npos;) {
    code.erase(at, code.find("*/", at) + 2 - at);
  }
  return code;
}

/// The C headers.
inline std::vector<std::filesystem::path> public_headers() {
  std::vector<std::filesystem::path> found;
  for (const auto& each : std::filesystem::directory_iterator(public_header_folder())) {
    if (each.path().extension() == ".h") found.push_back(each.path());
  }
  return found;
}

}  // namespace warpaes::core::testing
