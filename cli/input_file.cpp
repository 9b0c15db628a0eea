#include "input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::core::cli {

bool is_standard_stream(const std::string& path) { return path == "-"; }

InputFile::InputFile(const std::string& path) : name_(is_standard_stream(path) ? "standard input" : path) {
  if (!is_standard_stream(path)) {
    owned_ = FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!owned_) throw_errno(shown(path));
  }
  if (fstat(fd(), &status_) != 0) throw_errno(shown(name_));
  if (S_ISDIR(status_.st_mode)) {
    throw Refusal(ExitCode::error, shown(name_) + " is a folder",
                  "pack it first: tar -c " + (is_standard_stream(path) ? "FOLDER" : shown(path)) +
                      " | warpaes encrypt - -o FILE.tar.wa");
  }
  if (S_ISFIFO(status_.st_mode)) widen_pipe(fd());
  if (S_ISREG(status_.st_mode)) {
    const off_t position = std::max<off_t>(lseek(fd(), 0, SEEK_CUR), 0);
    size_ = static_cast<uint64_t>(std::max<off_t>(status_.st_size - position, 0));
    posix_fadvise(fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }
}

size_t InputFile::read(std::span<uint8_t> into) {
  const size_t got = read_fully(fd(), into, shown(name_));
  read_ += got;
  if (got < into.size()) require_whole();
  return got;
}

/// The file has ended: was there as much as it promised? Asked again, because the files of /sys promise more
/// than they hold.
void InputFile::require_whole() const {
  struct stat now = {};
  if (!size_ || read_ >= *size_ || fstat(fd(), &now) != 0 || now.st_size >= status_.st_size) return;
  throw Refusal(ExitCode::error,
                fmt::format("{} became shorter while it was read: {} bytes at first, {} now", shown(name_),
                            status_.st_size, now.st_size),
                "try again when nothing changes it any more");
}

}  // namespace warpaes::core::cli
