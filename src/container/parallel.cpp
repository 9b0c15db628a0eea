#include "container/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "container/opening.hpp"
#include "container/rejections.hpp"

namespace warpaes::core::cobblestone {
namespace {

/// Few, so that they are work for a CPU, and that plaintext and ciphertext stay in its second-level cache.
constexpr uint64_t kMostChunksInARange = 24;

/// Hands out ranges of chunks, and keeps what ends the work early.
class SharedChunks {
 public:
  SharedChunks(uint64_t chunks, const Progress& progress) : chunks_(chunks), progress_(progress) {}

  /// The first chunk of the next range, which may reach beyond the last; nothing if all are taken.
  std::optional<uint64_t> take(uint64_t count) {
    if (stopped_) return std::nullopt;
    const uint64_t first = next_.fetch_add(count);
    return first < chunks_ ? std::optional(first) : std::nullopt;
  }

  void done(uint64_t plaintext_bytes) {
    const std::scoped_lock lock(mutex_);
    done_ += plaintext_bytes;
    progress_(done_);
  }

  /// Of several, the first in the file counts: all ranges before it have been taken already.
  void damaged(uint64_t chunk) {
    const std::scoped_lock lock(mutex_);
    damaged_ = std::min(damaged_.value_or(chunk), chunk);
    stopped_ = true;
  }

  void failed(const std::exception_ptr& failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = failure;
    stopped_ = true;
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  std::optional<uint64_t> first_damaged() const { return damaged_; }

 private:
  const uint64_t chunks_;
  const Progress& progress_;
  std::atomic<uint64_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  uint64_t done_ = 0;
  std::optional<uint64_t> damaged_;
  std::exception_ptr failure_;
};

template <class Work>
void run_on_threads(unsigned threads, SharedChunks& shared, const Work& work) {
  const auto part = [&] {
    try {
      work();
    } catch (...) {
      shared.failed(std::current_exception());
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned i = 1; i < threads; i++) others.emplace_back(part);
    } catch (const std::system_error&) {
      // No more threads are to be had: those that there are do all of it.
    }
    part();
  }
  shared.rethrow();
}

/// Reads as much as is expected there; sources throw if they have become shorter, or give less.
void read_exactly(const RandomAccessSource& from, uint64_t offset, std::span<uint8_t> into) {
  const size_t got = from.read_at(offset, into);
  if (got < into.size()) throw reject_truncated(offset + got);
}

}  // namespace

uint64_t encrypt_parallel(Context& context, const InputKey& input_key, const ParallelFiles& files) {
  const uint64_t bytes = files.from.size(), chunks = chunks_of(bytes);
  refuse_beyond_limit(bytes);
  const FileKey file_key(context, input_key, random_salt());
  files.to->write_at(0, file_key.salt());
  files.to->write_at(kSaltBytes, file_key.commitment());
  SharedChunks shared(chunks, files.progress);
  run_on_threads(files.threads, shared, [&] {
    ChunkCipher cipher(file_key, std::min(chunks, kMostChunksInARange));
    const uint64_t in_a_range = cipher.plaintext().size() / kChunkBytes;
    while (const std::optional<uint64_t> first = shared.take(in_a_range)) {
      const uint64_t offset = *first * kChunkBytes;
      const size_t here = std::min<uint64_t>(in_a_range * kChunkBytes, bytes - offset);
      read_exactly(files.from, offset, cipher.plaintext().first(here));
      const size_t sealed = cipher.seal(*first, here, *first + in_a_range >= chunks);
      files.to->write_at(chunk_offset(*first), cipher.sealed().first(sealed));
      shared.done(here);
    }
  });
  return bytes;
}

uint64_t decrypt_parallel(Context& context, const InputKey& input_key, const ParallelFiles& files) {
  const uint64_t length = files.from.size();
  if (length < kHeaderBytes) throw reject_truncated(length);
  std::array<uint8_t, kHeaderBytes> header;
  read_exactly(files.from, 0, header);
  std::optional<FileKey> opened_key;
  derive_file_key(opened_key, context, input_key, header);
  const FileKey& file_key = *opened_key;
  const Layout layout = layout_of(length);
  if (!layout.complete) throw reject_truncated(length);
  if (layout.chunks > kMaxChunks) throw reject_too_long();
  SharedChunks shared(layout.chunks, files.progress);
  run_on_threads(files.threads, shared, [&] {
    ChunkCipher cipher(file_key, std::min(layout.chunks, kMostChunksInARange));
    const uint64_t in_a_range = cipher.plaintext().size() / kChunkBytes;
    while (const std::optional<uint64_t> first = shared.take(in_a_range)) {
      const uint64_t offset = chunk_offset(*first);
      const size_t here = std::min<uint64_t>(in_a_range * kSealedChunkBytes, length - offset);
      read_exactly(files.from, offset, cipher.sealed().first(here));
      const ChunkCipher::Opened opened = cipher.open(*first, here);
      if (opened.failed_chunk) return shared.damaged(*opened.failed_chunk);
      if (files.to)
        files.to->write_at(*first * kChunkBytes, cipher.plaintext().first(opened.plaintext_bytes));
      shared.done(opened.plaintext_bytes);
    }
  });
  if (const std::optional<uint64_t> chunk = shared.first_damaged()) {
    const uint64_t offset = chunk_offset(*chunk);
    std::vector<uint8_t> sealed(std::min<uint64_t>(kSealedChunkBytes, length - offset));
    read_exactly(files.from, offset, sealed);
    throw diagnose(file_key, *chunk, sealed, length);
  }
  return layout.plaintext_bytes;
}

}  // namespace warpaes::core::cobblestone
