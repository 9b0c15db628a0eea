#include "container/device_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>

#include "device/device.hpp"
#include "modes/batch.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/transfer_pipeline.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core::cobblestone {
namespace {

/// Where the things of a piece lie in a slot. What comes before `parcel_end` is in the parcel at the same
/// offsets. Sealed chunks are in it unless CUDA can copy them where they lie.
struct SlotLayout {
  uint64_t nonces, statuses, sealed, samples, parcel_end, workspace, end;
};

class ChunksJob : public TransferJob {
 public:
  /// @param copied the host's threads copy the sealed chunks through the parcel
  ChunksJob(const FileKey& file_key, const DeviceChunks& chunks, bool copied)
      : file_key_(file_key), chunks_(chunks), copied_(copied) {}

  uint64_t units() const override { return chunks_.count; }
  uint64_t unit_bytes() const override { return kSealedChunkBytes; }
  uint64_t piece_bytes(const TransferSizes& sizes) const override {
    return sizes.piece_of(chunks_.count * kSealedChunkBytes, copied_ ? sizes.read_piece : sizes.piece);
  }
  SlotNeed need(const Engine& engine, uint64_t chunks) const override {
    const SlotLayout layout = slot_layout(engine, chunks);
    return {layout.end, layout.parcel_end};
  }
  /// A piece that fails is nobody else's: only this device has the plaintext.
  Overwrites overwrites_input() const override { return Overwrites::never; }

  /// Does all pieces on the device that has the plaintext, through several pipelines, or as many of them as
  /// there is memory for.
  void run() const {
    const Context& context = file_key_.key().context();
    Context::State& state = context.state();
    PieceQueue queue(chunks_.count);
    std::mutex mutex;
    std::exception_ptr no_memory;
    const auto take_pieces = [&] {
      TransferProgress progress;
      std::optional<TransferPipeline> pipeline;
      try {
        pipeline.emplace(*state.transfers.front(), state.sizes, context.device_engine(), *this, queue,
                         progress);
      } catch (const Failure& failure) {  // which has taken no piece
        if (!failure.is_passing()) throw;
        const std::scoped_lock lock(mutex);
        no_memory = std::current_exception();
        return;
      }
      pipeline->run(/*alone=*/true);
    };
    state.drivers.share(pipelines(state.sizes), [&](uint64_t) {
      try {
        if (queue.left() != 0) take_pieces();
      } catch (...) {
        queue.close();
        throw;
      }
    });
    if (queue.left() != 0) std::rethrow_exception(no_memory);
  }

 protected:
  virtual size_t pipelines(const TransferSizes& sizes) const { return sizes.read_pipelines; }
  /// How many bytes of plaintext the host gets beside so many chunks.
  virtual uint64_t sample_bytes(uint64_t) const { return 0; }

  SlotLayout slot_layout(const Engine& engine, uint64_t chunks) const {
    SlotLayout layout{};
    Placement placement;
    layout.nonces = placement.place(chunks * kNonceBytes);
    layout.statuses = placement.place(chunks * sizeof(int32_t));
    if (copied_) layout.sealed = placement.place(chunks * kSealedChunkBytes);
    layout.samples = placement.place(sample_bytes(chunks));
    layout.parcel_end = placement.end;
    if (!copied_) layout.sealed = placement.place(chunks * kSealedChunkBytes);
    layout.workspace = placement.place(batch_workspace_bytes(engine, WARPAES_MODE_GCM, chunks, kChunkBytes));
    layout.end = placement.end;
    return layout;
  }

  void write_nonces(const Slot& slot, const SlotLayout& layout, Piece piece) const {
    file_key_.nonces(chunks_.first + piece.first,
                     {slot.parcel + layout.nonces, static_cast<size_t>(piece.count * kNonceBytes)});
  }

  uint8_t* plaintext(Piece piece) const { return chunks_.plaintext + piece.first * kChunkBytes; }

