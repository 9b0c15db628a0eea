// Encrypted files: chunks in the caller's memory, and plaintext from any place of a container.
#include <openssl/crypto.h>

#include <algorithm>
#include <string>

#include "c_api/structures.hpp"
#include "container/chunk_plan.hpp"
#include "container/output_check.hpp"
#include "container/rejections.hpp"
#include "modes/regions.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;
using namespace warpaes::core::cobblestone;

static_assert(WARPAES_CONTAINER_HEADER_LENGTH == kHeaderBytes && WARPAES_CONTAINER_SALT_LENGTH == kSaltBytes);
static_assert(WARPAES_CONTAINER_CHUNK_LENGTH == kChunkBytes);
static_assert(WARPAES_CONTAINER_SEALED_CHUNK_LENGTH == kSealedChunkBytes);

struct warpaes_container {
  warpaes_container(const Context& context, const InputKey& key, const Salt& salt)
      : file_key(context, key, salt) {}

  FileKey file_key;
  std::optional<OutputChecker> checker;  // of containers that were created with a check
  bool checks_all = false;
};

namespace {

struct Options {
  InputKey key;
  std::span<const uint8_t> salt;
  OutputCheck check = OutputCheck::sample;
};

OutputCheck output_check(warpaes_container_check check) {
  constexpr OutputCheck kChecks[] = {OutputCheck::sample, OutputCheck::none, OutputCheck::full};
  if (check >= std::size(kChecks)) {
    throw Failure(WARPAES_ERROR_OPTION, "options->check is none of the constants of warpaes_container_check");
  }
  return kChecks[check];
}

std::span<const uint8_t> span_of(warpaes_bytes bytes, const char* name) {
  require_valid({name, bytes.data, 1, 0, bytes.length});
  return {bytes_at(bytes.data), bytes.length};
}

Options read_options(const void* key, size_t key_length, const warpaes_container_options* given) {
  Options options;
  if (key_length != 0) require(key, "key");
  options.key.key = {bytes_at(key), key_length};
  if (given == nullptr) return options;
  const warpaes_container_options known = read_structure(given, "options");
  require_reserved(known.reserved, "options");
  options.key.context = span_of(known.context, "options->context");
  options.salt = span_of(known.salt, "options->salt");
  options.check = output_check(known.check);
  return options;
}

Salt chosen_salt(std::span<const uint8_t> given) {
  if (given.empty()) return random_salt();
  if (given.size() != kSaltBytes) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "a container's salt has 24 bytes, not " + std::to_string(given.size()));
  }
  Salt salt;
  std::ranges::copy(given, salt.begin());
  return salt;
}

void add_check(warpaes_container& container, const Context& context, const Options& options) {
  const Engine& best = context.has_device_engine() ? context.device_engine() : *context.engines().front();
  container.checks_all = options.check == OutputCheck::full;
  if (options.check == OutputCheck::none) return;
  container.checker.emplace(options.check, best, options.key, container.file_key.salt());
}

/// A range as the C interface has it, checked.
struct GivenChunks {
  GivenChunks(const warpaes_container* container, Direction direction, const warpaes_chunks* chunks)
      : given(read_structure(chunks, "chunks")) {
    if (given.output_length != nullptr) *given.output_length = 0;
    if (given.failed != nullptr) *given.failed = UINT64_MAX;
    if (given.failed_offset != nullptr) *given.failed_offset = UINT64_MAX;
    require(container, "container");
    require_reserved(given.reserved, "chunks");
    if (given.ends > 1) throw Failure(WARPAES_ERROR_OPTION, "chunks->ends is neither 0 nor 1");
    range = {given.first, bytes_at(given.input), given.length, bytes_at(given.output), given.ends == 1};
    count = chunks_in(direction, range);
    written = output_bytes(direction, range);
    require_room(written, given.output_capacity);
    const Region input{"chunks->input", given.input, 1, 0, given.length};
    const Region output{"chunks->output", given.output, 1, 0, written};
    require_valid(input);
    require_valid(output);
    require_disjoint(input, output);
  }

  warpaes_chunks given;
  ChunkRange range;
  uint64_t count, written;
};

