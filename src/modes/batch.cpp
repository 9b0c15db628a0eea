#include "modes/batch.hpp"

#include <memory>
#include <string>

#include "failure.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core {
namespace {

/// What keeps the engine's own form from doing this batch; null if nothing does.
const char* obstacle(const ModeSupport& support, const Batch& batch) {
  if (batch.bytes > support.longest || batch.aad_bytes > support.longest) return "of messages this long";
  if (nonce_bytes_of(batch) > support.longest_nonce) return "with nonces this long";
  return nullptr;
}

bool has_other_nonce(const ModeSupport& support, const Batch& batch) {
  return support.only_batch_nonce != 0 && batch.nonce_bytes != support.only_batch_nonce;
}

const char* obstacle_with_one_key(const Engine& engine, const Batch& batch) {
  const ModeSupport& support = engine.modes[batch.mode];
  if (support.run == nullptr) return "at all";
  if (batch.host_nonce == nullptr && has_other_nonce(support, batch)) {
    return "in batches with nonces of any length but 12 bytes";
  }
  if (!support.takes_arrays && !is_regular(batch)) return "in batches with arrays";
  return obstacle(support, batch);
}

const char* obstacle_with_key_each(const Engine& engine, const Batch& batch) {
  const ModeSupport& support = engine.modes[batch.mode];
  if (support.run_key_each == nullptr) return "at all";
  if (has_other_nonce(support, batch)) return "with nonces of any length but 12 bytes";
  return obstacle(support, batch);
}

[[noreturn]] void refuse(const std::string& why) { throw Failure(WARPAES_ERROR_UNSUPPORTED, why); }

constexpr const char* kTakeTheCpu = ": take host memory and an engine of the CPU";

/// @param obstacle what keeps the engine from it
[[noreturn]] void refuse_cipher_batches(const Engine& engine, const ModeRow& mode, const char* obstacle) {
  refuse(full_name(engine) + " has no batches of " + mode.name + " " + obstacle +
         ": take an engine of the CPU, or cuda/lane_private_tables");
}

/// Mistakes of callers were found before: here a batch has both keys that its mode needs, or the only one.
void require_keys(const BatchKey& key, const ModeRow& mode) {
  if ((key.second != nullptr) == (mode.key_count == 2)) return;
  throw Failure(WARPAES_ERROR_INTERNAL, "a second key is for SIV and XTS, which have one");
}

/// @return the key; null if the message or the entry of its key is wrong, which its outcome then tells
const uint8_t* right_key(const KeyArray& keys, const Batch& batch, uint64_t index) {
  const Status status = message_of(batch, &keys, index).status;
  if (status == WARPAES_OK) return key_of(keys, index);
  tell(batch, index, {status, 0});
  return nullptr;
}

/// Expands each key and uses it for its message. This is the reference for engines that do it themselves.
void composed_key_each(const Engine& engine, int device, const KeyArray& keys, const Batch& batch) {
  const size_t halves = mode_row(batch.mode).key_count, bytes = keys.bytes / halves;
  const bool second_first = batch.mode == WARPAES_MODE_SIV;  // SIV has the MAC's key before the cipher's
  for (uint64_t index = 0; index < batch.messages; index++) {
    const uint8_t* const both = right_key(keys, batch, index);
    if (both == nullptr) continue;
    std::unique_ptr<EngineKey> second;
    if (halves == 2)
      second = engine.prepare(KeySchedule({second_first ? both : both + bytes, bytes}), device);
    const KeySchedule schedule({second_first ? both + bytes : both, bytes});
    const auto key = engine.prepare(schedule, device);
    run_batch(engine, {*key, schedule.key_bits(), second.get()}, part_of(batch, index, 1), nullptr, 0,
              nullptr);
  }
}

}  // namespace

