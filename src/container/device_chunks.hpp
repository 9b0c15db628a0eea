// Whole chunks between host memory, where they are sealed, and device memory, where their plaintext is. They
// go through the transfer pipeline in large pieces: the host reads or copies one, one is on the bus, and one
// is a batch of GCM messages on the device, at the same time. Plaintext is on the host only as far as it is
// compared (output_check.hpp).
#pragma once

#include <functional>
#include <span>

#include "container/file_key.hpp"
#include "container/output_check.hpp"

namespace warpaes::core::cobblestone {

/// A run of whole chunks, and where their plaintext is in the memory of the context's first device.
struct DeviceChunks {
  uint64_t first, count;
  uint8_t*
      plaintext;  // only read when sealing. Opening: null to find out whether they are genuine, and no more
};

/// Sealed chunks to open: `memory`, all of them one behind the other; or if that is null, what `read` writes
/// for `bytes` bytes from `at` on, counted from the run's beginning.
struct SealedSource {
  const uint8_t* memory;
  std::function<void(uint64_t at, uint8_t* into, uint64_t bytes)> read = {};
  bool parallel = false;  // `read` may be called by several threads; if not, it is by the calling one
};

/// Returns when all plaintext is there. Each chunk stands for itself, as in open_chunks(). If it throws, the
/// caller has to wipe the plaintext.
/// @param statuses one for each chunk
void open_chunks_on_device(const FileKey& file_key, const DeviceChunks& chunks, const SealedSource& source,
                           std::span<int32_t> statuses);

/// @param sealed host memory for all of them
/// @param checker null, or compares chunks while others are on their way
void seal_chunks_on_device(const FileKey& file_key, const DeviceChunks& chunks, uint8_t* sealed,
                           const OutputChecker* checker);

/// Plaintext in a caller's device memory.
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
