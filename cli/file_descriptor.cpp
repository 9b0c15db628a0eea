#include "file_descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>

#include "interrupt.hpp"

namespace warpaes::cli {

void throw_errno(const std::string& doing) {
  if (errno == EINTR) throw_if_interrupted();
  // A name may be empty, and a message that begins with nothing names nothing.
  throw std::system_error(errno, std::generic_category(), doing.empty() ? "''" : doing);
}

std::string path_of_descriptor(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

bool is_on_file_system(int fd, std::initializer_list<unsigned long> kinds) {
  struct statfs status = {};
  return fstatfs(fd, &status) == 0 &&
         std::ranges::find(kinds, static_cast<unsigned long>(status.f_type)) != kinds.end();
}

void widen_pipe(int fd) {
  constexpr int kUnprivilegedMaximum = 1 << 20;  // pipe(7): /proc/sys/fs/pipe-max-size
  fcntl(fd, F_SETPIPE_SZ, kUnprivilegedMaximum);
}

bool is_open_to(int fd, Way way) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != (way == Way::in ? O_WRONLY : O_RDONLY);
}

void require_open_to(int fd, Way way, const std::string& name) {
  if (is_open_to(fd, way)) return;
  errno = EBADF;
  throw_errno((way == Way::in ? "reading " : "writing ") + name);
}

size_t read_fully(int fd, std::span<uint8_t> into, const std::string& name) {
  size_t done = 0;
  while (done < into.size()) {
    wait_until_ready(fd, POLLIN);
    const ssize_t got = read(fd, into.data() + done, into.size() - done);
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<size_t>(got);
    } else if (errno != EINTR && errno != EAGAIN) {
      throw_errno("reading " + name);
    }
  }
  return done;
}

size_t read_at_fully(int fd, uint64_t offset, std::span<uint8_t> into, const std::string& name) {
  size_t done = 0;
  while (done < into.size()) {
    throw_if_interrupted();
    const ssize_t got = pread(fd, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<size_t>(got);
    } else if (errno != EINTR) {
      throw_errno("reading " + name);
    }
  }
  return done;
}

namespace {

/// Has what is written to a reader, for whom write(2) waits?
bool has_reader(int fd) {
  struct stat status = {};
  if (fstat(fd, &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || isatty(fd) != 0;
}

/// Writes as much as there is room for now. A write that waits in the kernel would not notice a signal that
/// another thread got, and go on waiting for a reader that has stopped.
ssize_t write_what_fits(int fd, std::span<const uint8_t> bytes) {
  // Only read, by pwritev2().
  const iovec piece = {const_cast<uint8_t*>(bytes.data()), bytes.size()};
  const ssize_t put = pwritev2(fd, &piece, 1, -1, RWF_NOWAIT);
  if (put >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) return put;
  // The system cannot do that. What is ready takes so many bytes at once (pipe(7)).
  return write(fd, bytes.data(), std::min<size_t>(bytes.size(), PIPE_BUF));
}

}  // namespace

void write_fully(int fd, std::span<const uint8_t> bytes, const std::string& name, uint64_t* written) {
  const bool waits_for_reader = has_reader(fd);
  while (!bytes.empty()) {
    wait_until_ready(fd, POLLOUT);
    const ssize_t put = waits_for_reader ? write_what_fits(fd, bytes) : write(fd, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(put));
      if (written != nullptr) *written += static_cast<uint64_t>(put);
    } else if (errno != EINTR && errno != EAGAIN) {
      throw_errno("writing " + name);
    }
  }
}

}  // namespace warpaes::cli
