// Batches that are ragged or scattered through device memory: copying each message by itself would take
// longer than working on it, so all that a piece needs is gathered into the parcel, sent as one, and what
// comes back is dealt out again.
#include <cstring>

#include "pipeline/staged_batch.hpp"

namespace warpaes::core {
namespace {

/// Offsets in a lane, the same in its parcel and its device memory. What comes back begins at `payload`.
struct Layout {
  uint64_t lengths, aad_lengths, inputs, aads, nonces, keys, aad;
  uint64_t payload, tags, statuses, output_lengths, parcel_end;
  uint64_t workspace, end;
};

class GatheredJob {
 public:
  GatheredJob(const Engine& engine, const StagedKeys& keys, const Batch& batch)
      : engine_(engine), keys_(keys), batch_(batch), mode_(mode_row(batch.mode)) {}

  /// On average: pieces are cut by their number of messages.
  uint64_t unit_bytes() const {
    const Layout all = layout_for(batch_, 0);
    return std::max<uint64_t>(all.parcel_end / batch_.messages, 64);
  }

  /// Of the piece that needs most.
  LaneNeed need(uint64_t messages) const {
    LaneNeed most{0, 0};
    for (uint64_t first = 0; first < batch_.messages; first += messages) {
      const Layout layout = layout_for(piece(first, std::min(messages, batch_.messages - first)), first);
      most.device_bytes = std::max<size_t>(most.device_bytes, layout.end);
      most.parcel_bytes = std::max<size_t>(most.parcel_bytes, layout.parcel_end);
    }
    return most;
  }

  void enqueue(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const Batch host = piece(first, count);
    const Layout layout = layout_for(host, first);
    gather(lane, host, first, layout);
    if (keys_.each != nullptr) gather_keys(lane.parcel() + layout.keys, keys_from(*keys_.each, first), count);
    copy_to_device(lane.device(), lane.parcel(), layout.parcel_end, lane.stream());
    run_on_device(engine_, keys_, lane, {layout.keys, layout.workspace, layout.end},
                  on_device(lane, host, layout));
    copy_to_host(lane.parcel() + layout.payload, lane.device() + layout.payload,
                 layout.parcel_end - layout.payload, lane.stream());
  }

  void finish(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const Batch host = piece(first, count);
    const Layout layout = layout_for(host, first);
    const uint8_t* from = lane.parcel() + layout.payload;
    for (uint64_t i = 0; i < count; i++) {
      const BatchMessage message = right_message(host, first, i);
      if (message.status != WARPAES_OK) {
        tell(host, i, {message.status, 0});
        continue;
      }
      tell(host, i,
           staged_outcome(mode_, lane.parcel() + layout.statuses, lane.parcel() + layout.output_lengths, i,
                          message.output_bytes));
      if (message.output_bytes != 0) std::memcpy(message.output, from, message.output_bytes);
      from += slot_bytes(message);
      if (!writes_tags(host)) continue;
      std::memcpy(message.tag, lane.parcel() + layout.tags + i * host.tag_bytes, host.tag_bytes);
    }
  }

 private:
  Batch piece(uint64_t first, uint64_t count) const { return part_of(batch_, first, count); }

  /// @param host the piece from message `first` on
  BatchMessage right_message(const Batch& host, uint64_t first, uint64_t i) const {
    if (keys_.each == nullptr) return message_of(host, i);
    const KeyArray keys = keys_from(*keys_.each, first);
    return message_of(host, &keys, i);
  }

  /// Input, and then output.
  static uint64_t slot_bytes(const BatchMessage& message) {
    return rounded_up(std::max(message.bytes, message.output_bytes), 16);
  }

  Layout layout_for(const Batch& host, uint64_t first) const {
    uint64_t payload = 0, aad = 0;
    for (uint64_t i = 0; i < host.messages; i++) {
      const BatchMessage message = right_message(host, first, i);
      if (message.status != WARPAES_OK) continue;
      payload += slot_bytes(message);
      aad += rounded_up(message.aad_bytes, 16);
    }
    Placement placement;
    const auto place = [&placement](uint64_t bytes) { return placement.place(bytes); };
    Layout layout{};
    for (uint64_t* numbers : {&layout.lengths, &layout.aad_lengths, &layout.inputs, &layout.aads}) {
      *numbers = place(host.messages * sizeof(uint64_t));
    }
    layout.nonces = place(host.messages * host.nonce_bytes);
    layout.keys = place(keys_.each == nullptr ? 0 : host.messages * keys_.each->bytes);
    layout.aad = place(aad);
    layout.payload = place(payload);
    layout.tags = place(mode_.has_tag() ? host.messages * host.tag_bytes : 0);
    layout.statuses = place(host.messages * sizeof(int32_t));
    layout.output_lengths = place(mode_.changes_length() ? host.messages * sizeof(uint64_t) : 0);
    layout.parcel_end = placement.end;
    layout.workspace = place(workspace_bytes(engine_, keys_, host, host.messages));
    layout.end = placement.end;
    return layout;
  }

