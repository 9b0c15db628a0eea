// Runs of chunks: sealed in host memory, their plaintext there, too, or in device memory.
#include <algorithm>

#include "c_api/container_handle.hpp"
#include "container/device_chunks.hpp"
#include "container/rejections.hpp"
#include "modes/regions.hpp"
#include "pipeline/host_run.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;
using namespace warpaes::core::cobblestone;

namespace {

/// A range as the C interface has it, checked.
struct GivenChunks {
  GivenChunks(const warpaes_container* container, Direction direction, const warpaes_chunks* chunks)
      : given(read_structure(chunks, "chunks")),
        range{given.first, bytes_at(given.input), given.length, bytes_at(given.output), given.ends == 1},
        tells_each(direction == WARPAES_DIRECTION_DECRYPT && given.statuses != nullptr) {
    begin_telling(direction);
    require(container, "container");
    require_flag(given.ends, "chunks", "ends");
    require_device_members(given.on_device, given.stream, "chunks");
    count = counted(direction);
    whole = count - given.ends;
    written = output_bytes(direction, range);
    checks_only =
        direction == WARPAES_DIRECTION_DECRYPT && given.output == nullptr && given.output_capacity == 0;
    const MemoryRange input = checked_range("chunks->input", given.input, given.length),
                      told = checked_told();
    require_apart(input, told);
    if (checks_only) return;
    require_room(written, given.output_capacity);
    const MemoryRange output = checked_range("chunks->output", given.output, written);
    require_apart(input, output);
    if (given.on_device == 0) require_apart(output, told);
  }

  /// Says which chunk is wrong, and where it begins.
  void tell_wrong(const Rejected& rejected) const {
    if (given.failed != nullptr) *given.failed = rejected.chunk();
    if (given.failed_offset != nullptr) *given.failed_offset = rejected.offset();
  }

  /// Writes the numbers that say how the call went, so that they are there if it fails. Throws OVERLAP, with
  /// nothing written, if one of them lies in other memory of the call.
  void begin_telling(Direction direction) const {
    const uint64_t entries =
        tells_each ? size_unless_refused([&] { return chunks_in(direction, range); }) : 0;
    const uint64_t bytes =
        std::min(given.output_capacity, size_unless_refused([&] { return output_bytes(direction, range); }));
    const warpaes_bytes input{given.input, given.length}, output{given.output, bytes},
        statuses{given.statuses, entries * sizeof(int32_t)};
    constexpr auto kBytes = sizeof(uint64_t);
    const warpaes_bytes length{given.output_length, kBytes}, failed{given.failed, kBytes},
        offset{given.failed_offset, kBytes};
    require_apart_from("chunks->output_length", given.output_length,
                       {input, output, statuses, failed, offset});
    require_apart_from("chunks->failed", given.failed, {input, output, statuses, length, offset});
    require_apart_from("chunks->failed_offset", given.failed_offset, {input, output, statuses});
    if (given.output_length != nullptr) *given.output_length = 0;
    if (given.failed != nullptr) *given.failed = UINT64_MAX;
    if (given.failed_offset != nullptr) *given.failed_offset = UINT64_MAX;
  }

  /// The plaintext, if it is in device memory. It is there when the work on the caller's stream is done.
  /// @param fail is called if the stream reports an error, and not for arguments that are refused
  std::optional<DevicePlaintext> on_device(const warpaes_container& container, const char* name,
                                           const void* data, uint64_t bytes, const auto& fail) const {
    if (given.on_device == 0 || checks_only) return std::nullopt;
    try {
      return DevicePlaintext(container.file_key.key().context(), name, data, bytes, given.stream);
    } catch (const Failure& failure) {
      if (failure.status() == WARPAES_ERROR_CUDA) fail();
      throw;
    }
  }

  /// The statuses, which are written also when the call fails.
  MemoryRange checked_told() const {
    if (!tells_each) return {};
    require_aligned({"chunks->statuses", given.statuses, count, sizeof(int32_t), sizeof(int32_t)});
    return checked_range("chunks->statuses", given.statuses, count * sizeof(int32_t));
  }

  uint64_t counted(Direction direction) const {
    try {
      return chunks_in(direction, range);
    } catch (const Rejected& truncated) {
      tell_wrong(truncated);
      throw;
    }
  }