/// Says which chunk is the first wrong one, where it begins, and throws what is wrong with it.
/// @param length of the container, if it is known
/// @param failed, failed_offset null, or written
void reject_first_wrong(const warpaes_container& container, const ChunkRange& range,
                        std::span<const int32_t> statuses, std::optional<uint64_t> length, uint64_t* failed,
                        uint64_t* failed_offset) {
  const auto wrong = std::ranges::find_if(statuses, [](int32_t status) { return status != WARPAES_OK; });
  if (wrong == statuses.end()) return;
  const auto index = static_cast<uint64_t>(wrong - statuses.begin());
  const uint64_t at = index * kSealedChunkBytes;
  const std::span sealed(range.input + at, std::min<uint64_t>(kSealedChunkBytes, range.bytes - at));
  const Rejected rejected = diagnose(container.file_key, range.first + index, sealed, length);
  if (failed != nullptr) *failed = rejected.chunk();
  if (failed_offset != nullptr) *failed_offset = rejected.offset();
  throw rejected;
}

/// Plaintext of a container in pieces: a run of whole chunks goes straight to the caller's memory, a part of
/// a chunk by way of memory that is wiped.
class PlaintextReader {
 public:
  PlaintextReader(const warpaes_container& container, const warpaes_container_source& source)
      : container_(container), source_(source), layout_(layout_of(source.length)) {
    if (!layout_.complete) throw reject_truncated(source.length);
    if (layout_.chunks > kMaxChunks) throw reject_too_long();
  }

  uint64_t size() const { return layout_.plaintext_bytes; }

  void read(uint64_t offset, std::span<uint8_t> into) {
    const uint64_t batch = chunks_of_a_batch(container_.file_key.key().context(), into.size() / kChunkBytes);
    while (!into.empty()) {
      const uint64_t chunk = offset / kChunkBytes, skipped = offset % kChunkBytes;
      const uint64_t whole = skipped == 0 ? std::min<uint64_t>(into.size() / kChunkBytes, batch) : 0;
      uint64_t taken = whole * kChunkBytes;
      if (whole != 0) {
        open(chunk, whole, into.data());
      } else {
        const size_t opened = open(chunk, 1, part_.bytes.data());
        taken = std::min<uint64_t>(opened - skipped, into.size());
        std::copy_n(part_.bytes.begin() + static_cast<ptrdiff_t>(skipped), taken, into.begin());
      }
      offset += taken;
      into = into.subspan(taken);
    }
  }

  /// Opens the last chunk, if nothing has yet: a length that a container can have may have been made up by
  /// whoever cut it, and where the last chunk is empty no byte of plaintext would tell.
  void check_end() {
    if (!end_is_sound_) (void)open(layout_.chunks - 1, 1, part_.bytes.data());
  }

 private:
  struct Part {
    std::array<uint8_t, kChunkBytes> bytes;
    ~Part() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
  };

  /// @return bytes of plaintext
  uint64_t open(uint64_t first, uint64_t chunks, uint8_t* output) {
    const uint64_t at = chunk_offset(first);
    sealed_.resize(std::min<uint64_t>(chunks * kSealedChunkBytes, source_.length - at));
    if (source_.read(source_.user, at, sealed_.data(), sealed_.size()) != 0) {
      throw Failure(WARPAES_ERROR_SOURCE, "the source could not read " + std::to_string(sealed_.size()) +
                                              " bytes at " + std::to_string(at));
    }
    const ChunkRange range{first, sealed_.data(), sealed_.size(), output, first + chunks == layout_.chunks};
    statuses_.resize(chunks);
    open_chunks(container_.file_key, range, statuses_);
    reject_first_wrong(container_, range, statuses_, source_.length, nullptr, nullptr);
    end_is_sound_ |= range.ends;
    return output_bytes(WARPAES_DIRECTION_DECRYPT, range);
  }

  const warpaes_container& container_;
  const warpaes_container_source& source_;
  Layout layout_;
  bool end_is_sound_ = false;
  std::vector<uint8_t> sealed_;
  std::vector<int32_t> statuses_;
  Part part_;
};

}  // namespace

warpaes_status warpaes_container_create(const warpaes_context* context, const void* key, size_t key_length,
                                        const warpaes_container_options* options, void* header,
                                        warpaes_container** container) {
  return guarded([&] {
    require(container, "container");
    *container = nullptr;
    require(context, "context");
    require(header, "header");
    const Options chosen = read_options(key, key_length, options);
    auto made = std::make_unique<warpaes_container>(context->context, chosen.key, chosen_salt(chosen.salt));
    add_check(*made, context->context, chosen);
    uint8_t* const to = bytes_at(header);
    std::ranges::copy(made->file_key.salt(), to);
    std::ranges::copy(made->file_key.commitment(), to + kSaltBytes);
    *container = made.release();
  });
}

