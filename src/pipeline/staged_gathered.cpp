// Brings batches that are ragged or scattered through device memory. To copy each message by itself would
// take longer than to work on it. So all that a piece needs is gathered into the parcel and sent as one, and
// what comes back is dealt out again.
#include <cstring>
#include <vector>

#include "pipeline/staged_batch.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {
namespace {

/// The length of the longest message that will be worked on. The batch's own limit may be up to 2^64 - 1, so
/// it does for neither of two things: a length that is greater by one marks messages that are refused, and an
/// engine has to take messages of this length.
uint64_t longest_of(const HostBatchKeys& keys, const Batch& batch) {
  constexpr uint64_t kLeast = 64;  // a length that no mode refuses
  uint64_t longest = std::min(batch.bytes, kLeast);
  for (uint64_t m = 0; m < batch.messages; m++) {
    const BatchMessage message = message_of(batch, keys.each, m);
    if (message.status == WARPAES_OK) longest = std::max(longest, message.bytes);
  }
  return longest;
}

class GatheredJob : public BatchJob {
 public:
  GatheredJob(const HostBatchKeys& keys, const Batch& batch)
      : BatchJob(keys, batch),
        longest_(longest_of(keys, batch)),
        threads_(keys.context.state().threads),
        unit_bytes_(std::max<uint64_t>(layout_for({0, batch.messages}).parcel_end / batch.messages, 64)) {}

  uint64_t unit_bytes() const override { return unit_bytes_; }

  /// Each message is copied by the CPU anyway, and pieces of few messages would cost more than they overlap.
  uint64_t piece_bytes(const TransferSizes& sizes) const override {
    return mode_.chains_in(batch_.direction) ? sizes.chained_piece : sizes.piece;
  }

  /// This is so if any message is in place, which nobody looks for.
  Overwrites overwrites_input() const override { return Overwrites::in_finish; }

  /// The need of the piece that needs most, if pieces begin at multiples of `messages`.
  SlotNeed need(const Engine& engine, uint64_t messages) const override {
    SlotNeed most{0, 0};
    for (uint64_t first = 0; first < batch_.messages; first += messages) {
      const SlotNeed need = need_of(engine, {first, std::min(messages, batch_.messages - first)});
      most.device_bytes = std::max(most.device_bytes, need.device_bytes);
      most.parcel_bytes = std::max(most.parcel_bytes, need.parcel_bytes);
    }
    // A single message may need more of a workspace than several.
    most.device_bytes = std::max(most.device_bytes, most.parcel_bytes + workspace_bytes(engine, 1, longest_));
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
    begin_parcel(slot, layout, piece);
    std::memset(slot.parcel + layout.lengths, 0, layout.nonces - layout.lengths);  // all of the arrays
    for_each_message(piece, layout, [&](uint64_t i, const BatchMessage& message, Places at) {
      gather_message(slot, layout, i, message, at);
    });
    copy_to_device(slot.memory, slot.parcel, layout.parcel_end, slot.in);
  }

  void work(const Engine& engine, const Slot& slot, Piece piece) const override {
    Layout layout = layout_for(piece);
    layout.workspace = layout.parcel_end;
    layout.end = layout.workspace + workspace_bytes(engine, piece.count, longest_);
    run_on_device(engine, slot, layout, on_device(slot, piece.count, layout));
  }

  void fetch(const Engine&, const Slot& slot, Piece piece) const override {
    const Layout layout = layout_for(piece);
    copy_to_host(slot.parcel + layout.payload, slot.memory + layout.payload,
                 layout.parcel_end - layout.payload, slot.out);
  }

  void finish(const Engine&, const Slot& slot, Piece piece) const override {
    const Layout layout = layout_for(piece);
    for_each_message(piece, layout, [&](uint64_t i, const BatchMessage& message, Places at) {
      if (message.status != WARPAES_OK) return tell(batch_, message.index, {message.status, 0});
      tell(batch_, message.index, outcome_of(slot, layout, i, message.output_bytes));
      if (message.output_bytes != 0)
        std::memcpy(message.output, slot.parcel + at.payload, message.output_bytes);
      if (!writes_tags(batch_)) return;
      std::memcpy(message.tag, slot.parcel + layout.tags + i * batch_.tag_bytes, batch_.tag_bytes);
    });
  }

 private:
  /// The arrays that a batch of messages of any length has. What comes back begins at `payload`.
  struct Layout : BatchLayout {
    uint64_t lengths, aad_lengths, inputs, aads;
  };

  BatchMessage message_at(uint64_t index) const { return message_of(batch_, keys_.each, index); }

  SlotNeed need_of(const Engine& engine, Piece piece) const {
    const Layout layout = layout_for(piece);
    return {layout.parcel_end + workspace_bytes(engine, piece.count, longest_), layout.parcel_end};
  }

  /// The room for a message's input, in whose place its output comes.
  static uint64_t room_of(const BatchMessage& message) {
    return rounded_up(std::max(message.bytes, message.output_bytes), 16);
  }

  uint64_t room_of_strings(const BatchMessage& message) const {
    uint64_t room = 0;
    for (size_t s = 0; s < batch_.aad_strings; s++) {
      room += rounded_up(aad_of(batch_, message.index, s).bytes, 16);
    }
    return room;
  }

