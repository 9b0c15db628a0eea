// The sizes of the pieces in which calls on host memory are done. They are to be tuned here and nowhere else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warpaes::core {

/// In bytes of payload, unless a name says otherwise. A context has its own, so that tests can make them
/// small.
struct TransferSizes {
  /// Shorter calls are over on the CPU before a copy to the GPU and back has begun to pay.
  uint64_t least_for_gpu = 4 << 20;
  /// Pieces in flight: one is copied to the device, one worked on, one copied back.
  size_t slots = 3;
  /// Long, as the bus rests for a moment between two copies (docs/design/host-memory.md has what was
  /// measured).
  uint64_t piece = 32 << 20;
  /// Of a piece that the host's threads copy through pinned memory. They are woken twice for each.
  uint64_t copied_piece = 16 << 20;
  /// Of a piece that the host's threads read from a caller's source, or copy, for device memory of the
  /// caller's: so much that they are awake for much longer than it takes to wake them.
  uint64_t read_piece = 16 << 20;
  /// Pipelines side by side on such a device: while one begins its copies, the threads read for the other.
  size_t read_pipelines = 2;
  /// Of a piece of messages that chain. Each is the work of one GPU thread, so that many are needed at once.
  uint64_t chained_piece = 64 << 20;
  /// Pieces become smaller, down to this, if there is no room for larger ones, and towards the end of what
  /// the GPU shares with the CPU.
  uint64_t least_piece = 1 << 20;
  /// What a CPU's thread takes at once of what it shares with the GPU.
  uint64_t cpu_piece = 1 << 20;
  /// Large slots are fewer, at least two, so that they do not have more device memory than this together.
  size_t most_device_memory = size_t{128} << 20;

  /// The size of a call's pieces: short calls have shorter ones, as nothing overlaps with the first piece on
  /// its way in and the last one on its way out.
  /// @param most one of the sizes above
  uint64_t piece_of(uint64_t call_bytes, uint64_t most) const {
    constexpr uint64_t kPieces = 16;
    return std::clamp(call_bytes / kPieces, std::min(least_piece, most), most);
  }
};

}  // namespace warpaes::core