warpaes_status warpaes_container_open(const warpaes_context* context, const void* key, size_t key_length,
                                      const warpaes_container_options* options, const void* header,
                                      warpaes_container** container) {
  return guarded([&] {
    require(container, "container");
    *container = nullptr;
    require(context, "context");
    require(header, "header");
    const Options chosen = read_options(key, key_length, options);
    if (!chosen.salt.empty()) {
      throw Failure(WARPAES_ERROR_OPTION, "options->salt is given, and a container that exists has its own");
    }
    const std::span<const uint8_t, kHeaderBytes> bytes(bytes_at(header), kHeaderBytes);
    auto made = std::make_unique<warpaes_container>(context->context, chosen.key,
                                                    chosen_salt(bytes.first<kSaltBytes>()));
    if (!made->file_key.matches(bytes.last<kCommitmentBytes>())) throw reject_wrong_key();
    *container = made.release();
  });
}

void warpaes_container_destroy(warpaes_container* container) { delete container; }

warpaes_status warpaes_container_size(warpaes_direction direction, uint64_t length, uint64_t* size) {
  return guarded([&] {
    require(size, "size");
    *size = 0;
    require_direction(direction);
    if (direction == WARPAES_DIRECTION_ENCRYPT) {
      if (length > kMaxPlaintextBytes) {
        throw Failure(WARPAES_ERROR_LENGTH,
                      "a container holds at most 2^52 - 1 bytes (2^38 chunks of 16 KiB)");
      }
      *size = container_bytes(length);
      return;
    }
    const Layout layout = layout_of(length);
    if (!layout.complete) throw reject_truncated(length);
    if (layout.chunks > kMaxChunks) throw reject_too_long();
    *size = layout.plaintext_bytes;
  });
}

warpaes_status warpaes_container_plan_for(const warpaes_container* container, uint64_t length,
                                          warpaes_container_plan* plan) {
  return guarded([&] {
    (void)read_structure(plan, "plan");
    require(container, "container");
    const Context& context = container->file_key.key().context();
    const auto chunks = length == UINT64_MAX ? std::nullopt : std::optional(chunks_of(length));
    const Engine& engine = engine_for_chunks(context, chunks);
    write_structure(plan, {.size = 0,
                           .engine = lasting_name(engine),
                           .chunks_a_call = chunks_of_a_batch(context, chunks),
                           .on_device = engine.memory == Memory::device,
                           .reserved = 0});
  });
}

warpaes_status warpaes_container_encrypt(const warpaes_container* container, const warpaes_chunks* chunks) {
  return guarded([&] {
    const GivenChunks call(container, WARPAES_DIRECTION_ENCRYPT, chunks);
    const Context& context = container->file_key.key().context();
    seal_chunks(container->file_key, call.range);
    const bool made_on_gpu = engine_for_chunks(context, call.count).memory == Memory::device;
    try {
      if (container->checker && (made_on_gpu || container->checks_all)) {
        container->checker->check(call.range.first, {call.range.input, call.range.bytes},
                                  {call.range.output, call.written});
      }
    } catch (...) {
      std::fill_n(call.range.output, call.written, uint8_t{0});
      throw;
    }
    if (call.given.output_length != nullptr) *call.given.output_length = call.written;
  });
}

warpaes_status warpaes_container_decrypt(const warpaes_container* container, const warpaes_chunks* chunks) {
  return guarded([&] {
    const GivenChunks call(container, WARPAES_DIRECTION_DECRYPT, chunks);
    std::vector<int32_t> own(call.given.statuses == nullptr ? call.count : 0);
    const std::span statuses(call.given.statuses == nullptr ? own.data() : call.given.statuses, call.count);
    open_chunks(container->file_key, call.range, statuses);
    if (call.given.output_length != nullptr) *call.given.output_length = call.written;
    const uint64_t length = call.given.container_length;
    reject_first_wrong(*container, call.range, statuses, length != 0 ? std::optional(length) : std::nullopt,
                       call.given.failed, call.given.failed_offset);
  });
}

warpaes_status warpaes_container_read(const warpaes_container* container,
                                      const warpaes_container_source* source, uint64_t offset, void* into,
                                      uint64_t length, uint64_t* got) {
  return guarded([&] {
    if (got != nullptr) *got = 0;
    require(container, "container");
    const warpaes_container_source from = read_structure(source, "source");
    require(reinterpret_cast<const void*>(from.read), "source->read");
    PlaintextReader reader(*container, from);
    const uint64_t behind = reader.size() - std::min(offset, reader.size());  // bytes from there to the end
    const uint64_t wanted = std::min(length, behind);
    require_valid({"into", into, 1, 0, wanted});
    try {
      reader.read(offset, {bytes_at(into), wanted});
      if (wanted == behind) reader.check_end();
    } catch (...) {
      OPENSSL_cleanse(into, wanted);
      throw;
    }
    if (got != nullptr) *got = wanted;
  });
}
