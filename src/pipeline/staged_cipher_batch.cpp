// Batches of modes through device memory: payload as it lies or row by row, and keys, IVs, tags and statuses
// gathered in a parcel, as staged_aead.cpp does it.
#include <cstring>

#include "modes/cipher_batch.hpp"
#include "pipeline/cipher_batches.hpp"
#include "pipeline/staged_pieces.hpp"
#include "primitives/align.hpp"

namespace warpaes::core {
namespace {

constexpr size_t kIvBytes = 16;

void copy_rows(uint8_t* to, uint64_t to_stride, const uint8_t* from, uint64_t from_stride, Rows rows) {
  for (uint64_t i = 0; i < rows.count; i++) {
    std::memcpy(to + i * to_stride, from + i * from_stride, rows.bytes);
  }
}

/// Where the things of a piece lie in a lane. The parcel is the start of its device memory, and has the
/// same offsets on the host.
struct Layout {
  uint64_t ivs, keys, tags, statuses, lengths, parcel_end, payload, end;
};

class CipherJob {
 public:
  CipherJob(const Engine& engine, const CipherKeys& keys, const CipherBatch& batch)
      : engine_(engine),
        keys_(keys),
        batch_(batch),
        stride_(rounded_up(std::max(batch.bytes, output_bytes(batch.mode, batch.bytes)), 16)) {}

  uint64_t unit_bytes() const { return std::max<uint64_t>(stride_, 64); }

  LaneNeed need(uint64_t messages) const {
    const Layout layout = layout_for(messages);
    return {layout.end, layout.parcel_end};
  }

  void enqueue(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const CipherBatch host = part_of(batch_, first, count);
    const Layout layout = layout_for(count);
    if (has_iv(batch_.mode)) {
      copy_rows(lane.parcel() + layout.ivs, kIvBytes, host.ivs, host.iv_stride, {count, kIvBytes});
    }
    if (keys_.each != nullptr) {
      const KeyArray& keys = *keys_.each;
      for (uint64_t i = 0; i < count; i++) {
        std::memcpy(lane.parcel() + layout.keys + i * keys.bytes, key_of(keys, first + i), keys.bytes);
      }
    }
    // A status that the engine does not write must not say OK.
    std::memset(lane.parcel() + layout.statuses, 0xff, count * sizeof(int32_t));
    copy_to_device(lane.device(), lane.parcel(), layout.parcel_end, lane.stream());
    copy_payload(lane, host, layout);
    const CipherBatch device = on_device(lane, host, layout);
    if (keys_.each != nullptr) {
      const KeyArray keys{lane.device() + layout.keys, keys_.each->bytes, keys_.each->bytes};
      cipher_key_each(engine_, keys_.device, keys, device, lane.stream());
    } else if (keys_.pair != nullptr) {
      xts_batch(engine_, *keys_.pair, device, lane.stream());
    } else {
      cipher_batch(engine_, *keys_.one, device, lane.stream());
    }
    if (!tags_only()) {
      copy_rows_to_host(host.output, host.output_stride, device.output, device.output_stride,
                        {count, output_bytes(host.mode, host.bytes)}, lane.stream());
    }
    copy_to_host(lane.parcel() + layout.tags, lane.device() + layout.tags, layout.parcel_end - layout.tags,
                 lane.stream());
  }

  void finish(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const CipherBatch host = part_of(batch_, first, count);
    const Layout layout = layout_for(count);
    if (tags_only()) {
      copy_rows(host.tags, host.tag_stride, lane.parcel() + layout.tags, host.tag_bytes,
                {count, host.tag_bytes});
    }
    if (host.statuses != nullptr) {
      std::memcpy(host.statuses, lane.parcel() + layout.statuses, count * sizeof(int32_t));
    }
    if (host.output_lengths == nullptr) return;
    if (changes_length(batch_.mode)) {
      std::memcpy(host.output_lengths, lane.parcel() + layout.lengths, count * sizeof(uint64_t));
      return;
    }
    // The engine has not written them: each is as long as its message, unless that was refused.
    for (uint64_t i = 0; i < count; i++) {
      int32_t status = WARPAES_OK;
      std::memcpy(&status, lane.parcel() + layout.statuses + i * sizeof status, sizeof status);
      host.output_lengths[i] = status == WARPAES_OK && !tags_only() ? host.bytes : 0;
    }
  }

