// Batches of the modes that do not authenticate, and of CMAC, in host memory: on the CPU's threads, and
// through device memory. Arguments have been checked.
#pragma once

#include "engines/engine.hpp"
#include "pipeline/staged_runs.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {

/// A message is one lane's work, some 20 MB/s: so many are needed for a GPU to outrun a CPU and the bus.
constexpr uint64_t kFewestForGpu = 512;

/// One key, or XTS' two, or a key each.
struct CipherKeys {
  const EngineKey* one = nullptr;
  const XtsKeys* pair = nullptr;
  const KeyArray* each = nullptr;
  int device = 0;  // of `each`
};

/// May messages be copied as rows, one stride apart?
inline bool are_rows(const CipherBatch& batch) {
  return is_regular(batch) && (batch.input_stride != 0 || batch.bytes == 0 || batch.messages <= 1);
}

/// Messages that are ragged or scattered go one by one, which is slow. The engine has the mode, with a key
/// each if keys are given each.
void cipher_batch_staged(const Engine& engine, const CipherKeys& keys, StagingPool& pool,
                         const CipherBatch& batch, StagedProgress& progress);

}  // namespace warpaes::core