size_t batch_workspace_bytes(const Engine& engine, warpaes_mode mode, uint64_t messages, uint64_t bytes) {
  const auto needed = engine.modes[mode].workspace_bytes;
  return needed == nullptr || messages == 0 ? 0 : needed(messages, bytes);
}

bool has_batches(const Engine& engine, warpaes_mode mode) {
  return engine.memory == Memory::host || engine.modes[mode].run != nullptr;
}

void require_batches(const Engine& engine, warpaes_mode mode) {
  if (has_batches(engine, mode)) return;
  const ModeRow& row = mode_row(mode);
  if (!row.is_aead) refuse_cipher_batches(engine, row, "at all");
  refuse(std::string(engine.name) + " has no " + row.name + " yet" + kTakeTheCpu);
}

bool takes_batch(const Engine& engine, const Batch& batch) {
  return engine.memory == Memory::host || obstacle_with_one_key(engine, batch) == nullptr;
}

void require_takes_batch(const Engine& engine, const Batch& batch) {
  if (takes_batch(engine, batch)) return;
  const ModeRow& mode = mode_row(batch.mode);
  const char* const obstacle = obstacle_with_one_key(engine, batch);
  if (!mode.is_aead) refuse_cipher_batches(engine, mode, obstacle);
  refuse(full_name(engine) + " has no " + mode.name + " " + obstacle + kTakeTheCpu);
}

bool takes_batch_key_each(const Engine& engine, const Batch& batch) {
  return engine.memory == Memory::host || obstacle_with_key_each(engine, batch) == nullptr;
}

void require_takes_batch_key_each(const Engine& engine, const Batch& batch) {
  if (takes_batch_key_each(engine, batch)) return;
  const ModeRow& mode = mode_row(batch.mode);
  if (!mode.is_aead) {
    refuse(full_name(engine) +
           " has no batches of this mode with a key each: take host memory, where each key is expanded on "
           "the CPU");
  }
  refuse(full_name(engine) + " has no " + mode.name + " with a key for each message " +
         obstacle_with_key_each(engine, batch) + kTakeTheCpu);
}

void run_batch(const Engine& engine, const BatchKey& key, const Batch& batch, void* workspace,
               size_t workspace_bytes, Stream stream) {
  require_valid_batch(batch, workspace, workspace == nullptr ? 0 : workspace_bytes);
  require_key_bits(batch.mode, key.bits);
  const ModeRow& mode = mode_row(batch.mode);
  require_keys(key, mode);
  require_takes_batch(engine, batch);
  const size_t needed = batch_workspace_bytes(engine, batch.mode, batch.messages, batch.bytes);
  if (needed != 0 && (workspace == nullptr || workspace_bytes < needed ||
                      reinterpret_cast<uintptr_t>(workspace) % 16 != 0)) {
    throw Failure(WARPAES_ERROR_WORKSPACE, std::string(mode.name) + " on " + engine.name +
                                               " needs a workspace of " + std::to_string(needed) +
                                               " bytes, 16-byte aligned");
  }
  run_checked_batch(engine, key, batch, workspace, stream);
}

void run_checked_batch(const Engine& engine, const BatchKey& key, const Batch& batch, void* workspace,
                       Stream stream) {
  if (batch.messages == 0) return;
  if (obstacle_with_one_key(engine, batch) == nullptr) {
    engine.modes[batch.mode].run(key, batch, workspace, stream);
  } else {
    mode_row(batch.mode).composed(engine, key, batch);
  }
}

void run_batch_key_each(const Engine& engine, int device, const KeyArray& keys, const Batch& batch,
                        Stream stream) {
  require_valid_batch_key_each(keys, batch);
  require_takes_batch_key_each(engine, batch);
  if (batch.messages == 0) return;
  if (obstacle_with_key_each(engine, batch) == nullptr) {
    engine.modes[batch.mode].run_key_each(device, keys, batch, stream);
  } else {
    composed_key_each(engine, device, keys, batch);
  }
}

}  // namespace warpaes::core
