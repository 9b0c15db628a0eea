#pragma once

#include <string>

namespace warpaes::cli {

/// A file that a run reads besides its input, and that no output may replace: the input could perhaps never
/// be decrypted without it.
struct SparedFile {
  std::string path;
  const char* holds;  // "the key"
};

}  // namespace warpaes::cli
