// Batches that are ragged or scattered through device memory: copying each message by itself would take
// longer than working on it, so all that a piece needs is gathered into the parcel, sent as one, and what
// comes back is dealt out again.
#include <cstring>

#include "pipeline/staged_batch.hpp"

namespace warpaes::core {
namespace {

/// Offsets in a slot, the same in its parcel and its device memory. What comes back begins at `payload`.
struct Layout {
  uint64_t lengths, aad_lengths, inputs, aads, nonces, keys, aad;
  uint64_t payload, tags, statuses, output_lengths, parcel_end;  // the workspace is behind
};

class GatheredJob : public BatchJob {
 public:
  GatheredJob(const HostBatchKeys& keys, const Batch& batch) : BatchJob(keys, batch) {}

  uint64_t unit_bytes() const override {
    const Layout all = layout_for({0, batch_.messages});
    return std::max<uint64_t>(all.parcel_end / batch_.messages, 64);
  }

  /// Each message is copied by the CPU anyway, and pieces of few messages would cost more than they overlap.
  uint64_t piece_bytes(const TransferSizes& sizes) const override {
    return mode_.chains_in(batch_.direction) ? sizes.chained_piece : sizes.piece;
  }

  bool fetch_overwrites_input() const override { return false; }

  /// Of the piece that needs most, if they begin at multiples of `messages`.
  SlotNeed need(const Engine& engine, uint64_t messages) const override {
    SlotNeed most{0, 0};
    for (uint64_t first = 0; first < batch_.messages; first += messages) {
      const SlotNeed need = need_of(engine, {first, std::min(messages, batch_.messages - first)});
      most.device_bytes = std::max(most.device_bytes, need.device_bytes);
      most.parcel_bytes = std::max(most.parcel_bytes, need.parcel_bytes);
    }
    return most;
  }

  uint64_t fitting(const Engine& engine, Piece piece, SlotNeed slot) const override {
    const auto fits = [&](uint64_t count) {
      const SlotNeed need = need_of(engine, {piece.first, count});
      return need.device_bytes <= slot.device_bytes && need.parcel_bytes <= slot.parcel_bytes;
    };
    uint64_t count = piece.count;
    while (count > 1 && !fits(count)) count /= 2;
    return count;
  }

  void send(const Engine&, const Slot& slot, Piece piece) const override {
    const Layout layout = layout_for(piece);
    gather(slot, piece, layout);
    gather_keys(slot.parcel + layout.keys, piece);
    copy_to_device(slot.memory, slot.parcel, layout.parcel_end, slot.in);
  }

  void work(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Layout layout = layout_for(piece);
    const uint64_t end = layout.parcel_end + workspace_bytes(engine, piece.count);
    run_on_device(engine, slot, {layout.keys, layout.parcel_end, end}, on_device(slot, piece.count, layout));
  }

  void fetch(const Engine&, const Slot& slot, Piece piece) const override {
    const Layout layout = layout_for(piece);
    copy_to_host(slot.parcel + layout.payload, slot.memory + layout.payload,
                 layout.parcel_end - layout.payload, slot.out);
  }

  void finish(const Engine&, const Slot& slot, Piece piece) const override {
    const Layout layout = layout_for(piece);
    const uint8_t* from = slot.parcel + layout.payload;
    for (uint64_t i = 0; i < piece.count; i++) {
      const BatchMessage message = message_at(piece.first + i);
      if (message.status != WARPAES_OK) {
        tell(batch_, message.index, {message.status, 0});
        continue;
      }
      tell(batch_, message.index,
           outcome_of(slot.parcel + layout.statuses, slot.parcel + layout.output_lengths, i,
                      message.output_bytes));
      if (message.output_bytes != 0) std::memcpy(message.output, from, message.output_bytes);
      from += room_of(message);
      if (!writes_tags(batch_)) continue;
      std::memcpy(message.tag, slot.parcel + layout.tags + i * batch_.tag_bytes, batch_.tag_bytes);
    }
  }

 private:
  BatchMessage message_at(uint64_t index) const { return message_of(batch_, keys_.each, index); }

  SlotNeed need_of(const Engine& engine, Piece piece) const {
    const Layout layout = layout_for(piece);
    return {layout.parcel_end + workspace_bytes(engine, piece.count), layout.parcel_end};
  }

