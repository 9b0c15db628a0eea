#pragma once

#include <sys/stat.h>

#include "container/byte_streams.hpp"
#include "file_descriptor.hpp"

namespace warpaes::core::cli {

/// A file, pipe or device to be read once from its beginning.
class InputFile : public ByteSource {
 public:
  /// @param path "-" is standard input. Throws for a folder.
  explicit InputFile(const std::string& path);

  /// Throws if it turns out to have become shorter meanwhile.
  size_t read(std::span<uint8_t> into) override;
  /// Of what is still to be read when the file is opened; nothing for pipes and devices.
  std::optional<uint64_t> size() const override { return size_; }

  const std::string& name() const { return name_; }
  const struct stat& status() const { return status_; }
  bool is_standard_input() const { return !owned_; }

 private:
  void require_whole() const;
  int fd() const { return owned_ ? owned_.get() : STDIN_FILENO; }

  std::string name_;
  FileDescriptor owned_;
  struct stat status_ = {};
  std::optional<uint64_t> size_;
  uint64_t read_ = 0;
};

/// "-", the name of standard input and output.
bool is_standard_stream(const std::string& path);

}  // namespace warpaes::core::cli
