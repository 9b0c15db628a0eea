// Regular batches through device memory. Payload is copied as it lies; the small things of each message
// (nonce, key, additional data, tag, status) are gathered into one parcel, as a GPU copies one long row in
// the time of a few short ones.
#include <cstring>

#include "modes/mode_table.hpp"
#include "pipeline/staged_batch.hpp"

namespace warpaes::core {
namespace {

/// Rows from one stride to another, on the host.
void copy_rows(uint8_t* to, uint64_t to_stride, const uint8_t* from, uint64_t from_stride, Rows rows) {
  if (rows.bytes == 0) return;
  for (uint64_t i = 0; i < rows.count; i++)
    std::memcpy(to + i * to_stride, from + i * from_stride, rows.bytes);
}

/// Where the things of a piece lie in a lane. The parcel has the same offsets on host and device, and is
/// the start of the lane's device memory; payload and workspace come behind it.
struct Layout {
  uint64_t nonces, keys, aad, tags, statuses, output_lengths, parcel_end;
  uint64_t payload, workspace, end;
  bool aad_in_parcel;
};

class RowsJob {
 public:
  RowsJob(const Engine& engine, const StagedKeys& keys, const Batch& batch)
      : engine_(engine),
        keys_(keys),
        batch_(batch),
        mode_(mode_row(batch.mode)),
        output_bytes_(mode_.lengths(batch.direction).output(batch.bytes)),
        payload_stride_(copied_with_gaps() ? batch.input_stride
                                           : rounded_up(std::max(batch.bytes, output_bytes_), 16)) {}

  uint64_t unit_bytes() const {
    return std::max<uint64_t>({batch_.bytes, output_bytes_, batch_.aad_bytes, 64});
  }

  LaneNeed need(uint64_t messages) const {
    const Layout layout = layout_for(messages);
    return {layout.end, layout.parcel_end};
  }

  void enqueue(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const Batch host = part_of(batch_, first, count);
    const Layout layout = layout_for(count);
    if (keys_.each != nullptr) gather_keys(lane.parcel() + layout.keys, keys_from(*keys_.each, first), count);
    send_parcel(lane, host, layout);
    send_payload(lane, host, layout);
    const Batch device = on_device(lane, host, layout);
    run_on_device(engine_, keys_, lane, {layout.keys, layout.workspace, layout.end}, device);
    if (mode_.has_output) {
      copy_rows_to_host(host.output, host.output_stride, device.output, device.output_stride,
                        {count, output_bytes_}, lane.stream());
    }
    copy_to_host(lane.parcel() + layout.tags, lane.device() + layout.tags, layout.parcel_end - layout.tags,
                 lane.stream());
  }

  void finish(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const Batch host = part_of(batch_, first, count);
    const Layout layout = layout_for(count);
    if (writes_tags(host)) {
      copy_rows(host.tags, host.tag_stride, lane.parcel() + layout.tags, host.tag_bytes,
                {count, host.tag_bytes});
    }
    for (uint64_t i = 0; i < count; i++) {
      tell(host, i,
           staged_outcome(mode_, lane.parcel() + layout.statuses, lane.parcel() + layout.output_lengths, i,
                          output_bytes_));
    }
  }

 private:
  /// Additional data that all messages share goes to the device as it lies.
  bool has_own_aad(uint64_t messages) const {
    return batch_.aad_bytes > 0 && batch_.aad_stride > 0 && messages > 1;
  }

  /// Gaps shorter than a page hold no page of their own, so a span with such gaps can be read as one. It
  /// should be if most of what is copied is payload.
  bool copied_with_gaps() const {
    const uint64_t gap = batch_.input_stride - batch_.bytes;
    return mode_.is_aead && gap < 4096 && gap <= batch_.bytes;
  }

