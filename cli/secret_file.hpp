// Files with secrets in them: nobody else may read them, and what is read is wiped.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "file_descriptor.hpp"

namespace warpaes::cli {

/// Never grows, so that it leaves no copy behind; wiped when it goes.
class SecretBytes {
 public:
  explicit SecretBytes(size_t capacity) : bytes_(capacity), size_(capacity) {}
  ~SecretBytes();
  SecretBytes(SecretBytes&& other) noexcept : bytes_(std::move(other.bytes_)), size_(other.size_) {}
  SecretBytes& operator=(SecretBytes&&) = delete;

  uint8_t* data() { return bytes_.data(); }
  size_t size() const { return size_; }
  std::span<const uint8_t> bytes() const { return {bytes_.data(), size_}; }
  std::span<uint8_t> bytes() { return {bytes_.data(), size_}; }
  void shrink(size_t size) { size_ = size; }

 private:
  std::vector<uint8_t> bytes_;
  size_t size_;
};

/// @param what "key file"
/// @param insecure may the group and others have any right to it?
FileDescriptor open_secret_file(const std::string& path, const std::string& what, bool insecure);

/// All that can be read, refusing more than `most` bytes.
SecretBytes read_secret(int fd, const std::string& name, size_t most);

/// Without one line end, if there is one.
std::span<const uint8_t> without_line_end(std::span<const uint8_t> text);

}  // namespace warpaes::cli
