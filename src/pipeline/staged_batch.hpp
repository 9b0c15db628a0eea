// A batch in host memory as a HostJob. There are two ways to bring it through a device, in rows or gathered;
// this is what they have in common. The batch has been checked before.
#pragma once

#include <memory>

#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "pipeline/host_run.hpp"

namespace warpaes::core {

/// The key of all messages, or a key for each of them.
struct HostBatchKeys {
  const Context& context;
  const Key* one;        // null if each message has a key of its own
  const Key* second;     // the tweak's key in XTS and the MAC's key in SIV; else null
  const KeyArray* each;  // null if there is one key

  BatchKey prepared(const Engine& engine, int device) const {
    return {one->prepared(engine, device), one->key_bits(),
            second == nullptr ? nullptr : &second->prepared(engine, device)};
  }
};

/// Can the messages be copied as rows that lie one stride apart?
inline bool are_rows(const Batch& batch) {
  return is_regular(batch) && batch.aad_strings == 1 &&
         (batch.input_stride != 0 || batch.bytes == 0 || batch.messages <= 1);
}

/// How many bytes all messages have together, without those that are too long and so are refused.
uint64_t total_bytes(const Batch& batch);

/// Makes all output zero, and gives all messages this status.
void spoil(const Batch& batch, Status status);

/// Its units are messages, so a message has to fit into device memory as a whole.
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
  /// Where things lie in a slot. The slot's device memory begins with a copy of the parcel, so what is in the
  /// parcel has the same offset on the host and on the device.
  struct BatchLayout {
    uint64_t nonces, keys, aad, payload, tags, statuses, output_lengths, parcel_end, workspace, end;
  };

  /// Places the tags, the statuses and the lengths of outputs, with which the parcel ends.
  void place_answers(BatchLayout& layout, Placement& placement, uint64_t messages) const;
  /// The workspace for so many messages; 0 if each has a key of its own, as no such kernel needs one.
  size_t workspace_bytes(const Engine& engine, uint64_t messages, uint64_t longest) const;

  /// Writes the keys of messages, but for those that are missing, and marks all statuses as unknown: one that
  /// the engine does not write must not say OK.
  void begin_parcel(const Slot& slot, const BatchLayout& layout, Piece piece) const;
  /// Puts the engine's work on the slot's stream.
  /// @param device the batch in the slot's memory, in which tags, statuses and lengths of outputs are filled
  /// in
  void run_on_device(const Engine& engine, const Slot& slot, const BatchLayout& layout, Batch device) const;
  /// What the parcel says about message `index` of a piece.
  Outcome outcome_of(const Slot& slot, const BatchLayout& layout, uint64_t index,
                     uint64_t output_bytes) const;

  const HostBatchKeys& keys_;
  const Batch& batch_;
  const ModeRow& mode_;
};

/// For batches whose messages lie in rows and none of which is refused.
/// @param pinned CUDA can copy the messages where they lie
std::unique_ptr<const HostJob> rows_job(const HostBatchKeys& keys, const Batch& batch, bool pinned);
/// Does a batch of rows by those workers alone.
void run_batch_by(const Workers& workers, const HostBatchKeys& keys, const Batch& batch);
/// For all batches. The CPU gathers every message in the parcel, and copies its output from there.
std::unique_ptr<const HostJob> gathered_job(const HostBatchKeys& keys, const Batch& batch);

}  // namespace warpaes::core
