// Large host memory for benchmarks, filled and compared by all CPU threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace warpaes::bench {

/// Ordinary memory that begins at a page boundary, and has not been written to yet.
class PageableBuffer {
 public:
  PageableBuffer() = default;
  explicit PageableBuffer(size_t bytes);

  uint8_t* data() const { return data_.get(); }
  size_t size() const { return size_; }
  std::span<uint8_t> span() const { return {data(), size_}; }

 private:
  struct Free {
    void operator()(uint8_t* memory) const;
  };
  std::unique_ptr<uint8_t[], Free> data_;
  size_t size_ = 0;
};

/// Makes `buffer` a buffer of at least so many bytes. If it has to grow, what it held is lost.
template <typename Buffer, typename... Arguments>
void grow(Buffer& buffer, size_t bytes, const Arguments&... arguments) {
  if (buffer.size() >= bytes) return;
  buffer = Buffer();  // frees the old one first, as both together might not fit
  buffer = Buffer(arguments..., bytes);
}

/// Fills the memory with key streams of AES-256-CTR, each thread with that of a fresh random key.
void fill_random(std::span<uint8_t> memory);

void fill(std::span<uint8_t> memory, uint8_t value);

void copy(std::span<uint8_t> to, const uint8_t* from);

/// The index of the first byte in which two pieces of memory of equal size differ.
std::optional<size_t> first_difference(std::span<const uint8_t> left, const uint8_t* right);

}  // namespace warpaes::bench