  /// Seals or opens chunks: sealed they are in the slot, and their plaintext is in its own place.
  void run_batch(Direction direction, const Engine& engine, const Slot& slot, Piece piece) const {
    const SlotLayout layout = slot_layout(engine, piece.count);
    const bool seals = direction == WARPAES_DIRECTION_ENCRYPT, has_place = chunks_.plaintext != nullptr;
    uint8_t* const sealed = slot.memory + layout.sealed;
    uint8_t* const opened = has_place ? plaintext(piece) : sealed;
    const uint64_t opened_stride = has_place ? kChunkBytes : kSealedChunkBytes;
    const Batch batch{.direction = direction,
                      .messages = piece.count,
                      .bytes = kChunkBytes,
                      .input = seals ? opened : sealed,
                      .input_stride = seals ? opened_stride : kSealedChunkBytes,
                      .output = seals ? sealed : opened,
                      .output_stride = seals ? kSealedChunkBytes : opened_stride,
                      .nonces = slot.memory + layout.nonces,
                      .nonce_stride = kNonceBytes,
                      .tags = sealed + kChunkBytes,
                      .tag_stride = kSealedChunkBytes,
                      .tag_bytes = kTagBytes,
                      .statuses = reinterpret_cast<int32_t*>(slot.memory + layout.statuses)};
    const Key& key = file_key_.key();
    core::run_batch(engine, {key.prepared(engine, slot.device), key.key_bits()}, batch,
                    slot.memory + layout.workspace, layout.end - layout.workspace, slot.work);
  }

  WorkerThreads& threads() const { return file_key_.key().context().state().threads; }

  const FileKey& file_key_;
  const DeviceChunks& chunks_;
  const bool copied_;
};

class Opening : public ChunksJob {
 public:
  Opening(const FileKey& file_key, const DeviceChunks& chunks, const SealedSource& source,
          std::span<int32_t> statuses)
      : ChunksJob(file_key, chunks,
                  source.memory == nullptr || !is_pinned(source.memory, chunks.count * kSealedChunkBytes)),
        source_(source),
        statuses_(statuses) {}

  void send(const Engine& engine, const Slot& slot, Piece piece) const override {
    const SlotLayout layout = slot_layout(engine, piece.count);
    write_nonces(slot, layout, piece);
    // A status that the engine does not write must not say OK.
    std::memset(slot.parcel + layout.statuses, 0xff, piece.count * sizeof(int32_t));
    const uint64_t at = piece.first * kSealedChunkBytes, bytes = piece.count * kSealedChunkBytes;
    if (copied_) {
      fill(slot.parcel + layout.sealed, at, bytes);
    } else {
      copy_to_device(slot.memory + layout.sealed, source_.memory + at, bytes, slot.in);
    }
    copy_to_device(slot.memory, slot.parcel, layout.parcel_end, slot.in);
  }

  void work(const Engine& engine, const Slot& slot, Piece piece) const override {
    run_batch(WARPAES_DIRECTION_DECRYPT, engine, slot, piece);
  }

  void fetch(const Engine& engine, const Slot& slot, Piece piece) const override {
    const uint64_t at = slot_layout(engine, piece.count).statuses;
    copy_to_host(slot.parcel + at, slot.memory + at, piece.count * sizeof(int32_t), slot.out);
  }

  void finish(const Engine& engine, const Slot& slot, Piece piece) const override {
    std::memcpy(statuses_.data() + piece.first, slot.parcel + slot_layout(engine, piece.count).statuses,
                piece.count * sizeof(int32_t));
  }

 protected:
  size_t pipelines(const TransferSizes& sizes) const override {
    return source_.memory != nullptr || source_.parallel ? sizes.read_pipelines : 1;
  }

 private:
  void fill(uint8_t* to, uint64_t at, uint64_t bytes) const {
    if (source_.memory == nullptr) return source_.read(at, to, bytes);
    share(threads(), bytes, 1, [&](uint64_t first, uint64_t count) {
      std::memcpy(to + first, source_.memory + at + first, count);
    });
  }

  const SealedSource& source_;
  const std::span<int32_t> statuses_;
};

class Sealing : public ChunksJob {
 public:
  Sealing(const FileKey& file_key, const DeviceChunks& chunks, uint8_t* sealed, const OutputChecker* checker)
      : ChunksJob(file_key, chunks, !is_pinned(sealed, chunks.count * kSealedChunkBytes)),
        sealed_(sealed),
        checker_(checker) {
    if (checker != nullptr) checked_ = checker->choose(chunks.count);
  }

  /// The plaintext is there.
  void send(const Engine& engine, const Slot& slot, Piece piece) const override {
    const SlotLayout layout = slot_layout(engine, piece.count);
    write_nonces(slot, layout, piece);
    copy_to_device(slot.memory, slot.parcel, layout.statuses, slot.in);
  }

  void work(const Engine& engine, const Slot& slot, Piece piece) const override {
    run_batch(WARPAES_DIRECTION_ENCRYPT, engine, slot, piece);
  }

