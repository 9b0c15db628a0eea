// Encrypted files: their keys and lengths. Chunks are in container_chunks.cpp, reading in container_read.cpp.

#include <algorithm>

#include "c_api/container_handle.hpp"
#include "container/rejections.hpp"
#include "modes/regions.hpp"
#include "pipeline/context_state.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;
using namespace warpaes::core::cobblestone;

static_assert(WARPAES_CONTAINER_HEADER_LENGTH == kHeaderBytes && WARPAES_CONTAINER_SALT_LENGTH == kSaltBytes);
static_assert(WARPAES_CONTAINER_CHUNK_LENGTH == kChunkBytes);
static_assert(WARPAES_CONTAINER_SEALED_CHUNK_LENGTH == kSealedChunkBytes);

namespace {

struct Options {
  InputKey key;
  std::span<const uint8_t> salt;
  warpaes_container_check check = WARPAES_CONTAINER_CHECK_SAMPLE;
};

std::span<const uint8_t> span_of(warpaes_bytes bytes, const char* name) {
  checked_range(name, bytes.data, bytes.length);
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
  if (known.check > WARPAES_CONTAINER_CHECK_FULL) {
    throw Failure(WARPAES_ERROR_OPTION, "options->check is none of the constants of warpaes_container_check");
  }
  options.check = known.check;
  return options;
}

Salt chosen_salt(std::span<const uint8_t> given) {
  if (given.empty()) return random_salt();
  if (given.size() != kSaltBytes) {
    throw Failure(WARPAES_ERROR_LENGTH, "a container's salt has 24 bytes, not {}", given.size());
  }
  Salt salt;
  std::ranges::copy(given, salt.begin());
  return salt;
}

void add_check(warpaes_container& container, const Context& context, const Options& options) {
  const Engine& best = context.has_device_engine() ? context.device_engine() : *context.engines().front();
  container.checks_all = options.check == WARPAES_CONTAINER_CHECK_FULL;
  if (options.check == WARPAES_CONTAINER_CHECK_NONE) return;
  container.checker.emplace(options.check, best, context.state().options.timing, options.key,
                            container.file_key.salt());
}

}  // namespace

warpaes_status warpaes_container_create(const warpaes_context* context, const void* key, size_t key_length,
                                        const warpaes_container_options* options, void* header,
                                        warpaes_container** container) {
  return guarded_into(container, "container", [&] {
    require(context, "context");
    require(header, "header");
    const Options chosen = read_options(key, key_length, options);
    auto made = std::make_unique<warpaes_container>(context->context, chosen.key, chosen_salt(chosen.salt));
    add_check(*made, context->context, chosen);
    uint8_t* const to = bytes_at(header);
    std::ranges::copy(made->file_key.salt(), to);
    std::ranges::copy(made->file_key.commitment(), to + kSaltBytes);
    return made.release();
  });
}

warpaes_status warpaes_container_open(const warpaes_context* context, const void* key, size_t key_length,
                                      const warpaes_container_options* options, const void* header,
                                      warpaes_container** container) {
  return guarded_into(container, "container", [&] {
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
    add_check(*made, context->context, chosen);
    return made.release();
  });
}

void warpaes_container_destroy(warpaes_container* container) { delete container; }

warpaes_status warpaes_container_size(warpaes_direction direction, uint64_t length, uint64_t* size) {
  return guarded_into(size, "size", [&] {
    require_direction(direction);
    if (direction == WARPAES_DIRECTION_ENCRYPT) {
      if (length > kMaxPlaintextBytes) {
        throw Failure(WARPAES_ERROR_LENGTH,
                      "a container holds at most 2^52 - 1 bytes (2^38 chunks of 16 KiB)");
      }
      return container_bytes(length);
    }
    return checked_layout(length).plaintext_bytes;
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
