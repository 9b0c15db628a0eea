#pragma once

#include "input_file.hpp"
#include "warpaes/context.hpp"

namespace warpaes::cli {

/// The most that is read into memory at once: 4 GiB.
constexpr uint64_t kMostInMemory = uint64_t{1} << 32;

/// An input, read to its end: for modes that must have seen all of it before anything leaves them.
class WholeInput {
 public:
  /// Refuses inputs of more than kMostInMemory bytes.
  WholeInput(const warpaes::Context& context, InputFile& input);

  std::span<uint8_t> bytes() { return {buffer_.data(), size_}; }

 private:
  void read_all(const warpaes::Context& context, InputFile& input);

  warpaes::HostBuffer buffer_;
  uint64_t size_ = 0;
};

}  // namespace warpaes::cli
