#include "input_file.hpp"

#include <fcntl.h>

#include <algorithm>

#include "failure_report.hpp"

namespace warpaes::core::cli {

bool is_standard_stream(const std::string& path) { return path == "-"; }

InputFile::InputFile(const std::string& path) : name_(is_standard_stream(path) ? "standard input" : path) {
  if (!is_standard_stream(path)) {
    owned_ = FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!owned_) throw_errno(path);
  }
  if (fstat(fd(), &status_) != 0) throw_errno(name_);
  if (S_ISDIR(status_.st_mode)) {
    throw Refusal(ExitCode::error, name_ + " is a folder",
                  "pack it first: tar -c " + (is_standard_stream(path) ? "FOLDER" : path) +
                      " | warpaes encrypt - -o FILE.tar.wa");
  }
  if (S_ISFIFO(status_.st_mode)) widen_pipe(fd());
  if (S_ISREG(status_.st_mode)) {
    const off_t position = std::max<off_t>(lseek(fd(), 0, SEEK_CUR), 0);
    size_ = static_cast<uint64_t>(std::max<off_t>(status_.st_size - position, 0));
    posix_fadvise(fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }
}

}  // namespace warpaes::core::cli