  /// Input, and then output.
  static uint64_t room_of(const BatchMessage& message) {
    return rounded_up(std::max(message.bytes, message.output_bytes), 16);
  }

  Layout layout_for(Piece piece) const {
    uint64_t payload = 0, aad = 0;
    for (uint64_t i = 0; i < piece.count; i++) {
      const BatchMessage message = message_at(piece.first + i);
      if (message.status != WARPAES_OK) continue;
      payload += room_of(message);
      aad += rounded_up(message.aad_bytes, 16);
    }
    Placement placement;
    const auto place = [&placement](uint64_t bytes) { return placement.place(bytes); };
    Layout layout{};
    for (uint64_t* numbers : {&layout.lengths, &layout.aad_lengths, &layout.inputs, &layout.aads}) {
      *numbers = place(piece.count * sizeof(uint64_t));
    }
    layout.nonces = place(piece.count * batch_.nonce_bytes);
    layout.keys = place(keys_.each == nullptr ? 0 : piece.count * keys_.each->bytes);
    layout.aad = place(aad);
    layout.payload = place(payload);
    layout.tags = place(mode_.has_tag() ? piece.count * batch_.tag_bytes : 0);
    layout.statuses = place(piece.count * sizeof(int32_t));
    layout.output_lengths = place(mode_.changes_length() ? piece.count * sizeof(uint64_t) : 0);
    layout.parcel_end = placement.end;
    return layout;
  }

  void gather(const Slot& slot, Piece piece, const Layout& layout) const {
    uint8_t* const parcel = slot.parcel;
    const auto set_number = [parcel](uint64_t array, uint64_t index, uint64_t number) {
      std::memcpy(parcel + array + index * sizeof number, &number, sizeof number);
    };
    const auto append = [parcel](uint64_t& at, const uint8_t* from, uint64_t bytes) {
      if (bytes != 0) std::memcpy(parcel + at, from, bytes);
      at += rounded_up(bytes, 16);
    };
    uint64_t payload = layout.payload, aad = layout.aad;
    for (uint64_t i = 0; i < piece.count; i++) {
      const BatchMessage message = message_at(piece.first + i);
      if (message.status != WARPAES_OK) {
        set_number(layout.lengths, i, batch_.bytes + 1);  // which the engine refuses
        continue;
      }
      set_number(layout.lengths, i, message.bytes);
      set_number(layout.aad_lengths, i, message.aad_bytes);
      set_number(layout.inputs, i, reinterpret_cast<uintptr_t>(slot.memory + payload));
      set_number(layout.aads, i, reinterpret_cast<uintptr_t>(slot.memory + aad));
      uint64_t nonce = layout.nonces + i * batch_.nonce_bytes;
      append(nonce, message.nonce, batch_.nonce_bytes);
      if (message.bytes != 0) std::memcpy(parcel + payload, message.input, message.bytes);
      payload += room_of(message);
      append(aad, message.aad, message.aad_bytes);
      if (mode_.has_tag() && !writes_tags(batch_)) {
        std::memcpy(parcel + layout.tags + i * batch_.tag_bytes, message.tag, batch_.tag_bytes);
      }
    }
    // A status that the engine does not write must not say OK.
    std::memset(parcel + layout.statuses, 0xff, piece.count * sizeof(int32_t));
  }

  /// The same batch in the slot's memory, in place.
  Batch on_device(const Slot& slot, uint64_t messages, const Layout& layout) const {
    const auto at = [&slot](auto* type, uint64_t offset) {
      return reinterpret_cast<decltype(type)>(slot.memory + offset);
    };
    Batch device{};
    device.direction = batch_.direction;
    device.mode = batch_.mode;
    device.nonce_bytes = batch_.nonce_bytes;
    device.messages = messages;
    device.bytes = batch_.bytes;
    device.aad_bytes = batch_.aad_bytes;
    device.nonces = batch_.nonce_bytes != 0 ? slot.memory + layout.nonces : nullptr;
    device.nonce_stride = batch_.nonce_bytes;
    if (mode_.has_tag()) device.tags = slot.memory + layout.tags;
    device.tag_stride = device.tag_bytes = batch_.tag_bytes;
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
};

}  // namespace

std::unique_ptr<const HostJob> gathered_job(const HostBatchKeys& keys, const Batch& batch) {
  return std::make_unique<GatheredJob>(keys, batch);
}

}  // namespace warpaes::core
