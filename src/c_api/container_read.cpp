// Plaintext from any place of a container, to host or device memory.

#include <algorithm>

#include "c_api/container_handle.hpp"
#include "container/device_chunks.hpp"
#include "container/rejections.hpp"
#include "modes/regions.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/host_run.hpp"
#include "pipeline/worker_threads.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;
using namespace warpaes::core::cobblestone;

namespace {

/// What a thread asks the source for, if several do.
constexpr uint64_t kFetchedBytes = 256 << 10;

/// Sealed chunks as the source has them.
class Source {
 public:
  Source(const FileKey& key, const warpaes_container_source& source)
      : file_key(key), layout(checked_layout(source.length)), source_(source) {}

  /// Reads any bytes of the container.
  void fetch(uint64_t at, uint8_t* into, uint64_t bytes) const {
    if (!parallel()) return fetch_part(at, into, bytes);
    context().state().threads.share(divided_up(bytes, kFetchedBytes), [&](uint64_t part) {
      const uint64_t done = part * kFetchedBytes;
      fetch_part(at + done, into + done, std::min(kFetchedBytes, bytes - done));
    });
  }

  /// The length of a run of chunks as the container has them.
  uint64_t sealed_bytes(uint64_t first, uint64_t chunks) const {
    return std::min(chunks * kSealedChunkBytes, source_.length - chunk_offset(first));
  }

  /// Throws what is wrong with a chunk. @param sealed the chunk
  [[noreturn]] void reject(uint64_t chunk, std::span<const uint8_t> sealed) const {
    throw diagnose(file_key, chunk, sealed, source_.length);
  }

  const Context& context() const { return file_key.key().context(); }
  bool parallel() const { return source_.parallel == 1; }

  const FileKey& file_key;
  const Layout layout;

 private:
  /// A source that throws has not read.
  bool has_read(uint64_t at, uint8_t* into, uint64_t bytes) const {
    try {
      return source_.read(source_.user, at, into, bytes) == 0;
    } catch (...) {
      return false;
    }
  }

  void fetch_part(uint64_t at, uint8_t* into, uint64_t bytes) const {
    if (has_read(at, into, bytes)) return;
    throw Failure(WARPAES_ERROR_SOURCE, "the source could not read {} bytes at {}", bytes, at);
  }

  const warpaes_container_source& source_;
};

/// Plaintext in pieces: runs of whole chunks go straight to the caller's memory, a part of a chunk by way of
/// memory that is wiped.
class PlaintextReader {
 public:
  explicit PlaintextReader(const Source& source) : source_(source) {}
  virtual ~PlaintextReader() = default;

  /// Reads `bytes` bytes from `offset` on. If these end with the container, its last chunk has been opened.
  void read(uint64_t offset, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes;) {
      const uint64_t chunk = (offset + at) / kChunkBytes, skipped = (offset + at) % kChunkBytes;
      if (const uint64_t whole = (bytes - at) / kChunkBytes; skipped == 0 && whole != 0) {
        at += open_whole(chunk, whole, at) * kChunkBytes;
        continue;
      }
      const std::span opened = open_one(chunk);
      const std::span part = opened.subspan(skipped, std::min(opened.size() - skipped, bytes - at));
      put(at, part);
      at += part.size();
    }
    // A length that a container can have may have been made up by whoever cut it, and where the last chunk is
    // empty no byte of plaintext would tell.
    if (offset + bytes == source_.layout.plaintext_bytes) check_end();
  }

  /// Makes all that was read zero.
  virtual void wipe() = 0;

 protected:
  /// Opens chunks, none of them the last one, to byte `at` of the output: `most`, or fewer.
  /// @return how many
  virtual uint64_t open_whole(uint64_t first, uint64_t most, uint64_t at) = 0;
  virtual void put(uint64_t at, std::span<const uint8_t> part) = 0;

  /// Opens chunks to host memory, and throws what is wrong with the first wrong one.
  void open_to(uint64_t first, uint64_t chunks, uint8_t* output) {
    sealed_.resize(source_.sealed_bytes(first, chunks));
    source_.fetch(chunk_offset(first), sealed_.data(), sealed_.size());
    const bool ends = first + chunks == source_.layout.chunks;
    statuses_.resize(chunks);
    open_chunks(source_.file_key, {first, sealed_.data(), sealed_.size(), output, ends}, statuses_);
    end_is_sound_ |= ends;
    if (const auto wrong = first_wrong(statuses_)) {
      const auto from = std::span(sealed_).subspan(*wrong * kSealedChunkBytes);
      source_.reject(first + *wrong, from.first(std::min(from.size(), kSealedChunkBytes)));
    }
  }

