// Plaintext in a caller's device memory.
#pragma once

#include <span>

#include "pipeline/context.hpp"

namespace warpaes::core::cobblestone {

class DevicePlaintext {
 public:
  /// Waits for what is on the stream, since the memory may still be written there.
  /// @param name of the pointer, for messages
  /// Throws UNSUPPORTED without a GPU engine, MEMORY_SPACE unless it is memory of the context's first device,
  /// CUDA for a stream of another device, CAPTURE for one that is being captured.
  DevicePlaintext(const Context& context, const char* name, const void* data, uint64_t bytes, Stream stream);

  // Parts of it, from and to host memory; these wait for the copy.
  void write(uint64_t at, std::span<const uint8_t> from) const;
  void read(uint64_t at, std::span<uint8_t> into) const;

  /// Makes all of it zero. Memory that CUDA no longer reaches is lost, and nothing is thrown.
  void wipe() const noexcept;

  uint8_t* data() const { return data_; }

 private:
  int device_;
  uint8_t* data_;
  uint64_t bytes_;
  Stream stream_;
};

}  // namespace warpaes::core::cobblestone
