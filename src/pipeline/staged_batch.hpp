// Batches in host memory through an engine that works on device memory: what its two ways have in common.
// Arguments have been checked.
#pragma once

#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "pipeline/staged_pieces.hpp"
#include "pipeline/staged_runs.hpp"
#include "primitives/align.hpp"

namespace warpaes::core {

/// One key, or a key each.
struct StagedKeys {
  const BatchKey* one;
  const KeyArray* each;
  int device;  // of `each`
};

/// May messages be copied as rows, one stride apart?
inline bool are_rows(const Batch& batch) {
  return is_regular(batch) && (batch.input_stride != 0 || batch.bytes == 0 || batch.messages <= 1);
}

/// Of such batches, whose keys, if there is one each, lie one stride apart. Whole messages only: a single one
/// has to fit into device memory.
void rows_staged(const Engine& engine, const StagedKeys& keys, StagingPool& pool, const Batch& batch,
                 StagedProgress& progress);
/// Of all batches, whose every message is copied by the CPU as well.
void gathered_staged(const Engine& engine, const StagedKeys& keys, StagingPool& pool, const Batch& batch,
                     StagedProgress& progress);

/// Things laid one behind another.
struct Placement {
  uint64_t end = 0;
  uint64_t place(uint64_t bytes) {
    const uint64_t at = end;
    end += rounded_up(bytes, 256);
    return at;
  }
};

/// Entries that are null are left out.
inline void gather_keys(uint8_t* to, const KeyArray& keys, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    const uint8_t* const key = key_of(keys, i);
    if (key != nullptr) std::copy_n(key, keys.bytes, to + i * keys.bytes);
  }
}

/// With a key each, none is needed.
inline size_t workspace_bytes(const Engine& engine, const StagedKeys& keys, const Batch& batch,
                              uint64_t messages) {
  return keys.each != nullptr ? 0 : batch_workspace_bytes(engine, batch.mode, messages, batch.bytes);
}

/// Offsets in a lane.
struct WorkLayout {
  uint64_t keys, workspace, end;
};

inline void run_on_device(const Engine& engine, const StagedKeys& keys, const StagingPool::Lease& lane,
                          const WorkLayout& layout, const Batch& device) {
  if (keys.each != nullptr) {
    const KeyArray each{lane.device() + layout.keys, keys.each->bytes, keys.each->bytes};
    return run_batch_key_each(engine, keys.device, each, device, lane.stream());
  }
  run_batch(engine, *keys.one, device, lane.device() + layout.workspace, layout.end - layout.workspace,
            lane.stream());
}

/// What came back of message `index`. @param statuses,lengths arrays in a parcel
inline Outcome staged_outcome(const ModeRow& mode, const uint8_t* statuses, const uint8_t* lengths,
                              uint64_t index, uint64_t output_bytes) {
  int32_t status = 0;
  std::copy_n(statuses + index * sizeof status, sizeof status, reinterpret_cast<uint8_t*>(&status));
  uint64_t bytes = output_bytes;
  if (mode.changes_length()) {
    std::copy_n(lengths + index * sizeof bytes, sizeof bytes, reinterpret_cast<uint8_t*>(&bytes));
  }
  return {static_cast<Status>(status), status == WARPAES_OK ? bytes : 0};
}

}  // namespace warpaes::core