  Layout layout_for(uint64_t messages) const {
    Layout layout{};
    layout.aad_in_parcel = has_own_aad(messages);
    Placement placement;
    layout.nonces = placement.place(batch_.host_nonce == nullptr ? messages * batch_.nonce_bytes : 0);
    layout.keys = placement.place(keys_.each == nullptr ? 0 : messages * keys_.each->bytes);
    if (layout.aad_in_parcel) layout.aad = placement.place(messages * batch_.aad_bytes);
    layout.tags = placement.place(mode_.has_tag() ? messages * batch_.tag_bytes : 0);
    layout.statuses = placement.place(messages * sizeof(int32_t));
    layout.output_lengths = placement.place(mode_.changes_length() ? messages * sizeof(uint64_t) : 0);
    layout.parcel_end = placement.end;
    if (!layout.aad_in_parcel) layout.aad = placement.place(batch_.aad_bytes);
    layout.payload =
        placement.place((messages - 1) * payload_stride_ + std::max(batch_.bytes, output_bytes_));
    layout.workspace = placement.place(workspace_bytes(engine_, keys_, batch_, messages));
    layout.end = placement.end;
    return layout;
  }

  void send_parcel(const StagingPool::Lease& lane, const Batch& host, const Layout& layout) const {
    uint8_t* const parcel = lane.parcel();
    if (host.host_nonce == nullptr) {
      copy_rows(parcel + layout.nonces, host.nonce_bytes, host.nonces, host.nonce_stride,
                {host.messages, host.nonce_bytes});
    }
    if (layout.aad_in_parcel) {
      copy_rows(parcel + layout.aad, host.aad_bytes, host.aad, host.aad_stride,
                {host.messages, host.aad_bytes});
    } else {
      copy_to_device(lane.device() + layout.aad, host.aad, host.aad_bytes, lane.stream());
    }
    if (mode_.has_tag() && !writes_tags(host)) {
      copy_rows(parcel + layout.tags, host.tag_bytes, host.tags, host.tag_stride,
                {host.messages, host.tag_bytes});
    }
    // A status that the engine does not write must not say OK.
    std::memset(parcel + layout.statuses, 0xff, host.messages * sizeof(int32_t));
    copy_to_device(lane.device(), parcel, layout.parcel_end, lane.stream());
  }

  void send_payload(const StagingPool::Lease& lane, const Batch& host, const Layout& layout) const {
    uint8_t* const payload = lane.device() + layout.payload;
    if (host.bytes == 0) return;
    if (copied_with_gaps()) {
      copy_to_device(payload, host.input, (host.messages - 1) * host.input_stride + host.bytes,
                     lane.stream());
    } else {
      copy_rows_to_device(payload, payload_stride_, host.input, host.input_stride,
                          {host.messages, host.bytes}, lane.stream());
    }
  }

  /// The same batch in the lane's memory, in place.
  Batch on_device(const StagingPool::Lease& lane, const Batch& host, const Layout& layout) const {
    Batch device = host;
    device.input = lane.device() + layout.payload;
    device.output = mode_.has_output ? lane.device() + layout.payload : nullptr;
    device.input_stride = device.output_stride = payload_stride_;
    device.nonces =
        host.host_nonce == nullptr && host.nonce_bytes != 0 ? lane.device() + layout.nonces : nullptr;
    device.nonce_stride = host.nonce_bytes;
    device.aad = lane.device() + layout.aad;
    device.aad_stride = layout.aad_in_parcel ? host.aad_bytes : 0;
    device.tags = mode_.has_tag() ? lane.device() + layout.tags : nullptr;
    device.tag_stride = host.tag_bytes;
    device.statuses = reinterpret_cast<int32_t*>(lane.device() + layout.statuses);
    device.output_lengths =
        mode_.changes_length() ? reinterpret_cast<uint64_t*>(lane.device() + layout.output_lengths) : nullptr;
    return device;
  }

  const Engine& engine_;
  const StagedKeys keys_;
  const Batch& batch_;
  const ModeRow& mode_;
  const uint64_t output_bytes_, payload_stride_;
};

}  // namespace

void rows_staged(const Engine& engine, const StagedKeys& keys, StagingPool& pool, const Batch& batch,
                 StagedProgress& progress) {
  run_staged(pool, RowsJob(engine, keys, batch), batch.messages, progress.output_touched);
}

}  // namespace warpaes::core
