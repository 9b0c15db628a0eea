#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace warpaes::cli {

/// A file that a run reads besides its input, and that no output may replace: the input could perhaps never
/// be decrypted without it.
struct SparedFile {
  struct stat status;  // what is open, or has that name: a descriptor has a file, but not always a name
  const char* holds;   // "the key"
};

class SparedFiles {
 public:
  /// Adds nothing if there is no such file.
  void add_path(const std::string& path, const char* holds);
  void add_descriptor(int fd, const char* holds);
  /// Of a path of which "-" is standard input.
  void add_input(const std::string& path, const char* holds);
  void add(const SparedFiles& others) {
    files_.insert(files_.end(), others.files_.begin(), others.files_.end());
  }

  auto begin() const { return files_.begin(); }
  auto end() const { return files_.end(); }

 private:
  std::vector<SparedFile> files_;
};

}  // namespace warpaes::cli
