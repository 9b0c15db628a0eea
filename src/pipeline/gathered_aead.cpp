// AEAD batches that are ragged or scattered, or have a key each, through device memory: copying each message
// by itself would take longer than working on it, so all that a piece needs is gathered into the parcel, sent
// as one, and what comes back is dealt out again.
#include <cstring>

#include "engines/batch_message.hpp"
#include "modes/modes.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/staged_pieces.hpp"
#include "pipeline/staged_runs.hpp"
#include "primitives/align.hpp"

namespace warpaes::core {
namespace {

/// Offsets in a lane, the same in its parcel and its device memory. What comes back begins at `payload`.
struct Layout {
  uint64_t lengths, aad_lengths, inputs, aads, nonces, keys, aad;
  uint64_t payload, tags, statuses, parcel_end;
  uint64_t workspace, end;
};

class GatheredJob {
 public:
  GatheredJob(const Engine& engine, const BatchKeys& keys, const AeadBatch& batch)
      : engine_(engine), keys_(keys), batch_(batch) {}

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
    const AeadBatch host = piece(first, count);
    const Layout layout = layout_for(host, first);
    gather(lane, host, first, layout);
    if (keys_.each != nullptr) gather_keys(lane, first, count, layout);
    copy_to_device(lane.device(), lane.parcel(), layout.parcel_end, lane.stream());
    const AeadBatch device = on_device(lane, host, layout);
    if (keys_.each != nullptr) {
      const KeyArray keys{lane.device() + layout.keys, keys_.each->bytes, keys_.each->bytes};
      aead_key_each(engine_, keys_.device, keys, device, lane.stream());
    } else {
      aead(engine_, *keys_.one, device, lane.device() + layout.workspace, layout.end - layout.workspace,
           lane.stream());
    }
    copy_to_host(lane.parcel() + layout.payload, lane.device() + layout.payload,
                 layout.parcel_end - layout.payload, lane.stream());
  }

  void finish(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const AeadBatch host = piece(first, count);
    const Layout layout = layout_for(host, first);
    const uint8_t* from = lane.parcel() + layout.payload;
    if (host.statuses != nullptr) {
      std::memcpy(host.statuses, lane.parcel() + layout.statuses, count * sizeof(int32_t));
    }
    for (uint64_t i = 0; i < count; i++) {
      const BatchMessage message = right_message(host, first, i);
      if (message.status != WARPAES_OK) {
        if (host.statuses != nullptr) host.statuses[i] = message.status;
        continue;
      }
      if (message.bytes != 0) std::memcpy(message.output, from, message.bytes);
      from += rounded_up(message.bytes, 16);
      if (host.direction == WARPAES_DIRECTION_DECRYPT) continue;
      std::memcpy(message.tag, lane.parcel() + layout.tags + i * host.tag_bytes, host.tag_bytes);
    }
  }

 private:
  AeadBatch piece(uint64_t first, uint64_t count) const { return part_of(batch_, first, count); }

  /// @param host the piece from message `first` on
  BatchMessage right_message(const AeadBatch& host, uint64_t first, uint64_t i) const {
    BatchMessage message = message_of(host, i);
    const bool lacks_key = keys_.each != nullptr && key_of(*keys_.each, first + i) == nullptr;
    if (message.status == WARPAES_OK && lacks_key) message.status = WARPAES_ERROR_NULL_POINTER;
    return message;
  }

  Layout layout_for(const AeadBatch& host, uint64_t first) const {
    uint64_t payload = 0, aad = 0, end = 0;
    for (uint64_t i = 0; i < host.messages; i++) {
      const BatchMessage message = right_message(host, first, i);
      if (message.status != WARPAES_OK) continue;
      payload += rounded_up(message.bytes, 16);
      aad += rounded_up(message.aad_bytes, 16);
    }
    const auto place = [&end](uint64_t bytes) {
      const uint64_t at = end;
      end += rounded_up(bytes, 256);
      return at;
    };
    Layout layout{};
    for (uint64_t* numbers : {&layout.lengths, &layout.aad_lengths, &layout.inputs, &layout.aads}) {
      *numbers = place(host.messages * sizeof(uint64_t));
    }
    layout.nonces = place(host.messages * host.nonce_bytes);
    layout.keys = place(keys_.each == nullptr ? 0 : host.messages * keys_.each->bytes);
    layout.aad = place(aad);
    layout.payload = place(payload);
    layout.tags = place(host.messages * host.tag_bytes);
    layout.statuses = place(host.messages * sizeof(int32_t));
    layout.parcel_end = end;
    layout.workspace = place(aead_workspace_bytes(engine_, host.mode, host.messages, host.bytes));
    layout.end = end;
    return layout;
  }

  void gather(const StagingPool::Lease& lane, const AeadBatch& host, uint64_t first,
              const Layout& layout) const {
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
      append(payload, message.input, message.bytes);
      append(aad, message.aad, message.aad_bytes);
      if (host.direction == WARPAES_DIRECTION_DECRYPT) {
        std::memcpy(parcel + layout.tags + i * host.tag_bytes, message.tag, host.tag_bytes);
      }
    }
    // A status that the engine does not write must not say OK.
    std::memset(parcel + layout.statuses, 0xff, host.messages * sizeof(int32_t));
  }

  void gather_keys(const StagingPool::Lease& lane, uint64_t first, uint64_t count,
                   const Layout& layout) const {
    const KeyArray keys = keys_from(*keys_.each, first);
    for (uint64_t i = 0; i < count; i++) {
      const uint8_t* const key = key_of(keys, i);
      if (key != nullptr) std::memcpy(lane.parcel() + layout.keys + i * keys.bytes, key, keys.bytes);
    }
  }

  /// The same batch in the lane's memory, in place.
  static AeadBatch on_device(const StagingPool::Lease& lane, const AeadBatch& host, const Layout& layout) {
    const auto at = [&lane](auto* type, uint64_t offset) {
      return reinterpret_cast<decltype(type)>(lane.device() + offset);
    };
    AeadBatch device{};
    device.direction = host.direction;
    device.mode = host.mode;
    device.nonce_bytes = host.nonce_bytes;
    device.mac_key = host.mac_key;
    device.messages = host.messages;
    device.bytes = host.bytes;
    device.aad_bytes = host.aad_bytes;
    device.nonces = lane.device() + layout.nonces;
    device.nonce_stride = host.nonce_bytes;
    device.tags = lane.device() + layout.tags;
    device.tag_stride = device.tag_bytes = host.tag_bytes;
    device.statuses = at(device.statuses, layout.statuses);
    device.lengths = at(device.lengths, layout.lengths);
    device.aad_lengths = at(device.aad_lengths, layout.aad_lengths);
    device.inputs = at(device.inputs, layout.inputs);
    device.outputs = at(device.outputs, layout.inputs);
    device.aads = at(device.aads, layout.aads);
    return device;
  }

  const Engine& engine_;
  const BatchKeys keys_;
  const AeadBatch& batch_;
};

}  // namespace

void aead_gathered(const Engine& engine, const BatchKeys& keys, StagingPool& pool, const AeadBatch& batch,
                   StagedProgress& progress) {
  if (batch.messages == 0) return;
  run_staged(pool, GatheredJob(engine, keys, batch), batch.messages, progress.output_touched);
}

}  // namespace warpaes::core
