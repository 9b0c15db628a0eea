#pragma once

#include <cstdint>
#include <string>

#include "file_pages.hpp"

namespace warpaes::cli {

/// A file's pages, to be read: for work that needs all of a message twice, which then may be longer than
/// memory. A page that is not there any more, as the file became shorter or its disk fails, is a signal
/// (SIGBUS). It ends the process with a complaint and exit code 1, so this is only for those whose output is
/// gone in that case. There can be one at a time.
class MappedInput {
 public:
  /// @param name for the complaint
  /// @param begin,bytes which part of the file; all of it must be there
  MappedInput(int file, const std::string& name, uint64_t begin, uint64_t bytes);
  ~MappedInput();
  MappedInput(const MappedInput&) = delete;
  MappedInput& operator=(const MappedInput&) = delete;

  /// None if the file cannot be mapped.
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  FilePages pages_;
  std::span<const uint8_t> bytes_;
};

}  // namespace warpaes::cli
