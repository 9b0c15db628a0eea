#include "modes/batch.hpp"

#include <fmt/format.h>

#include <memory>

#include "failure.hpp"
#include "modes/chain.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core {
namespace {

/// The obstacle in modes that the engine does have, for messages of one length and one stride.
constexpr const char* kIrregular =
    "in batches whose messages have lengths or places of their own, as in a list";

/// What keeps the engine's own form from doing this batch, in words; null if nothing does.
/// @param each with a key for each message
const char* obstacle(const Engine& engine, const Batch& batch, bool each) {
  const ModeSupport& support = engine.modes[batch.mode];
  if (each ? support.run_key_each == nullptr : support.run == nullptr) return "at all";
  if (batch.host_nonce == nullptr && support.only_batch_nonce != 0 &&
      batch.nonce_bytes != support.only_batch_nonce) {
    return each ? "with nonces of any length but 12 bytes"
                : "in batches with nonces of any length but 12 bytes";
  }
  if (!each && !support.takes_arrays && !is_regular(batch)) return kIrregular;
  if (batch.bytes > support.longest || batch.aad_bytes > support.longest) return "of messages this long";
  if (nonce_bytes_of(batch) > support.longest_nonce) return "with nonces this long";
  return nullptr;
}

[[noreturn]] void refuse(const std::string& what, const char* instead) {
  throw Failure(WARPAES_ERROR_UNSUPPORTED, "{}: take {}", what, instead);
}

constexpr const char* kTheCpu = "host memory and an engine of the CPU";
constexpr const char* kRegular =
    "cuda/lane_private_tables, an engine of the CPU, or one array with messages of one length";

/// @param why what keeps the engine from it
[[noreturn]] void refuse_cipher_batches(const Engine& engine, const ModeRow& mode, const char* why) {
  refuse(fmt::format("{} has no batches of {} {}", full_name(engine), mode.name, why),
         "an engine of the CPU, or cuda/lane_private_tables");
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
  refuse(fmt::format("{} has no {} yet", engine.name, row.name), kTheCpu);
}

bool takes_batch(const Engine& engine, const Batch& batch, bool each) {
  return engine.memory == Memory::host || obstacle(engine, batch, each) == nullptr;
}

void require_takes_batch(const Engine& engine, const Batch& batch, bool each) {
  if (takes_batch(engine, batch, each)) return;
  const ModeRow& mode = mode_row(batch.mode);
  const char* const why = obstacle(engine, batch, each);
  if (mode.is_aead) {
    refuse(fmt::format("{} has no {} {}{}", full_name(engine), mode.name,
                       each ? "with a key for each message " : "", why),
           why == kIrregular ? kRegular : kTheCpu);
  }
  if (!each) refuse_cipher_batches(engine, mode, why);
  refuse(full_name(engine) + " has no batches of this mode with a key each",
         "host memory, where each key is expanded on the CPU");
}

void require_runs(const Engine& engine, const BatchKey& key, const Batch& batch, const void* workspace,
                  size_t workspace_bytes) {
  require_takes_batch(engine, batch);
  require_valid_batch(batch, workspace, workspace == nullptr ? 0 : workspace_bytes);
  require_key_bits(batch.mode, key.bits);
  const ModeRow& mode = mode_row(batch.mode);
  require_keys(key, mode);
  const size_t needed = batch_workspace_bytes(engine, batch.mode, batch.messages, batch.bytes);
  require_workspace(mode.name, engine, needed, workspace, workspace_bytes);
}

void run_batch(const Engine& engine, const BatchKey& key, const Batch& batch, void* workspace,
               size_t workspace_bytes, Stream stream) {
  require_runs(engine, key, batch, workspace, workspace_bytes);
  run_checked_batch(engine, key, batch, workspace, stream);
}

void run_checked_batch(const Engine& engine, const BatchKey& key, const Batch& batch, void* workspace,
                       Stream stream) {
  if (batch.messages == 0) return;
  if (obstacle(engine, batch, /*each=*/false) == nullptr) {
    engine.modes[batch.mode].run(key, batch, workspace, stream);
  } else {
    mode_row(batch.mode).composed(engine, key, batch);
  }
}

void require_runs_key_each(const Engine& engine, const KeyArray& keys, const Batch& batch) {
  require_valid_batch_key_each(keys, batch);
  require_takes_batch(engine, batch, /*each=*/true);
}

void run_batch_key_each(const Engine& engine, int device, const KeyArray& keys, const Batch& batch,
                        Stream stream) {
  require_runs_key_each(engine, keys, batch);
  run_checked_batch_key_each(engine, device, keys, batch, stream);
}

void run_checked_batch_key_each(const Engine& engine, int device, const KeyArray& keys, const Batch& batch,
                                Stream stream) {
  if (batch.messages == 0) return;
  if (obstacle(engine, batch, /*each=*/true) == nullptr) {
    engine.modes[batch.mode].run_key_each(device, keys, batch, stream);
  } else {
    composed_key_each(engine, device, keys, batch);
  }
}

}  // namespace warpaes::core
