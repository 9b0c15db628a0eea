// The sizes of the pieces in which calls on host memory are done. They are tuned here and nowhere else;
// docs/notes/2026-11-23-host-memory.md has what was measured with others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warpaes::core {

/// Sizes are in bytes of payload, but for the memory of all slots. A context has its own sizes, so that tests
/// can make them small.
struct TransferSizes {
  /// Shorter calls are left to the CPU, which has finished before a copy to the GPU and back pays off.
  uint64_t least_for_gpu = 4 << 20;
  /// How many pieces are in flight: one is copied to the device, one is worked on, and one is copied back.
  size_t slots = 3;
  /// The usual piece. It is long because the bus rests for a moment between two copies.
  uint64_t piece = 32 << 20;
  /// A piece that the host's threads copy through pinned memory. They are woken twice for each piece.
  uint64_t copied_piece = 16 << 20;
  /// A piece of a container that is opened into device memory of the caller's. The host's threads read it
  /// from the caller's source or copy it, which takes much longer than waking them.
  uint64_t read_piece = 16 << 20;
  /// How many pipelines such a container goes through side by side: while one begins its copies, the threads
  /// read for the other.
  size_t read_pipelines = 2;
  /// A piece of messages that chain. Each message is the work of one GPU thread, so a piece needs many.
  uint64_t chained_piece = 64 << 20;
  /// The smallest piece. Pieces become smaller where there is no room for larger ones, and towards the end of
  /// what the GPU shares with the CPU.
  uint64_t least_piece = 1 << 20;
  /// The piece that a thread of the CPU takes of what it shares with the GPU.
  uint64_t cpu_piece = 1 << 20;
  /// The device memory that all slots together may have. Where slots are so large that more would be needed,
  /// there are two of them.
  size_t most_device_memory = size_t{128} << 20;

  /// The size of a call's pieces, at most `most`, which is one of the sizes above. Short calls have shorter
  /// pieces, because nothing overlaps with the first piece on its way in and the last one on its way out.
  uint64_t piece_of(uint64_t call_bytes, uint64_t most) const {
    constexpr uint64_t kPieces = 16;
    return std::clamp(call_bytes / kPieces, std::min(least_piece, most), most);
  }
};

}  // namespace warpaes::core