  void fetch(const Engine& engine, const Slot& slot, Piece piece) const override {
    const SlotLayout layout = slot_layout(engine, piece.count);
    copy_to_host(copied_ ? slot.parcel + layout.sealed : output(piece), slot.memory + layout.sealed,
                 piece.count * kSealedChunkBytes, slot.out);
    uint8_t* to = slot.parcel + layout.samples;
    for (const uint64_t chunk : checked(piece)) {
      copy_to_host(to, chunks_.plaintext + chunk * kChunkBytes, kChunkBytes, slot.out);
      to += kChunkBytes;
    }
  }

  void finish(const Engine& engine, const Slot& slot, Piece piece) const override {
    const SlotLayout layout = slot_layout(engine, piece.count);
    if (copied_) {
      share(threads(), piece.count, kSealedChunkBytes, [&](uint64_t first, uint64_t count) {
        std::memcpy(output(piece) + first * kSealedChunkBytes,
                    slot.parcel + layout.sealed + first * kSealedChunkBytes, count * kSealedChunkBytes);
      });
    }
    const std::span<const uint64_t> chosen = checked(piece);
    threads().share(chosen.size(), [&](uint64_t i) {
      checker_->check_chunk(chunks_.first + chosen[i],
                            {slot.parcel + layout.samples + i * kChunkBytes, kChunkBytes},
                            {sealed_ + chosen[i] * kSealedChunkBytes, kSealedChunkBytes});
    });
  }

 protected:
  uint64_t sample_bytes(uint64_t chunks) const override {
    return checker_ == nullptr ? 0 : checker_->most_chosen(chunks) * kChunkBytes;
  }

 private:
  uint8_t* output(Piece piece) const { return sealed_ + piece.first * kSealedChunkBytes; }

  /// Which chunks of a piece are compared.
  std::span<const uint64_t> checked(Piece piece) const {
    const auto begin = std::ranges::lower_bound(checked_, piece.first);
    return {begin, std::lower_bound(begin, checked_.end(), piece.first + piece.count)};
  }

  uint8_t* const sealed_;
  const OutputChecker* const checker_;
  std::vector<uint64_t> checked_;  // chunks of the run, ascending
};

/// Looks at both ends: a range may begin in the memory of a device and end behind it.
void require_device_memory(int device, const char* name, const uint8_t* data, uint64_t bytes) {
  if (bytes == 0) return;
  for (const uint8_t* const byte : {data, data + (bytes - 1)}) {
    const Status status = device_pointer_status(byte, device);
    if (status == WARPAES_OK) continue;
    throw Failure(status,
                  "{} is not {} bytes in the memory of device {}: allocate it there, or "
                  "leave on_device 0 for host memory",
                  name, bytes, device);
  }
}

}  // namespace

void open_chunks_on_device(const FileKey& file_key, const DeviceChunks& chunks, const SealedSource& source,
                           std::span<int32_t> statuses) {
  if (chunks.count != 0) Opening(file_key, chunks, source, statuses).run();
}

void seal_chunks_on_device(const FileKey& file_key, const DeviceChunks& chunks, uint8_t* sealed,
                           const OutputChecker* checker) {
  if (chunks.count != 0) Sealing(file_key, chunks, sealed, checker).run();
}

DevicePlaintext::DevicePlaintext(const Context& context, const char* name, const void* data, uint64_t bytes,
                                 Stream stream)
    : device_(context.device()),
      data_(static_cast<uint8_t*>(const_cast<void*>(data))),
      bytes_(bytes),
      stream_(stream) {
  static_cast<void>(context.device_engine());  // or there is none
  const DeviceScope scope(device_);
  require_stream_of(device_, stream);
  require_not_captured(stream);
  require_device_memory(device_, name, data_, bytes);
  synchronize(stream);
}

void DevicePlaintext::write(uint64_t at, std::span<const uint8_t> from) const {
  const DeviceScope scope(device_);
  copy_to_device(data_ + at, from.data(), from.size(), stream_);
  synchronize(stream_);
}

void DevicePlaintext::read(uint64_t at, std::span<uint8_t> into) const {
  const DeviceScope scope(device_);
  copy_to_host(into.data(), data_ + at, into.size(), stream_);
  synchronize(stream_);
}

void DevicePlaintext::wipe() const noexcept {
  try {
    const DeviceScope scope(device_);
    fill_device(data_, 0, bytes_, stream_);
    synchronize(stream_);
  } catch (const Failure&) {
  }
}

}  // namespace warpaes::core::cobblestone