 private:
  bool tags_only() const { return makes_tags(batch_.mode); }

  Layout layout_for(uint64_t messages) const {
    Layout layout{};
    uint64_t end = 0;
    const auto place = [&end](uint64_t bytes) {
      const uint64_t at = end;
      end += rounded_up(bytes, 256);
      return at;
    };
    layout.ivs = place(has_iv(batch_.mode) ? messages * kIvBytes : 0);
    layout.keys = place(keys_.each == nullptr ? 0 : messages * keys_.each->bytes);
    layout.tags = place(tags_only() ? messages * batch_.tag_bytes : 0);
    layout.statuses = place(messages * sizeof(int32_t));
    layout.lengths = place(changes_length(batch_.mode) ? messages * sizeof(uint64_t) : 0);
    layout.parcel_end = end;
    layout.payload = place(messages * stride_);
    layout.end = end;
    return layout;
  }

  void copy_payload(const StagingPool::Lease& lane, const CipherBatch& host, const Layout& layout) const {
    if (host.bytes == 0) return;
    copy_rows_to_device(lane.device() + layout.payload, stride_, host.input, host.input_stride,
                        {host.messages, host.bytes}, lane.stream());
  }

  /// The same batch in the lane's memory, in place.
  CipherBatch on_device(const StagingPool::Lease& lane, const CipherBatch& host, const Layout& layout) const {
    CipherBatch device = host;
    device.input = lane.device() + layout.payload;
    device.output = tags_only() ? nullptr : lane.device() + layout.payload;
    device.input_stride = device.output_stride = stride_;
    device.ivs = !has_iv(batch_.mode) ? nullptr : lane.device() + layout.ivs;
    device.iv_stride = kIvBytes;
    device.tags = tags_only() ? lane.device() + layout.tags : nullptr;
    device.tag_stride = host.tag_bytes;
    device.statuses = reinterpret_cast<int32_t*>(lane.device() + layout.statuses);
    device.output_lengths =
        changes_length(batch_.mode) ? reinterpret_cast<uint64_t*>(lane.device() + layout.lengths) : nullptr;
    return device;
  }

  const Engine& engine_;
  const CipherKeys keys_;
  const CipherBatch& batch_;
  const uint64_t stride_;
};

/// One message of a batch as a batch of its own.
CipherBatch alone(const CipherBatch& batch, uint64_t index, const CipherMessage& message) {
  CipherBatch single = part_of(batch, index, 1);
  single.bytes = message.bytes;
  single.input = message.input;
  single.output = message.output;
  single.lengths = nullptr;
  single.inputs = nullptr;
  single.outputs = nullptr;
  single.ivs = message.iv;
  single.iv_pointers = nullptr;
  single.tags = message.tag;
  single.tag_pointers = nullptr;
  return single;
}

}  // namespace

void cipher_batch_staged(const Engine& engine, const CipherKeys& keys, StagingPool& pool,
                         const CipherBatch& batch, StagedProgress& progress) {
  const bool keys_listed = keys.each != nullptr && keys.each->key_pointers != nullptr;
  if (are_rows(batch) && !keys_listed) {
    run_staged(pool, CipherJob(engine, keys, batch), batch.messages, progress.output_touched);
    return;
  }
  for (uint64_t m = 0; m < batch.messages; m++) {
    CipherMessage message = message_of(batch, m);
    if (keys.each != nullptr && key_of(*keys.each, m) == nullptr) message.status = WARPAES_ERROR_NULL_POINTER;
    if (batch.statuses != nullptr) batch.statuses[m] = message.status;
    if (batch.output_lengths != nullptr) batch.output_lengths[m] = 0;
    if (message.status != WARPAES_OK) continue;
    const CipherBatch single = alone(batch, m, message);
    CipherKeys one = keys;
    KeyArray its_own{};
    if (keys.each != nullptr) {
      its_own = {key_of(*keys.each, m), 0, keys.each->bytes};
      one.each = &its_own;
    }
    run_staged(pool, CipherJob(engine, one, single), 1, progress.output_touched);
  }
}

}  // namespace warpaes::core
