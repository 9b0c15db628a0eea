// The part of the CUDA runtime that src/device calls, without a GPU: it takes the runtime's place in the
// linker. Device memory is host memory. What is put on a stream waits there until somebody waits for the
// stream or for the device, as late as a GPU might be; so work that needs another stream's is seen to come
// too early.
#pragma once

#include <cstddef>

namespace warpaes::core::posing_cuda {

struct Runtime {
  bool has_pools = true;
  bool memset_fails = false;

  // Found out.
  int device_waits = 0;  // cudaDeviceSynchronize, and cudaFree, which waits for all work
  int stream_waits = 0;
  int pools_made = 0;
  size_t device_bytes = 0;          // that have not been freed yet
  size_t dirty_bytes_freed = 0;     // not zero when device memory was freed
  size_t dirty_bytes_unpinned = 0;  // the same of pinned host memory
};

/// The one there is.
Runtime& runtime();

/// Forgets all that was found out, and all memory and work that there still is.
void reset();

/// Does all work that waits on streams, those among them that have been destroyed.
void catch_up();

/// Work that waits on all streams.
size_t waiting();

}  // namespace warpaes::core::posing_cuda
