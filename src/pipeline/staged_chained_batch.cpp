// Batches of the chained modes through device memory: payload as it lies or row by row, and IVs, tags and
// statuses gathered in a parcel, as staged_gcm.cpp does it.
#include <cstring>

#include "modes/chained_batch.hpp"
#include "pipeline/chained_batches.hpp"
#include "pipeline/staged_pieces.hpp"

namespace warpaes {
namespace {

constexpr size_t kIvBytes = 16;

uint64_t rounded_up(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

void copy_rows(uint8_t* to, uint64_t to_stride, const uint8_t* from, uint64_t from_stride, Rows rows) {
  for (uint64_t i = 0; i < rows.count; i++) {
    std::memcpy(to + i * to_stride, from + i * from_stride, rows.bytes);
  }
}

/// Where the things of a piece lie in a lane. The parcel is the start of its device memory, and has the
/// same offsets on the host.
struct Layout {
  uint64_t ivs, tags, statuses, parcel_end, payload, end;
};

class ChainedJob {
 public:
  ChainedJob(const Engine& engine, const EngineKey& key, const ChainedBatch& batch)
      : engine_(engine), key_(key), batch_(batch), stride_(rounded_up(batch.bytes, 16)) {}

  uint64_t unit_bytes() const { return std::max<uint64_t>(batch_.bytes, 64); }

  LaneNeed need(uint64_t messages) const {
    const Layout layout = layout_for(messages);
    return {layout.end, layout.parcel_end};
  }

  void enqueue(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const ChainedBatch host = part_of(batch_, first, count);
    const Layout layout = layout_for(count);
    if (!tags_only()) {
      copy_rows(lane.parcel() + layout.ivs, kIvBytes, host.ivs, host.iv_stride, {count, kIvBytes});
    }
    // A status that the engine does not write must not say OK.
    std::memset(lane.parcel() + layout.statuses, 0xff, count * sizeof(int32_t));
    copy_to_device(lane.device(), lane.parcel(), layout.parcel_end, lane.stream());
    copy_payload(lane, host, layout);
    const ChainedBatch device = on_device(lane, host, layout);
    chained_batch(engine_, key_, device, lane.stream());
    if (!tags_only()) {
      copy_rows_to_host(host.output, host.output_stride, device.output, device.output_stride,
                        {count, host.bytes}, lane.stream());
    }
    copy_to_host(lane.parcel() + layout.tags, lane.device() + layout.tags, layout.parcel_end - layout.tags,
                 lane.stream());
  }

  void finish(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const ChainedBatch host = part_of(batch_, first, count);
    const Layout layout = layout_for(count);
    if (tags_only()) {
      copy_rows(host.tags, host.tag_stride, lane.parcel() + layout.tags, host.tag_bytes,
                {count, host.tag_bytes});
    }
    if (host.statuses != nullptr) {
      std::memcpy(host.statuses, lane.parcel() + layout.statuses, count * sizeof(int32_t));
    }
  }

 private:
  bool tags_only() const { return makes_tags(batch_.chaining); }

  Layout layout_for(uint64_t messages) const {
    Layout layout{};
    uint64_t end = 0;
    const auto place = [&end](uint64_t bytes) {
      const uint64_t at = end;
      end += rounded_up(bytes, 256);
      return at;
    };
    layout.ivs = place(tags_only() ? 0 : messages * kIvBytes);
    layout.tags = place(tags_only() ? messages * batch_.tag_bytes : 0);
    layout.statuses = place(messages * sizeof(int32_t));
    layout.parcel_end = end;
    layout.payload = place(messages * stride_);
    layout.end = end;
    return layout;
  }

  void copy_payload(const StagingPool::Lease& lane, const ChainedBatch& host, const Layout& layout) const {
    if (host.bytes == 0) return;
    copy_rows_to_device(lane.device() + layout.payload, stride_, host.input, host.input_stride,
                        {host.messages, host.bytes}, lane.stream());
  }

  /// The same batch in the lane's memory, in place.
  ChainedBatch on_device(const StagingPool::Lease& lane, const ChainedBatch& host,
                         const Layout& layout) const {
    ChainedBatch device = host;
    device.input = lane.device() + layout.payload;
    device.output = tags_only() ? nullptr : lane.device() + layout.payload;
    device.input_stride = device.output_stride = stride_;
    device.ivs = tags_only() ? nullptr : lane.device() + layout.ivs;
    device.iv_stride = kIvBytes;
    device.tags = tags_only() ? lane.device() + layout.tags : nullptr;
    device.tag_stride = host.tag_bytes;
    device.statuses = reinterpret_cast<int32_t*>(lane.device() + layout.statuses);
    return device;
  }

  const Engine& engine_;
  const EngineKey& key_;
  const ChainedBatch& batch_;
  const uint64_t stride_;
};

/// One message of a batch as a batch of its own.
ChainedBatch alone(const ChainedBatch& batch, uint64_t index, const ChainedMessage& message) {
  ChainedBatch single = part_of(batch, index, 1);
  single.bytes = message.bytes;
  single.input = message.input;
  single.output = message.output;
  single.lengths = nullptr;
  single.inputs = nullptr;
  single.outputs = nullptr;
  return single;
}

}  // namespace

void chained_batch_staged(const Engine& engine, const EngineKey& key, StagingPool& pool,
                          const ChainedBatch& batch, StagedProgress& progress) {
  if (batch.lengths == nullptr && batch.inputs == nullptr && batch.outputs == nullptr) {
    run_staged(pool, ChainedJob(engine, key, batch), batch.messages, progress.output_touched);
    return;
  }
  for (uint64_t m = 0; m < batch.messages; m++) {
    const ChainedMessage message = message_of(batch, m);
    batch.statuses[m] = message.status;
    if (message.status != WARPAES_OK) continue;
    const ChainedBatch single = alone(batch, m, message);
    run_staged(pool, ChainedJob(engine, key, single), 1, progress.output_touched);
  }
}

}  // namespace warpaes
