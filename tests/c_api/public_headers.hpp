// The public headers' text, for tests that count and compare what they declare.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <sstream>
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

/// The C headers.
inline std::vector<std::filesystem::path> public_headers() {
  std::vector<std::filesystem::path> found;
  for (const auto& each : std::filesystem::directory_iterator(public_header_folder())) {
    if (each.path().extension() == ".h") found.push_back(each.path());
  }
  return found;
}

}  // namespace warpaes::core::testing
