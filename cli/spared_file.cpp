#include "spared_file.hpp"

#include <unistd.h>

#include "input_file.hpp"

namespace warpaes::cli {

void SparedFiles::add_path(const std::string& path, const char* holds) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) files_.push_back({status, holds});
}

void SparedFiles::add_descriptor(int fd, const char* holds) {
  struct stat status = {};
  if (fstat(fd, &status) == 0) files_.push_back({status, holds});
}

void SparedFiles::add_input(const std::string& path, const char* holds) {
  if (is_standard_stream(path)) return add_descriptor(STDIN_FILENO, holds);
  add_path(path, holds);
}

}  // namespace warpaes::cli
