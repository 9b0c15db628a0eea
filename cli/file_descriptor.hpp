#pragma once

#include <unistd.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

namespace warpaes::cli {

/// Closes what it owns.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int get() const { return fd_; }
  /// What it owned is the caller's to close.
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Throws what errno says about `doing`: "writing big.tar.wa: No space left on device".
[[noreturn]] void throw_errno(const std::string& doing);

enum class Way { in, out };

/// Can it be read, or written to? The other end of a pipe is never ready for that, and who waits for it waits
/// for ever.
bool is_open_to(int fd, Way way);
/// Throws if not.
void require_open_to(int fd, Way way, const std::string& name);

/// Reads until `into` is full or the input ends, writes all; both throw Interrupted after a signal.
size_t read_fully(int fd, std::span<uint8_t> into, const std::string& name);
/// @param written null, or counts the bytes as they are written, also if not all of them are
void write_fully(int fd, std::span<const uint8_t> bytes, const std::string& name,
                 uint64_t* written = nullptr);

/// As read_fully(), at a place of a file.
size_t read_at_fully(int fd, uint64_t offset, std::span<uint8_t> into, const std::string& name);

/// A name of an open file: of one that was handed to this process, or that has no other (open(2), O_TMPFILE).
std::string path_of_descriptor(int fd);

/// Is an open file on a file system of one of these kinds (statfs(2))?
bool is_on_file_system(int fd, std::initializer_list<unsigned long> kinds);

/// Asks for as much room in a pipe as any user may have, so that both ends sleep less often.
void widen_pipe(int fd);

}  // namespace warpaes::cli
