#include "name_on_disk.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>

#include "failure_report.hpp"
#include "file_descriptor.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void bring_name_to_disk(const FilePlace& place, int open_file) {
  const std::string name = folder_of(place.path());
  const FileDescriptor folder = place.open_folder(O_RDONLY | O_DIRECTORY);
  // Some file systems cannot sync folders (fsync(2)): there, the name is in place all the same.
  // Without an open file either, what is told is why the folder could not be opened.
  const int done = folder ? fsync(folder.get()) : open_file >= 0 ? syncfs(open_file) : -1;
  if (done == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS) return;
  const int error = errno;
  throw Refusal(
      ExitCode::error,
      fmt::format("bringing the folder {} to disk: {}", shown(name), std::generic_category().message(error)),
      shown(place.path()) + " is there and whole, but a power cut now may take its name");
}

}  // namespace warpaes::cli