  const Source& source_;
  std::vector<int32_t> statuses_;

 private:
  std::span<const uint8_t> open_one(uint64_t chunk) {
    open_to(chunk, 1, part_.data());
    return std::span(part_).first(source_.sealed_bytes(chunk, 1) - kTagBytes);
  }

  void check_end() {
    if (!end_is_sound_) static_cast<void>(open_one(source_.layout.chunks - 1));
  }

  bool end_is_sound_ = false;
  std::vector<uint8_t> sealed_;
  ChunkMemory part_;
};

class ReaderToHost : public PlaintextReader {
 public:
  ReaderToHost(const Source& source, void* into, uint64_t bytes)
      : PlaintextReader(source),
        into_(bytes_at(into), bytes),
        batch_(chunks_of_a_batch(source.context(), bytes / kChunkBytes)) {}

  void wipe() override { warpaes::core::wipe(into_.data(), into_.size()); }

 protected:
  uint64_t open_whole(uint64_t first, uint64_t most, uint64_t at) override {
    const uint64_t chunks = std::min(most, batch_);
    open_to(first, chunks, into_.data() + at);
    return chunks;
  }
  void put(uint64_t at, std::span<const uint8_t> part) override {
    std::ranges::copy(part, into_.begin() + static_cast<ptrdiff_t>(at));
  }

 private:
  const std::span<uint8_t> into_;
  const uint64_t batch_;
};

class ReaderToDevice : public PlaintextReader {
 public:
  ReaderToDevice(const Source& source, void* into, uint64_t bytes, Stream stream)
      : PlaintextReader(source), into_(source.context(), "into", into, bytes, stream) {}

  void wipe() override { into_.wipe(); }

 protected:
  uint64_t open_whole(uint64_t first, uint64_t most, uint64_t at) override {
    statuses_.resize(most);
    const auto read = [&](uint64_t from, uint8_t* to, uint64_t bytes) {
      source_.fetch(chunk_offset(first) + from, to, bytes);
    };
    const SealedSource sealed{nullptr, read, source_.parallel()};
    open_chunks_on_device(source_.file_key, {first, most, into_.data() + at}, sealed, statuses_);
    if (const auto wrong = first_wrong(statuses_)) {
      std::array<uint8_t, kSealedChunkBytes> again;
      source_.fetch(chunk_offset(first + *wrong), again.data(), again.size());
      source_.reject(first + *wrong, again);
    }
    return most;
  }
  void put(uint64_t at, std::span<const uint8_t> part) override { into_.write(at, part); }

 private:
  const DevicePlaintext into_;
};

}  // namespace

warpaes_status warpaes_container_read(const warpaes_container* container,
                                      const warpaes_container_source* source, uint64_t offset, void* into,
                                      uint64_t length, uint64_t* got) {
  return guarded([&] {
    const auto wanted_of = [&](const Layout& layout) {
      return std::min(length, layout.plaintext_bytes - std::min(offset, layout.plaintext_bytes));
    };
    const uint64_t most =
        size_unless_refused([&] { return wanted_of(layout_of(read_structure(source, "source").length)); });
    require_apart_from("got", got, {{into, most}});
    if (got != nullptr) *got = 0;
    require(container, "container");
    const warpaes_container_source given = read_structure(source, "source");
    require(reinterpret_cast<const void*>(given.read), "source->read");
    require_flag(given.parallel, "source", "parallel");
    require_device_members(given.on_device, given.stream, "source");
    const Source from(container->file_key, given);
    const uint64_t wanted = wanted_of(from.layout);
    checked_range("into", into, wanted);
    std::unique_ptr<PlaintextReader> reader;
    try {
      if (given.on_device == 1) {
        reader = std::make_unique<ReaderToDevice>(from, into, wanted, given.stream);
      } else {
        reader = std::make_unique<ReaderToHost>(from, into, wanted);
      }
      reader->read(std::min(offset, from.layout.plaintext_bytes), wanted);
    } catch (...) {
      if (reader != nullptr) {
        reader->wipe();
      } else if (given.on_device == 0) {
        wipe(bytes_at(into), wanted);
      }
      throw;
    }
    if (got != nullptr) *got = wanted;
  });
}
