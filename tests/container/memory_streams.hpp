// Containers in memory: sources that know their length, as files do, or do not, as pipes.
#pragma once

#include <algorithm>
#include <vector>

#include "container/byte_streams.hpp"

namespace warpaes::core::test {

using Bytes = std::vector<uint8_t>;

enum class Length { known, unknown };

class MemorySource : public ByteSource {
 public:
  MemorySource(std::span<const uint8_t> bytes, Length length) : bytes_(bytes), length_(length) {}

  size_t read(std::span<uint8_t> into) override {
    const size_t count = std::min(into.size(), bytes_.size() - at_);
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(at_), count, into.begin());
    at_ += count;
    return count;
  }
  std::optional<uint64_t> size() const override {
    return length_ == Length::known ? std::optional<uint64_t>(bytes_.size()) : std::nullopt;
  }

 private:
  std::span<const uint8_t> bytes_;
  Length length_;
  size_t at_ = 0;
};

class MemorySink : public ByteSink {
 public:
  void write(std::span<const uint8_t> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

class MemoryReader : public RandomAccessSource {
 public:
  explicit MemoryReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  size_t read_at(uint64_t offset, std::span<uint8_t> into) const override {
    if (offset >= bytes_.size()) return 0;
    const size_t count = std::min<uint64_t>(into.size(), bytes_.size() - offset);
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(offset), count, into.begin());
    bytes_read_ += count;
    return count;
  }
  uint64_t size() const override { return bytes_.size(); }
  uint64_t bytes_read() const { return bytes_read_; }

 private:
  std::span<const uint8_t> bytes_;
  mutable uint64_t bytes_read_ = 0;
};

}  // namespace warpaes::core::test