  void gather(const StagingPool::Lease& lane, const Batch& host, uint64_t first, const Layout& layout) const {
    uint8_t* const parcel = lane.parcel();
    const auto set_number = [parcel](uint64_t array, uint64_t index, uint64_t number) {
      std::memcpy(parcel + array + index * sizeof number, &number, sizeof number);
    };
    const auto append = [parcel](uint64_t& at, const uint8_t* from, uint64_t bytes) {
      if (bytes != 0) std::memcpy(parcel + at, from, bytes);
      at += rounded_up(bytes, 16);
    };
    uint64_t payload = layout.payload, aad = layout.aad;
    for (uint64_t i = 0; i < host.messages; i++) {
      const BatchMessage message = right_message(host, first, i);
      if (message.status != WARPAES_OK) {
        set_number(layout.lengths, i, host.bytes + 1);  // which the engine refuses
        continue;
      }
      set_number(layout.lengths, i, message.bytes);
      set_number(layout.aad_lengths, i, message.aad_bytes);
      set_number(layout.inputs, i, reinterpret_cast<uintptr_t>(lane.device() + payload));
      set_number(layout.aads, i, reinterpret_cast<uintptr_t>(lane.device() + aad));
      uint64_t nonce = layout.nonces + i * host.nonce_bytes;
      append(nonce, message.nonce, host.nonce_bytes);
      if (message.bytes != 0) std::memcpy(parcel + payload, message.input, message.bytes);
      payload += slot_bytes(message);
      append(aad, message.aad, message.aad_bytes);
      if (mode_.has_tag() && !writes_tags(host)) {
        std::memcpy(parcel + layout.tags + i * host.tag_bytes, message.tag, host.tag_bytes);
      }
    }
    // A status that the engine does not write must not say OK.
    std::memset(parcel + layout.statuses, 0xff, host.messages * sizeof(int32_t));
  }

  /// The same batch in the lane's memory, in place.
  Batch on_device(const StagingPool::Lease& lane, const Batch& host, const Layout& layout) const {
    const auto at = [&lane](auto* type, uint64_t offset) {
      return reinterpret_cast<decltype(type)>(lane.device() + offset);
    };
    Batch device{};
    device.direction = host.direction;
    device.mode = host.mode;
    device.nonce_bytes = host.nonce_bytes;
    device.messages = host.messages;
    device.bytes = host.bytes;
    device.aad_bytes = host.aad_bytes;
    device.nonces = host.nonce_bytes != 0 ? lane.device() + layout.nonces : nullptr;
    device.nonce_stride = host.nonce_bytes;
    if (mode_.has_tag()) device.tags = lane.device() + layout.tags;
    device.tag_stride = device.tag_bytes = host.tag_bytes;
    device.statuses = at(device.statuses, layout.statuses);
    device.lengths = at(device.lengths, layout.lengths);
    device.inputs = at(device.inputs, layout.inputs);
    if (mode_.has_output) device.outputs = at(device.outputs, layout.inputs);
    if (mode_.changes_length()) device.output_lengths = at(device.output_lengths, layout.output_lengths);
    if (!mode_.is_aead) return device;
    device.aads = at(device.aads, layout.aads);
    device.aad_lengths = at(device.aad_lengths, layout.aad_lengths);
    return device;
  }

  const Engine& engine_;
  const StagedKeys keys_;
  const Batch& batch_;
  const ModeRow& mode_;
};

}  // namespace

void gathered_staged(const Engine& engine, const StagedKeys& keys, StagingPool& pool, const Batch& batch,
                     StagedProgress& progress) {
  if (batch.messages == 0) return;
  run_staged(pool, GatheredJob(engine, keys, batch), batch.messages, progress.output_touched);
}

}  // namespace warpaes::core
