// The engine table for the staging tests: OpenSSL's engine, and the same posing as a GPU, which insists
// on device memory.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "engines/openssl/openssl_engine.hpp"
#include "failure.hpp"
#include "memory_posing_as_device.hpp"
#include "modes/batch.hpp"
#include "modes/gcm_parts.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {
namespace {

void require_device_memory(const void* pointer, uint64_t bytes) {
  if (bytes > 0 && !posing::is_device_memory(pointer, bytes)) {
    throw std::logic_error("the engine was given a pointer that is not to device memory");
  }
}

void blocks(const EngineKey& key, const BlockRun& run, Direction direction, Stream stream) {
  posing::launch(stream, [&key, run, direction] {
    require_device_memory(run.input, run.bytes);
    require_device_memory(run.output, run.bytes);
    ecb(openssl_evp, key, direction, run, nullptr);
  });
}

/// What lies in host memory beside a message is read before a call returns.
std::array<uint8_t, 16> block_at(const uint8_t* host) {
  std::array<uint8_t, 16> block;
  std::copy_n(host, block.size(), block.begin());
  return block;
}

void counter(const EngineKey& key, const CounterRun& run, Stream stream) {
  posing::launch(stream, [&key, run, counter = block_at(run.counter)] {
    require_device_memory(run.input, run.bytes);
    require_device_memory(run.output, run.bytes);
    ctr(openssl_evp, key, {counter.data(), run.input, run.output, run.bytes}, nullptr);
  });
}

size_t unchain_workspace(uint64_t bytes) { return bytes / 1000 + 16; }

template <auto Mode>
void unchain(const EngineKey& key, const ChainRun& run, void* workspace, Stream stream) {
  posing::launch(stream, [&key, run, workspace, iv = block_at(run.iv)] {
    require_device_memory(run.input, run.bytes);
    require_device_memory(run.output, run.bytes);
    require_device_memory(workspace, unchain_workspace(run.bytes));
    std::fill_n(static_cast<uint8_t*>(workspace), unchain_workspace(run.bytes), uint8_t{0xee});
    Mode(openssl_evp, key, WARPAES_DIRECTION_DECRYPT, {iv.data(), run.input, run.output, run.bytes}, nullptr,
         0, nullptr);
  });
}

void data_units(const XtsKeys& keys, Direction direction, const XtsRun& run, Stream stream) {
  posing::launch(stream, [keys, direction, run, tweak = block_at(run.tweak)] {
    require_device_memory(run.input, run.bytes);
    require_device_memory(run.output, run.bytes);
    XtsRun here = run;
    here.tweak = tweak.data();
    xts(openssl_evp, keys, direction, here, nullptr);
  });
}

size_t workspace_bytes(uint64_t messages, uint64_t) { return 40 * messages + 8; }

void require_device_memory_of(const Batch& batch) {
  const ModeRow& mode = mode_row(batch.mode);
  if (batch.lengths) require_device_memory(batch.lengths, 8 * batch.messages);
  if (batch.inputs) require_device_memory(batch.inputs, 8 * batch.messages);
  if (batch.outputs) require_device_memory(batch.outputs, 8 * batch.messages);
  for (uint64_t m = 0; m < batch.messages; m++) {
    const BatchMessage message = message_of(batch, m);
    if (message.status != WARPAES_OK) continue;
    require_device_memory(message.input, message.bytes);
    require_device_memory(message.output, message.output_bytes);
    if (batch.host_nonce == nullptr) require_device_memory(message.nonce, message.nonce_bytes);
    require_device_memory(message.aad, message.aad_bytes);
    if (mode.has_tag()) require_device_memory(message.tag, batch.tag_bytes);
  }
  if (batch.statuses) require_device_memory(batch.statuses, 4 * batch.messages);
  if (batch.output_lengths) require_device_memory(batch.output_lengths, 8 * batch.messages);
}

/// Calls run(batch) on the stream, with the nonce that the batch may have in host memory as it is now.
template <class Run>
void launch_batch(const Batch& batch, Stream stream, const Run& run) {
  const size_t nonce_bytes = batch.host_nonce == nullptr ? 0 : batch.host_nonce_bytes;
  const std::vector<uint8_t> nonce(batch.host_nonce, batch.host_nonce + nonce_bytes);
  posing::launch(stream, [batch, nonce, run] {
    Batch here = batch;
    if (here.host_nonce != nullptr) here.host_nonce = nonce.data();
    run(here);
  });
}

void gcm_batch(const BatchKey& key, const Batch& whole, void* workspace, Stream stream) {
  launch_batch(whole, stream, [key, workspace](const Batch& batch) {
    require_device_memory_of(batch);
    require_device_memory(workspace, workspace_bytes(batch.messages, batch.bytes));
    std::fill_n(static_cast<uint8_t*>(workspace), workspace_bytes(batch.messages, batch.bytes),
                uint8_t{0xee});
    run_batch(openssl_evp, key, batch, nullptr, 0, nullptr);
  });
}

/// By EVP's parts, whose sum is made a tag again.
void gcm_part_tag(const EngineKey& key, const GcmPartRun& run, void* workspace, Stream stream) {
  posing::launch(stream, [&key, run, workspace] {
    require_device_memory(run.input, run.bytes);
    require_device_memory(run.output, run.bytes);
    require_device_memory(run.tag, 16);
    require_device_memory(workspace, workspace_bytes(1, run.bytes));
    GcmHashKey hash = gcm_hash_key(openssl_evp, key);
    hash.inverse = host_inverse(hash.key);
    const auto part = start_gcm_part(openssl_evp, key, hash, run.direction, run.first);
    part->crypt(run.input, run.output, run.bytes);
    uint8_t mask[16];
    store_counter(mask, add32(run.first, 0xffffffff));
    ecb(openssl_evp, key, WARPAES_DIRECTION_ENCRYPT, {mask, mask, 16}, nullptr);
    gf128_to_block(
        part->sum() ^ gf128_multiply(ghash_lengths(0, run.bytes), hash.key) ^ gf128_from_block(mask),
        run.tag);
  });
}

void messages(const BatchKey& key, const Batch& whole, void*, Stream stream) {
  launch_batch(whole, stream, [key](const Batch& batch) {
    require_device_memory_of(batch);
    run_batch(openssl_evp, key, batch, nullptr, 0, nullptr);
  });
}

void messages_key_each(int device, const KeyArray& keys, const Batch& whole, Stream stream) {
  launch_batch(whole, stream, [device, keys](const Batch& batch) {
    require_device_memory_of(batch);
    require_device_memory(keys.keys, (batch.messages - 1) * keys.stride + keys.bytes);
    run_batch_key_each(openssl_evp, device, keys, batch, nullptr);
  });
}

ModeSupports modes() {
  ModeSupports all{};
  for (warpaes_mode mode = WARPAES_MODE_ECB; mode <= WARPAES_MODE_KWP; mode++) {
    if (mode != WARPAES_MODE_XTS) all[mode] = {.run = messages, .run_key_each = messages_key_each};
  }
  all[WARPAES_MODE_SIV] = {.run = messages};
  all[WARPAES_MODE_GCM] = all[WARPAES_MODE_GMAC] = {.run = gcm_batch, .workspace_bytes = workspace_bytes};
  return all;
}

const Engine kPosingGpu{
    .name = "cuda",
    .kernel = "posing",
    .description = "OpenSSL on memory posing as a device's",
    .timing = WARPAES_TIMING_CONFLICT_FREE,
    .memory = Memory::device,
    .available = [](int) { return Availability{true, ""}; },
    .prepare = [](const KeySchedule& schedule, int device) { return openssl_evp.prepare(schedule, device); },
    .encrypt_blocks = [](const EngineKey& key, const BlockRun& run,
                         Stream stream) { blocks(key, run, WARPAES_DIRECTION_ENCRYPT, stream); },
    .decrypt_blocks = [](const EngineKey& key, const BlockRun& run,
                         Stream stream) { blocks(key, run, WARPAES_DIRECTION_DECRYPT, stream); },
    .counter = counter,
    .gcm_part_tag = gcm_part_tag,
    .cbc_decrypt = unchain<cbc>,
    .cfb_decrypt = unchain<cfb>,
    .unchain_workspace_bytes = unchain_workspace,
    .xts = data_units,
    .modes = modes(),
};

constexpr const Engine* kTable[] = {&kPosingGpu, &openssl_evp};

}  // namespace

std::span<const Engine* const> engine_table() { return kTable; }

const Engine& engine_named(std::string_view name, TimingClass) {
  for (const Engine* engine : kTable) {
    if (name == engine->name) return *engine;
  }
  throw Failure(WARPAES_ERROR_UNKNOWN_ENGINE, "no such engine");
}

Availability usable(const Engine& engine, int device, SelfTestExtent extent) {
  if (posing::device().cpu_lacks_memory && engine.memory == Memory::host) {
    throw Failure(WARPAES_ERROR_HOST_MEMORY, "as the test has it");
  }
  const bool is_wrong = posing::device().fails_self_test && engine.memory == Memory::device;
  if (is_wrong && extent != SelfTestExtent::gcm) return {false, "as the test has it", true};
  return engine.available(device);
}

void require_usable(const Engine& engine, int device, SelfTestExtent extent) {
  const Availability availability = usable(engine, device, extent);
  if (availability.failed_self_test) throw Failure(WARPAES_ERROR_SELF_TEST, availability.reason);
}

}  // namespace warpaes::core
