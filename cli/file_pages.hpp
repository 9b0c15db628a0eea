#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <span>
#include <utility>

namespace warpaes::cli {

/// A file's pages in memory: what is written there is the file. The system writes them out when it likes, so
/// they take no more memory than there is.
class FilePages {
 public:
  FilePages() = default;
  /// Of the file's first bytes, which must be there. None if the file cannot be mapped.
  FilePages(int file, uint64_t bytes) : FilePages(file, bytes, PROT_READ | PROT_WRITE) {}
  /// The same, and nothing may be written there.
  static FilePages to_read(int file, uint64_t bytes) { return {file, bytes, PROT_READ}; }
  ~FilePages() {
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  }
  FilePages(FilePages&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  FilePages& operator=(FilePages&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::span<uint8_t> bytes() const { return bytes_; }

 private:
  FilePages(int file, uint64_t bytes, int access) {
    void* const memory = mmap(nullptr, bytes, access, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) bytes_ = {static_cast<uint8_t*>(memory), bytes};
  }

  std::span<uint8_t> bytes_;
};

}  // namespace warpaes::cli
