// Brings regular batches through device memory. Payload that is pinned is copied as it lies. The small things
// of each message (nonce, key, additional data, tag, status) are gathered into one parcel, as a GPU copies
// one long row in the time of a few short ones.
#include <cstring>

#include "pipeline/staged_batch.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {
namespace {

/// Copies rows on the host from one stride to another.
void copy_rows(uint8_t* to, uint64_t to_stride, const uint8_t* from, uint64_t from_stride, Rows rows) {
  if (rows.bytes == 0) return;
  for (uint64_t i = 0; i < rows.count; i++)
    std::memcpy(to + i * to_stride, from + i * from_stride, rows.bytes);
}

class RowsJob : public BatchJob {
 public:
  RowsJob(const HostBatchKeys& keys, const Batch& batch, bool pinned)
      : BatchJob(keys, batch),
        threads_(keys.context.state().threads),
        payload_in_parcel_(!pinned),
        output_bytes_(mode_.lengths(batch.direction).output(batch.bytes)),
        payload_stride_(copied_with_gaps() ? batch.input_stride
                                           : rounded_up(std::max(batch.bytes, output_bytes_), 16)) {}

  uint64_t unit_bytes() const override {
    return std::max<uint64_t>({batch_.bytes, output_bytes_, batch_.aad_bytes, 64});
  }

  uint64_t piece_bytes(const TransferSizes& sizes) const override {
    if (mode_.chains_in(batch_.direction)) return sizes.chained_piece;
    return sizes.piece_of(units() * unit_bytes(), payload_in_parcel_ ? sizes.copied_piece : sizes.piece);
  }

  Overwrites overwrites_input() const override {
    if (!mode_.has_output || batch_.input != batch_.output) return Overwrites::never;
    return payload_in_parcel_ ? Overwrites::in_finish : Overwrites::in_fetch;
  }

  SlotNeed need(const Engine& engine, uint64_t messages) const override {
    // A piece of fewer messages needs no more, except that a single message may need a larger workspace.
    const BatchLayout layout = layout_for(engine, messages);
    return {std::max(layout.end, layout_for(engine, 1).end), layout.parcel_end};
  }

  void send(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Batch host = part_of(batch_, piece.first, piece.count);
    const BatchLayout layout = layout_for(engine, piece.count);
    begin_parcel(slot, layout, piece);
    send_parcel(slot, host, layout);
    if (!payload_in_parcel_) send_payload(slot, host, layout);
  }

  void work(const Engine& engine, const Slot& slot, Piece piece) const override {
    const BatchLayout layout = layout_for(engine, piece.count);
    run_on_device(engine, slot, layout, on_device(slot, part_of(batch_, piece.first, piece.count), layout));
  }

  void fetch(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Batch host = part_of(batch_, piece.first, piece.count);
    const BatchLayout layout = layout_for(engine, piece.count);
    if (mode_.has_output && !payload_in_parcel_) {
      copy_rows_to_host(host.output, host.output_stride, slot.memory + layout.payload, payload_stride_,
                        {piece.count, output_bytes_}, slot.out);
    }
    const uint64_t from = payload_in_parcel_ && mode_.has_output ? layout.payload : layout.tags;
    copy_to_host(slot.parcel + from, slot.memory + from, layout.parcel_end - from, slot.out);
  }

  void finish(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Batch host = part_of(batch_, piece.first, piece.count);
    const BatchLayout layout = layout_for(engine, piece.count);
    if (mode_.has_output && payload_in_parcel_) {
      copy_payload(host.output, host.output_stride, slot.parcel + layout.payload, payload_stride_,
                   {piece.count, output_bytes_});
    }
    if (writes_tags(host)) {
      copy_rows(host.tags, host.tag_stride, slot.parcel + layout.tags, host.tag_bytes,
                {piece.count, host.tag_bytes});
    }
    for (uint64_t i = 0; i < piece.count; i++) {
      tell(host, i, outcome_of(slot, layout, i, output_bytes_));
    }
  }

 private:
  /// Has each message additional data of its own? What all messages share goes to the device as it lies.
  bool has_own_aad(uint64_t messages) const {
    return batch_.aad_bytes > 0 && batch_.aad_stride > 0 && messages > 1;
  }

  /// Are the gaps between messages copied as well? Gaps shorter than a page hold no page of their own, so
  /// they can be read. They are if at least half of what is copied is payload.
  bool copied_with_gaps() const {
    const uint64_t gap = batch_.input_stride - batch_.bytes;
    return !payload_in_parcel_ && mode_.is_aead && gap < 4096 && gap <= batch_.bytes;
  }

