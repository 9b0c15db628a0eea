// Batches in host memory as jobs: what their two ways through a device have in common. Arguments have been
// checked.
#pragma once

#include <memory>

#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/placement.hpp"

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
  /// Offsets in a slot.
  struct WorkLayout {
    uint64_t keys, workspace, end;
  };

  /// With a key each, none is needed.
  size_t workspace_bytes(const Engine& engine, uint64_t messages, uint64_t longest) const;
  void run_on_device(const Engine& engine, const Slot& slot, const WorkLayout& layout,
                     const Batch& device) const;
  /// What came back of message `index`. @param statuses,lengths arrays in a parcel
  Outcome outcome_of(const uint8_t* statuses, const uint8_t* lengths, uint64_t index,
                     uint64_t output_bytes) const;
  /// To the keys' place in a parcel. Entries that are null are left out.
  void gather_keys(uint8_t* to, Piece piece) const;

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
