// Memory of tests, at any address: what stands beside the output must stay, and where the sanitizer watches
// it sees what is read outside.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) static_cast<void>(address)
#define ASAN_UNPOISON_MEMORY_REGION(address, size) static_cast<void>(address)
#endif

namespace warpaes::core {

using Bytes = std::vector<uint8_t>;
constexpr uint8_t kUntouched = 0xd7;
constexpr size_t kPoisonable = 8;  // the sanitizer marks memory in steps of so many bytes

/// Rows of bytes, the first of which begins `offset` bytes behind a multiple of 16.
class MemoryRows {
 public:
  MemoryRows(size_t offset, size_t count, size_t bytes, size_t gap)
      : offset_(offset),
        count_(count),
        bytes_(bytes),
        stride_(bytes + gap),
        size_(offset + count * bytes + (count - 1) * gap),
        memory_(std::make_unique<uint8_t[]>(size_)) {
    std::fill_n(memory_.get(), size_, kUntouched);
    ASAN_POISON_MEMORY_REGION(memory_.get(), offset_ / kPoisonable * kPoisonable);
  }
  ~MemoryRows() { ASAN_UNPOISON_MEMORY_REGION(memory_.get(), size_); }
  MemoryRows(const MemoryRows&) = delete;
  MemoryRows& operator=(const MemoryRows&) = delete;

  uint8_t* data() const { return memory_.get() + offset_; }
  uint8_t* row(size_t i) const { return data() + i * stride_; }
  size_t stride() const { return stride_; }
  Bytes copy(size_t i) const { return {row(i), row(i) + bytes_}; }

  bool has_only_rows() const {
    ASAN_UNPOISON_MEMORY_REGION(memory_.get(), size_);
    bool untouched = std::all_of(memory_.get(), data(), [](uint8_t byte) { return byte == kUntouched; });
    for (size_t i = 0; i + 1 < count_; i++) {
      untouched &= std::all_of(row(i) + bytes_, row(i + 1), [](uint8_t byte) { return byte == kUntouched; });
    }
    return untouched;
  }

 private:
  const size_t offset_, count_, bytes_, stride_, size_;
  const std::unique_ptr<uint8_t[]> memory_;
};

}  // namespace warpaes::core
