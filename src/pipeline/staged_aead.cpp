// AEAD batches through device memory. Payload is copied as it lies; the small things of each message
// (nonce, additional data, tag, status) are gathered into one parcel, as a GPU copies one long row in the
// time of a few short ones.
#include <cstring>

#include "modes/modes.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/staged_pieces.hpp"
#include "pipeline/staged_runs.hpp"
#include "primitives/align.hpp"

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
  uint64_t nonces, aad, tags, statuses, parcel_end;
  uint64_t payload, workspace, end;
  uint64_t payload_stride;
  bool aad_in_parcel;
};

class AeadJob {
 public:
  AeadJob(const Engine& engine, const AeadKey& key, const AeadBatch& batch)
      : engine_(engine), key_(key), batch_(batch) {}

  uint64_t unit_bytes() const { return std::max<uint64_t>({batch_.bytes, batch_.aad_bytes, 64}); }

  LaneNeed need(uint64_t messages) const {
    const Layout layout = layout_for(messages);
    return {layout.end, layout.parcel_end};
  }

  void enqueue(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const AeadBatch host = part_of(batch_, first, count);
    const Layout layout = layout_for(count);
    send_parcel(lane, host, layout);
    send_payload(lane, host, layout);
    const AeadBatch device = on_device(lane, host, layout);
    aead(engine_, key_, device, lane.device() + layout.workspace, layout.end - layout.workspace,
         lane.stream());
    copy_rows_to_host(host.output, host.output_stride, device.output, device.output_stride,
                      {count, host.bytes}, lane.stream());
    copy_to_host(lane.parcel() + layout.tags, lane.device() + layout.tags, layout.parcel_end - layout.tags,
                 lane.stream());
  }

  void finish(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const AeadBatch host = part_of(batch_, first, count);
    const Layout layout = layout_for(count);
    if (host.direction == WARPAES_DIRECTION_ENCRYPT) {
      copy_rows(host.tags, host.tag_stride, lane.parcel() + layout.tags, host.tag_bytes,
                {count, host.tag_bytes});
    }
    if (host.statuses != nullptr) {
      std::memcpy(host.statuses, lane.parcel() + layout.statuses, count * sizeof(int32_t));
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
    return gap < 4096 && gap <= batch_.bytes;
  }

  Layout layout_for(uint64_t messages) const {
    Layout layout{};
    layout.aad_in_parcel = has_own_aad(messages);
    layout.payload_stride = copied_with_gaps() ? batch_.input_stride : rounded_up(batch_.bytes, 16);
    uint64_t end = 0;
    const auto place = [&end](uint64_t bytes) {
      const uint64_t at = end;
      end += rounded_up(bytes, 256);
      return at;
    };
    layout.nonces = place(batch_.host_nonce == nullptr ? messages * batch_.nonce_bytes : 0);
    if (layout.aad_in_parcel) layout.aad = place(messages * batch_.aad_bytes);
    layout.tags = place(messages * batch_.tag_bytes);
    layout.statuses = place(messages * sizeof(int32_t));
    layout.parcel_end = end;
    if (!layout.aad_in_parcel) layout.aad = place(batch_.aad_bytes);
    layout.payload = place((messages - 1) * layout.payload_stride + batch_.bytes);
    layout.workspace = place(aead_workspace_bytes(engine_, batch_.mode, messages, batch_.bytes));
    layout.end = end;
    return layout;
  }

  void send_parcel(const StagingPool::Lease& lane, const AeadBatch& host, const Layout& layout) const {
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
    if (host.direction == WARPAES_DIRECTION_DECRYPT) {
      copy_rows(parcel + layout.tags, host.tag_bytes, host.tags, host.tag_stride,
                {host.messages, host.tag_bytes});
    }
    // A status that the engine does not write must not say OK.
    std::memset(parcel + layout.statuses, 0xff, host.messages * sizeof(int32_t));
    copy_to_device(lane.device(), parcel, layout.parcel_end, lane.stream());
  }

  void send_payload(const StagingPool::Lease& lane, const AeadBatch& host, const Layout& layout) const {
    uint8_t* const payload = lane.device() + layout.payload;
    if (host.bytes == 0) return;
    if (copied_with_gaps()) {
      copy_to_device(payload, host.input, (host.messages - 1) * host.input_stride + host.bytes,
                     lane.stream());
    } else {
      copy_rows_to_device(payload, layout.payload_stride, host.input, host.input_stride,
                          {host.messages, host.bytes}, lane.stream());
    }
  }

  /// The same batch in the lane's memory, in place.
  AeadBatch on_device(const StagingPool::Lease& lane, const AeadBatch& host, const Layout& layout) const {
    AeadBatch device = host;
    device.input = device.output = lane.device() + layout.payload;
    device.input_stride = device.output_stride = layout.payload_stride;
    if (host.host_nonce == nullptr) device.nonces = lane.device() + layout.nonces;
    device.nonce_stride = host.nonce_bytes;
    device.aad = lane.device() + layout.aad;
    device.aad_stride = layout.aad_in_parcel ? host.aad_bytes : 0;
    device.tags = lane.device() + layout.tags;
    device.tag_stride = host.tag_bytes;
    device.statuses = reinterpret_cast<int32_t*>(lane.device() + layout.statuses);
    return device;
  }

  const Engine& engine_;
  const AeadKey& key_;
  const AeadBatch& batch_;
};

}  // namespace

void aead_staged(const Engine& engine, const AeadKey& key, StagingPool& pool, const AeadBatch& batch,
                 StagedProgress& progress) {
  run_staged(pool, AeadJob(engine, key, batch), batch.messages, progress.output_touched);
}

}  // namespace warpaes::core
