// Batches in host memory as jobs: what their two ways through a device have in common. Arguments have been
// checked.
#pragma once

#include <memory>

#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "pipeline/host_run.hpp"

namespace warpaes::core {

/// One key, or a key each.
struct HostBatchKeys {
  const Context& context;
  const Key* one;
  const Key* second;  // besides `one`, in XTS and SIV
  const KeyArray* each;

  BatchKey prepared(const Engine& engine, int device) const {
    return {one->prepared(engine, device), one->key_bits(),
            second == nullptr ? nullptr : &second->prepared(engine, device)};
  }
};

/// May messages be copied as rows, one stride apart?
inline bool are_rows(const Batch& batch) {
  return is_regular(batch) && batch.aad_strings == 1 &&
         (batch.input_stride != 0 || batch.bytes == 0 || batch.messages <= 1);
}

inline bool is_in_place(const Batch& batch) {
  return mode_row(batch.mode).has_output && (batch.inputs || batch.outputs || batch.input == batch.output);
}

/// The bytes of all messages.
uint64_t total_bytes(const Batch& batch);

/// Makes all output zero, and tells the statuses why.
void spoil(const Batch& batch, Status status);

/// A unit is a message. A single one has to fit into device memory.
class BatchJob : public HostJob {
 public:
  BatchJob(const HostBatchKeys& keys, const Batch& batch)
      : keys_(keys), batch_(batch), mode_(mode_row(batch.mode)) {}

  uint64_t units() const override { return batch_.messages; }
  uint64_t cpu_cost() const override;
  void spoil(Status status) const override { core::spoil(batch_, status); }
  void run_on_cpu(const Engine& engine, WorkerThreads& threads) const override;
  void run_on_cpu(const Engine& engine, Piece piece) const override;

 protected:
  /// Offsets in a slot. The parcel has the same on host and device, and is the start of the slot's device
  /// memory.
  struct BatchLayout {
    uint64_t nonces, keys, aad, payload, tags, statuses, output_lengths, parcel_end, workspace, end;
  };

  /// Places tags, statuses and lengths, with which the parcel ends.
  void place_answers(BatchLayout& layout, Placement& placement, uint64_t messages) const;
  /// With a key each, none is needed.
  size_t workspace_bytes(const Engine& engine, uint64_t messages, uint64_t longest) const;

  /// Fills in the keys, but for entries that are null; and statuses, as one that the engine does not write
  /// must not say OK.
  void begin_parcel(const Slot& slot, const BatchLayout& layout, Piece piece) const;
  /// @param device the batch in the slot's memory, but for tags, statuses and lengths of outputs
  void run_on_device(const Engine& engine, const Slot& slot, const BatchLayout& layout, Batch device) const;
  /// What came back of message `index` of a piece.
  Outcome outcome_of(const Slot& slot, const BatchLayout& layout, uint64_t index,
                     uint64_t output_bytes) const;

  const HostBatchKeys& keys_;
  const Batch& batch_;
  const ModeRow& mode_;
};

/// Of batches that are rows, with one key, or keys one stride apart.
/// @param pinned CUDA can copy the messages where they lie
std::unique_ptr<const HostJob> rows_job(const HostBatchKeys& keys, const Batch& batch, bool pinned);
/// Of a batch of rows, by those workers alone.
void run_batch_by(const Workers& workers, const HostBatchKeys& keys, const Batch& batch);
/// Of all batches, whose every message is copied by the CPU as well.
std::unique_ptr<const HostJob> gathered_job(const HostBatchKeys& keys, const Batch& batch);

}  // namespace warpaes::core
