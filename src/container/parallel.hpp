// Containers from file to file on several threads, each of which reads, works and writes its own ranges of
// chunks: nobody waits for anybody, and the bytes stay in the cache of one core.
#pragma once

#include "container/cobblestone.hpp"

namespace warpaes::core::cobblestone {

struct ParallelFiles {
  const RandomAccessSource& from;
  RandomAccessSink* to;  // null: nowhere
  unsigned threads;
  Progress progress;  // called by one thread at a time
};

/// As encrypt() and decrypt(), but what is written may have gaps and be wrong until the call returns. The
/// context's engine works on host memory, on one thread: each of the threads here uses it for itself.
uint64_t encrypt_parallel(Context& context, const InputKey& input_key, const ParallelFiles& files);
uint64_t decrypt_parallel(Context& context, const InputKey& input_key, const ParallelFiles& files);

}  // namespace warpaes::core::cobblestone