  Layout layout_for(Piece piece) const {
    uint64_t payload = 0, aad = 0;
    for (uint64_t i = 0; i < piece.count; i++) {
      const BatchMessage message = message_at(piece.first + i);
      if (message.status != WARPAES_OK) continue;
      payload += room_of(message);
      aad += room_of_strings(message);
    }
    Placement placement;
    Layout layout{};
    const uint64_t entries = piece.count * sizeof(uint64_t), aad_entries = entries * batch_.aad_strings;
    layout.lengths = placement.place(entries);
    layout.inputs = placement.place(entries);
    layout.aad_lengths = placement.place(aad_entries);
    layout.aads = placement.place(aad_entries);
    layout.nonces = placement.place(piece.count * batch_.nonce_bytes);
    layout.keys = placement.place(keys_.each == nullptr ? 0 : piece.count * keys_.each->bytes);
    layout.aad = placement.place(aad);
    layout.payload = placement.place(payload);
    place_answers(layout, placement, piece.count);
    return layout;
  }

  /// Where a message's payload and additional data lie in a slot.
  struct Places {
    uint64_t payload, aad;
  };

  std::vector<Places> places_of(Piece piece, const Layout& layout) const {
    std::vector<Places> places;
    places.reserve(piece.count);
    Places next{layout.payload, layout.aad};
    for (uint64_t i = 0; i < piece.count; i++) {
      places.push_back(next);
      const BatchMessage message = message_at(piece.first + i);
      if (message.status != WARPAES_OK) continue;
      next.payload += room_of(message);
      next.aad += room_of_strings(message);
    }
    return places;
  }

  /// Calls work(index in the piece, message, Places) for each message of a piece, on all threads.
  void for_each_message(Piece piece, const Layout& layout, const auto& work) const {
    const std::vector<Places> places = places_of(piece, layout);
    share(threads_, piece.count, unit_bytes_, [&](uint64_t first, uint64_t count) {
      for (uint64_t i = first; i < first + count; i++) work(i, message_at(piece.first + i), places[i]);
    });
  }

  void gather_message(const Slot& slot, const Layout& layout, uint64_t i, const BatchMessage& message,
                      Places at) const {
    uint8_t* const parcel = slot.parcel;
    const auto set_entry = [parcel](uint64_t array, uint64_t entry, uint64_t number) {
      std::memcpy(parcel + array + entry * sizeof number, &number, sizeof number);
    };
    const auto copy = [parcel](uint64_t to, const uint8_t* from, uint64_t bytes) {
      if (bytes != 0) std::memcpy(parcel + to, from, bytes);
    };
    // Of a message that is refused there is nothing but a length that the engine refuses.
    const bool refused = message.status != WARPAES_OK;
    set_entry(layout.lengths, i, refused ? longest_ + 1 : message.bytes);
    if (refused) return;
    set_entry(layout.inputs, i, reinterpret_cast<uintptr_t>(slot.memory + at.payload));
    copy(layout.nonces + i * batch_.nonce_bytes, message.nonce, batch_.nonce_bytes);
    copy(at.payload, message.input, message.bytes);
    for (size_t s = 0; s < batch_.aad_strings; s++) {
      const AadString aad = aad_of(batch_, message.index, s);
      const uint64_t entry = i * batch_.aad_strings + s;
      set_entry(layout.aad_lengths, entry, aad.bytes);
      set_entry(layout.aads, entry, reinterpret_cast<uintptr_t>(slot.memory + at.aad));
      copy(at.aad, aad.data, aad.bytes);
      at.aad += rounded_up(aad.bytes, 16);
    }
    if (mode_.has_tag() && !writes_tags(batch_)) {
      copy(layout.tags + i * batch_.tag_bytes, message.tag, batch_.tag_bytes);
    }
  }

  /// The batch as it lies in the slot's memory, where it is worked on in place.
  Batch on_device(const Slot& slot, uint64_t messages, const Layout& layout) const {
    const auto at = [&slot](auto* type, uint64_t offset) {
      return reinterpret_cast<decltype(type)>(slot.memory + offset);
    };
    Batch device{};
    device.direction = batch_.direction;
    device.mode = batch_.mode;
    device.nonce_bytes = batch_.nonce_bytes;
    device.messages = messages;
    device.bytes = longest_;
    device.aad_bytes = batch_.aad_bytes;
    device.aad_strings = batch_.aad_strings;
    device.nonces = batch_.nonce_bytes != 0 ? slot.memory + layout.nonces : nullptr;
    device.nonce_stride = batch_.nonce_bytes;
    device.tag_bytes = batch_.tag_bytes;
    device.lengths = at(device.lengths, layout.lengths);
    device.inputs = at(device.inputs, layout.inputs);
    if (mode_.has_output) device.outputs = at(device.outputs, layout.inputs);
    if (!mode_.is_aead) return device;
    device.aads = at(device.aads, layout.aads);
    device.aad_lengths = at(device.aad_lengths, layout.aad_lengths);
    return device;
  }

  const uint64_t longest_;
  WorkerThreads& threads_;
  const uint64_t unit_bytes_;
};

}  // namespace

std::unique_ptr<const HostJob> gathered_job(const HostBatchKeys& keys, const Batch& batch) {
  return std::make_unique<GatheredJob>(keys, batch);
}

}  // namespace warpaes::core
