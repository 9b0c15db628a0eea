#pragma once

#include <sys/stat.h>

#include <optional>
#include <vector>

#include "file_descriptor.hpp"
#include "file_place.hpp"
#include "writers.hpp"

namespace warpaes::cli {

/// A file, pipe or device to be read once from its beginning.
class InputFile {
 public:
  /// @param place of which the path "-" is standard input. Throws for a folder, and for what is no regular
  ///        file in a folder that is held.
  /// @param direct past the page cache, if it is a file or a disk
  explicit InputFile(FilePlace place, bool direct = false);

  /// Before anything is read: what is written to the file from now on changes the times in status(), which
  /// may be waited for here, some milliseconds. Times are counted in ticks, and what is written in the tick
  /// of the last change leaves them as they are.
  /// @return who could write to it all the same
  Writers watch();

  /// Throws if it turns out to have become shorter meanwhile.
  size_t read(std::span<uint8_t> into);
  /// The next bytes, fewer than asked for only at the end; they are still to be read.
  std::span<const uint8_t> peek(size_t bytes);
  /// Reads bytes that peek() has shown, which then are no part of size().
  void skip(size_t bytes);

  /// Can its bytes be read in any order, by read_at()?
  bool has_random_access() const { return size_.has_value() && !is_standard_input(); }
  /// Reads at an offset from where the next read() would begin. Throws as read() does.
  size_t read_at(uint64_t offset, std::span<uint8_t> into) const;
  /// Throws if the input ends before `into` is full, which its size() has promised.
  void read_all_at(uint64_t offset, std::span<uint8_t> into) const;

  /// Throws if somebody has written to it since watch(): to be called when what is read twice has been.
  void require_unchanged() const;

  /// Is it read past the page cache, so that each piece is waited for?
  bool bypasses_cache() const { return block_ != 0; }

  /// Nothing is read from it any more; what is known of it stays.
  void close() {
    if (owned_) owned_ = FileDescriptor();
  }

  /// Of what is still to be read when the file is opened; nothing for pipes and devices.
  std::optional<uint64_t> size() const { return size_; }

  /// "standard input", or its path.
  const std::string& name() const { return name_; }
  const FilePlace& place() const { return place_; }
  const struct stat& status() const { return status_; }
  /// The owner, group and permissions that an output may have of it. Not after close().
  struct stat model() const;
  bool is_standard_input() const { return !owned_; }

 private:
  void open();
  void take_size();
  void bypass_cache();
  size_t read_next(std::span<uint8_t> into);
  void require_whole(uint64_t end) const;
  int fd() const { return owned_ ? owned_.get() : STDIN_FILENO; }

  FilePlace place_;
  std::string name_;
  FileDescriptor owned_;
  struct stat status_ = {};
  std::optional<uint64_t> size_;
  uint64_t begin_ = 0;           // of what size() counts, in the file
  uint64_t read_ = 0;            // since then
  uint64_t block_ = 0;           // not 0: the page cache is bypassed by blocks of so many bytes
  uint64_t next_ = 0;            // place in the file of what comes next, then
  bool ended_ = false;           // to read_next()
  std::vector<uint8_t> peeked_;  // of what comes next
};

/// "-", the name of standard input and output.
bool is_standard_stream(const std::string& path);

}  // namespace warpaes::cli
