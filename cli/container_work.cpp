#include "container_work.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "container/encryptor.hpp"
#include "container/parallel.hpp"
#include "failure_report.hpp"
#include "file_report.hpp"
#include "output_file.hpp"
#include "shown_name.hpp"

namespace warpaes::core::cli {
namespace {

using namespace cobblestone;

/// From the place where the next read() would begin.
class InputAnywhere : public RandomAccessSource {
 public:
  explicit InputAnywhere(const InputFile& input) : input_(input) {}
  size_t read_at(uint64_t offset, std::span<uint8_t> into) const override {
    return input_.read_at(offset, into);
  }
  uint64_t size() const override { return *input_.size(); }

 private:
  const InputFile& input_;
};

class OutputAnywhere : public RandomAccessSink {
 public:
  OutputAnywhere(OutputFile& output, uint64_t begin) : output_(output), begin_(begin) {}
  void write_at(uint64_t offset, std::span<const uint8_t> bytes) override {
    output_.write_at(begin_ + offset, bytes);
  }

 private:
  OutputFile& output_;
  const uint64_t begin_;
};

class Nowhere : public ByteSink {
 public:
  void write(std::span<const uint8_t>) override {}
};

/// Chunks of a range that one thread works on.
constexpr uint64_t kParallelChunks = 24;

/// Is this work for several CPU threads, each with its own part of both files?
bool is_parallel(const FileWork& work, uint64_t chunks) {
  // What is short is not worth it; and files of /proc and /sys, whose lengths are not true, are short.
  if (chunks <= kParallelChunks) return false;
  const bool to_file = work.to == nullptr || dynamic_cast<OutputFile*>(work.to) != nullptr;
  if (!to_file || !work.from.has_random_access() || work.check == OutputCheck::full) return false;
  Context& single = work.engines.single();
  if (engine_for_chunks(single, kParallelChunks).memory != Memory::host) return false;
  return !single.has_device_engine() ||
         engine_for_chunks(work.engines.whole(), chunks).memory == Memory::host;
}

unsigned threads_for(const FileWork& work, uint64_t chunks) {
  return static_cast<unsigned>(std::clamp<uint64_t>(chunks / kParallelChunks, 1, work.threads));
}

/// For one file after the other, or for what is too short to be shared.
Context& context_of(const FileWork& work, uint64_t chunks) {
  return work.threads == 1 || chunks <= kParallelChunks ? work.engines.single() : work.engines.whole();
}

FileResult result_of(Context& context, uint64_t plaintext_bytes, uint64_t chunks) {
  return {plaintext_bytes, full_name(engine_for_chunks(context, chunks))};
}

}  // namespace

Context& Engines::whole() { return made(whole_, /*one_thread=*/false); }
Context& Engines::single() { return made(single_, /*one_thread=*/true); }

Context& Engines::made(std::unique_ptr<Context>& context, bool one_thread) {
  const std::scoped_lock lock(mutex_);
  if (!context) {
    const Stopwatch stopwatch;
    core::ContextOptions options = options_.internal_context_options();
    if (one_thread) options.threads = 1;
    context = std::make_unique<Context>(options);
    setup_seconds_ += stopwatch.seconds();
  }
  return *context;
}

unsigned Engines::threads() { return options_.usable_threads(); }

FileResult encrypt_file(const FileWork& work) {
  const InputKey key = work.secret.input_key();
  const uint64_t chunks = chunks_of(work.from.size().value_or(UINT64_MAX / 2));
  if (!work.secret.header.empty()) work.to->write(work.secret.header);
  if (!is_parallel(work, chunks)) {
    Context& context = context_of(work, chunks);
    const uint64_t bytes = encrypt(context, key, work.from, *work.to, work.progress, work.check);
    return result_of(context, bytes, chunks_of(bytes));
  }
  OutputAnywhere to(dynamic_cast<OutputFile&>(*work.to), work.secret.header.size());
  const uint64_t bytes = encrypt_parallel(
      work.engines.single(), key, {InputAnywhere(work.from), &to, threads_for(work, chunks), work.progress});
  return result_of(work.engines.single(), bytes, kParallelChunks);
}

FileResult decrypt_file(const FileWork& work) {
  const InputKey key = work.secret.input_key();
  const uint64_t chunks = layout_of(work.from.size().value_or(UINT64_MAX / 2)).chunks;
  if (!is_parallel(work, chunks)) {
    Nowhere nowhere;
    ByteSink& to = work.to ? *work.to : nowhere;
    Context& context = context_of(work, chunks);
    const uint64_t bytes = decrypt(context, key, work.from, to, work.progress);
    return result_of(context, bytes, chunks_of(bytes));
  }
  std::optional<OutputAnywhere> to;
  if (work.to) to.emplace(dynamic_cast<OutputFile&>(*work.to), 0);
  const uint64_t bytes = decrypt_parallel(
      work.engines.single(), key,
      {InputAnywhere(work.from), to ? &*to : nullptr, threads_for(work, chunks), work.progress});
  return result_of(work.engines.single(), bytes, kParallelChunks);
}

FileResult decrypt_range(const FileWork& work) {
  constexpr uint64_t kPiece = 1 << 20;
  if (!work.from.has_random_access()) {
    throw Refusal(ExitCode::error, shown(work.from.name()) + " cannot be read from the middle",
                  "--range needs a file");
  }
  Context& context = work.engines.whole();
  const InputAnywhere from(work.from);
  Reader reader(context, work.secret.input_key(), from);
  if (work.range->offset > reader.size()) {
    throw Refusal(ExitCode::error,
                  fmt::format("{}: the range begins at byte {}, and there are {} bytes of plaintext",
                              shown(work.from.name()), work.range->offset, reader.size()));
  }
  const uint64_t wanted = std::min(work.range->bytes, reader.size() - work.range->offset);
  HostBuffer piece(context, std::min(kPiece, std::max<uint64_t>(wanted, 1)));
  for (uint64_t done = 0; done < wanted;) {
    const std::span<uint8_t> room(piece.data(), std::min<uint64_t>(piece.size(), wanted - done));
    const size_t got = reader.read(work.range->offset + done, room);
    work.to->write(room.first(got));
    done += got;
    work.progress(done);
  }
  return result_of(context, wanted, chunks_of(wanted));
}

FileResult salvage_file(const FileWork& work) {
  Context& context = work.engines.whole();
  Salvaged salvaged = salvage(context, work.secret.input_key(), work.from, *work.to, work.progress);
  FileResult result = result_of(context, salvaged.plaintext_bytes, chunks_of(salvaged.plaintext_bytes));
  result.lost = std::move(salvaged.lost);
  result.end_is_missing = salvaged.end_is_missing;
  return result;
}

FileResult rekey_file(const FileWork& work) {
  Context& context = work.engines.whole();
  if (!work.new_secret->header.empty()) work.to->write(work.new_secret->header);
  std::optional<uint64_t> chunks;
  if (work.from.size()) chunks = layout_of(*work.from.size()).chunks;
  Encryptor encryptor(context, work.new_secret->input_key(), *work.to, chunks);
  const uint64_t bytes = decrypt(context, work.secret.input_key(), work.from, encryptor, work.progress);
  encryptor.finish();
  return result_of(context, bytes, chunks_of(bytes));
}

}  // namespace warpaes::core::cli