  /// Payload that CUDA cannot copy where it lies is in the parcel as well.
  BatchLayout layout_for(const Engine& engine, uint64_t messages) const {
    BatchLayout layout{};
    const bool aad_in_parcel = has_own_aad(messages);
    Placement placement;
    layout.nonces = placement.place(batch_.host_nonce == nullptr ? messages * batch_.nonce_bytes : 0);
    layout.keys = placement.place(keys_.each == nullptr ? 0 : messages * keys_.each->bytes);
    if (aad_in_parcel) layout.aad = placement.place(messages * batch_.aad_bytes);
    const uint64_t payload = (messages - 1) * payload_stride_ + std::max(batch_.bytes, output_bytes_);
    if (payload_in_parcel_) layout.payload = placement.place(payload);
    place_answers(layout, placement, messages);
    if (!aad_in_parcel) layout.aad = placement.place(batch_.aad_bytes);
    if (!payload_in_parcel_) layout.payload = placement.place(payload);
    layout.workspace = placement.place(workspace_bytes(engine, messages, batch_.bytes));
    layout.end = placement.end;
    return layout;
  }

  void send_parcel(const Slot& slot, const Batch& host, const BatchLayout& layout) const {
    uint8_t* const parcel = slot.parcel;
    if (host.host_nonce == nullptr) {
      copy_rows(parcel + layout.nonces, host.nonce_bytes, host.nonces, host.nonce_stride,
                {host.messages, host.nonce_bytes});
    }
    if (has_own_aad(host.messages)) {
      copy_rows(parcel + layout.aad, host.aad_bytes, host.aad, host.aad_stride,
                {host.messages, host.aad_bytes});
    } else {
      copy_to_device(slot.memory + layout.aad, host.aad, host.aad_bytes, slot.in);
    }
    if (mode_.has_tag() && !writes_tags(host)) {
      copy_rows(parcel + layout.tags, host.tag_bytes, host.tags, host.tag_stride,
                {host.messages, host.tag_bytes});
    }
    if (payload_in_parcel_) {
      copy_payload(parcel + layout.payload, payload_stride_, host.input, host.input_stride,
                   {host.messages, host.bytes});
    }
    copy_to_device(slot.memory, parcel, layout.parcel_end, slot.in);
  }

  void send_payload(const Slot& slot, const Batch& host, const BatchLayout& layout) const {
    uint8_t* const payload = slot.memory + layout.payload;
    if (host.bytes == 0) return;
    if (copied_with_gaps()) {
      copy_to_device(payload, host.input, (host.messages - 1) * host.input_stride + host.bytes, slot.in);
    } else {
      copy_rows_to_device(payload, payload_stride_, host.input, host.input_stride,
                          {host.messages, host.bytes}, slot.in);
    }
  }

  /// Copies rows from one stride to another by the host's threads.
  void copy_payload(uint8_t* to, uint64_t to_stride, const uint8_t* from, uint64_t from_stride,
                    Rows rows) const {
    if (rows.bytes == 0) return;
    share(threads_, rows.count, rows.bytes, [&](uint64_t first, uint64_t count) {
      copy_rows(to + first * to_stride, to_stride, from + first * from_stride, from_stride,
                {count, rows.bytes});
    });
  }

  /// The batch as it lies in the slot's memory, where it is worked on in place.
  Batch on_device(const Slot& slot, const Batch& host, const BatchLayout& layout) const {
    Batch device = host;
    device.input = slot.memory + layout.payload;
    device.output = mode_.has_output ? slot.memory + layout.payload : nullptr;
    device.input_stride = device.output_stride = payload_stride_;
    device.nonces =
        host.host_nonce == nullptr && host.nonce_bytes != 0 ? slot.memory + layout.nonces : nullptr;
    device.nonce_stride = host.nonce_bytes;
    device.aad = slot.memory + layout.aad;
    device.aad_stride = has_own_aad(host.messages) ? host.aad_bytes : 0;
    return device;
  }

  WorkerThreads& threads_;
  const bool payload_in_parcel_;
  const uint64_t output_bytes_, payload_stride_;
};

}  // namespace

std::unique_ptr<const HostJob> rows_job(const HostBatchKeys& keys, const Batch& batch, bool pinned) {
  return std::make_unique<RowsJob>(keys, batch, pinned);
}

void run_batch_by(const Workers& workers, const HostBatchKeys& keys, const Batch& batch) {
  const bool pinned = is_pinned(batch.input, (batch.messages - 1) * batch.input_stride + batch.bytes);
  run_job_by(workers, keys.context, *rows_job(keys, batch, pinned));
}

}  // namespace warpaes::core