  warpaes_chunks given;
  ChunkRange range;
  bool tells_each;                 // there is a status for each chunk
  bool checks_only;                // whether chunks are genuine, which makes no plaintext
  uint64_t count, whole, written;  // `whole`: without the container's last, shorter one
};

/// Whether a GPU took part is decided anew for each call, by its size and by where its memory is.
bool may_be_made_on_gpu(const Context& context, const GivenChunks& call) {
  const Context::State& state = context.state();
  return state.engine_on(Memory::device) != nullptr &&
         (!state.has_cpu() || call.range.bytes >= state.sizes.least_for_gpu);
}

void seal_host_memory(const warpaes_container& container, const GivenChunks& call) {
  const FileKey& file_key = container.file_key;
  seal_chunks(file_key, call.range);
  if (container.checker && (container.checks_all || may_be_made_on_gpu(file_key.key().context(), call))) {
    container.checker->check(file_key.key().context().state().threads, call.range.first,
                             {call.range.input, call.range.bytes}, {call.range.output, call.written});
  }
}

/// A last, shorter chunk goes by way of host memory: it is not worth a batch of its own.
void seal_device_memory(const warpaes_container& container, const GivenChunks& call,
                        const DevicePlaintext& plaintext) {
  const FileKey& file_key = container.file_key;
  const ChunkRange& range = call.range;
  const OutputChecker* const checker = container.checker ? &*container.checker : nullptr;
  seal_chunks_on_device(file_key, {range.first, call.whole, plaintext.data()}, range.output, checker);
  if (!range.ends) return;
  ChunkMemory memory;
  const uint64_t at = call.whole * kChunkBytes;
  const std::span last = std::span(memory).first(range.bytes - at);
  plaintext.read(at, last);
  uint8_t* const sealed = range.output + call.whole * kSealedChunkBytes;
  const uint64_t number = range.first + call.whole;
  seal_chunks(file_key, {number, last.data(), last.size(), sealed, true});
  if (checker != nullptr) checker->check_chunk(number, last, {sealed, last.size() + kTagBytes});
}

void open_to_device(const FileKey& file_key, const GivenChunks& call, const DevicePlaintext& plaintext,
                    std::span<int32_t> statuses) {
  const ChunkRange& range = call.range;
  open_chunks_on_device(file_key, {range.first, call.whole, plaintext.data()}, {range.input},
                        statuses.first(call.whole));
  if (!range.ends) return;
  ChunkMemory memory;
  const uint64_t at = call.whole * kSealedChunkBytes, sealed_bytes = range.bytes - at;
  open_chunks(file_key, {range.first + call.whole, range.input + at, sealed_bytes, memory.data(), true},
              statuses.subspan(call.whole));
  plaintext.write(call.whole * kChunkBytes, std::span(memory).first(sealed_bytes - kTagBytes));
}

/// What is wrong with the first wrong chunk, if there is one.
std::optional<Rejected> first_rejected(const FileKey& file_key, const GivenChunks& call,
                                       std::span<const int32_t> statuses) {
  const std::optional<uint64_t> index = first_wrong(statuses);
  if (!index) return std::nullopt;
  const uint64_t at = *index * kSealedChunkBytes, length = call.given.container_length;
  const std::span sealed(call.range.input + at, std::min<uint64_t>(kSealedChunkBytes, call.range.bytes - at));
  return diagnose(file_key, call.range.first + *index, sealed,
                  length != 0 ? std::optional(length) : std::nullopt);
}

}  // namespace

warpaes_status warpaes_container_encrypt(const warpaes_container* container, const warpaes_chunks* chunks) {
  return guarded([&] {
    const GivenChunks call(container, WARPAES_DIRECTION_ENCRYPT, chunks);
    const auto zero = [&] { std::fill_n(call.range.output, call.written, uint8_t{0}); };
    const std::optional<DevicePlaintext> on_device =
        call.on_device(*container, "chunks->input", call.range.input, call.range.bytes, zero);
    try {
      on_device ? seal_device_memory(*container, call, *on_device) : seal_host_memory(*container, call);
    } catch (...) {
      zero();
      throw;
    }
    if (call.given.output_length != nullptr) *call.given.output_length = call.written;
  });
}

warpaes_status warpaes_container_decrypt(const warpaes_container* container, const warpaes_chunks* chunks) {
  return guarded([&] {
    const GivenChunks call(container, WARPAES_DIRECTION_DECRYPT, chunks);
    std::vector<int32_t> own;
    std::span<int32_t> statuses(call.given.statuses, call.tells_each ? call.count : 0);
    const auto deny = [&] { std::ranges::fill(statuses, status_of(std::current_exception())); };
    const std::optional<DevicePlaintext> on_device =
        call.on_device(*container, "chunks->output", call.range.output, call.written, deny);
    std::optional<Rejected> rejected;
    try {
      if (!call.tells_each) {
        own.resize(call.count);
        statuses = own;
      }
      if (call.checks_only) {
        check_chunks(container->file_key, call.range, statuses);
      } else if (on_device) {
        open_to_device(container->file_key, call, *on_device, statuses);
      } else {
        open_chunks(container->file_key, call.range, statuses);
      }
      rejected = first_rejected(container->file_key, call, statuses);  // which may fail as well
    } catch (...) {
      if (on_device) on_device->wipe();
      if (!on_device && !call.checks_only) wipe(call.range.output, call.written);
      deny();
      throw;
    }
    if (call.given.output_length != nullptr) *call.given.output_length = call.written;
    if (!rejected) return;
    call.tell_wrong(*rejected);
    throw *rejected;
  });
}
