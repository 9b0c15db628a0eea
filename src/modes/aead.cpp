// AEAD modes: the arguments checked, and the choice between the engine's own form and the composed one.
#include <string>
#include <vector>

#include "failure.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"
#include "modes/siv.hpp"

namespace warpaes::core {
namespace {

size_t nonce_bytes_of(const AeadBatch& batch) {
  return batch.host_nonce != nullptr ? batch.host_nonce_bytes : batch.nonce_bytes;
}

void require_lengths(const AeadBatch& batch) {
  const ModeRow& mode = mode_row(batch.mode);
  if (batch.host_nonce != nullptr && batch.messages > 1) {
    throw Failure(WARPAES_ERROR_OPTION, "one nonce is for one message, not for a batch");
  }
  if (batch.mode == WARPAES_MODE_GCM && batch.host_nonce != nullptr && !is_regular(batch)) {
    throw Failure(WARPAES_ERROR_OPTION,
                  "GCM's nonce in host memory is for a message that no array describes");
  }
  require_nonce_length(mode, nonce_bytes_of(batch));
  require_tag_length(mode, batch.tag_bytes);
  mode.require_length(batch.direction, nonce_bytes_of(batch), batch.bytes);
  if (batch.aad_bytes > mode.longest_aad) {
    throw Failure(WARPAES_ERROR_LENGTH, std::string(mode.name) + " has additional data of at most " +
                                            std::to_string(mode.longest_aad) + " bytes, not " +
                                            std::to_string(batch.aad_bytes));
  }
  const size_t most_strings = batch.mode != WARPAES_MODE_SIV ? 1
                              : nonce_bytes_of(batch) == 0   ? kSivMostAads
                                                             : kSivMostAads - 1;
  if (batch.aad_strings > most_strings) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  std::string(mode.name) + " has at most " + std::to_string(most_strings) +
                      " strings of additional data here, not " + std::to_string(batch.aad_strings));
  }
}

/// Those that are given.
std::vector<Region> arrays_of(const AeadBatch& batch) {
  const uint64_t strings = batch.messages * batch.aad_strings;
  const auto array = [](const char* name, const void* data, uint64_t entries) {
    return Region{name, data, entries, sizeof(uint64_t), sizeof(uint64_t)};
  };
  static_assert(sizeof(void*) == sizeof(uint64_t));
  std::vector<Region> given;
  for (const Region& each : {array("the lengths", batch.lengths, batch.messages),
                             array("the inputs' addresses", batch.inputs, batch.messages),
                             array("the outputs' addresses", batch.outputs, batch.messages),
                             array("the nonces' addresses", batch.nonce_pointers, batch.messages),
                             array("the tags' addresses", batch.tag_pointers, batch.messages),
                             array("the additional data's addresses", batch.aads, strings),
                             array("the additional data's lengths", batch.aad_lengths, strings)}) {
    if (each.data == nullptr) continue;
    require_valid(each);
    require_aligned(each);
    given.push_back(each);
  }
  return given;
}

void require_memory(const AeadBatch& batch, const void* workspace, size_t workspace_bytes) {
  const bool decrypting = batch.direction == WARPAES_DIRECTION_DECRYPT;
  const auto unless_listed = [&](const void* array) { return array == nullptr ? batch.messages : 0; };
  const uint64_t nonces = batch.host_nonce != nullptr ? 0 : unless_listed(batch.nonce_pointers);

  const Region input =
      source_region("the input", batch.input, unless_listed(batch.inputs), batch.input_stride, batch.bytes);
  const Region output{"the output", batch.output, unless_listed(batch.outputs), batch.output_stride,
                      batch.bytes};
  const Region tags{"the tags", batch.tags, unless_listed(batch.tag_pointers), batch.tag_stride,
                    batch.tag_bytes};
  const Region nonce_list =
      source_region("the nonces", batch.nonces, nonces, batch.nonce_stride, batch.nonce_bytes);
  const Region host_nonce{"the nonce", batch.host_nonce, 1, 0,
                          batch.host_nonce == nullptr ? 0 : batch.host_nonce_bytes};
  const Region aad =
      source_region("the additional data", batch.aad, unless_listed(batch.aads) * batch.aad_strings,
                    batch.aad_stride, batch.aad_bytes);
  const bool with_statuses = decrypting || batch.statuses != nullptr || !is_regular(batch);
  const Region statuses{"the statuses", batch.statuses, with_statuses ? batch.messages : 0, sizeof(int32_t),
                        sizeof(int32_t)};
  const Region scratch{"the workspace", workspace, 1, 0, workspace_bytes};

  for (const Region* region : {&input, &output, &tags, &nonce_list, &host_nonce, &aad, &statuses, &scratch}) {
    require_valid(*region);
  }
  require_aligned(statuses);
  for (const Region& array : arrays_of(batch)) {
    for (const Region* written : {&output, &statuses, &scratch}) require_disjoint(array, *written);
    if (!decrypting) require_disjoint(array, tags);
  }
  require_disjoint_or_same_place(output, input);
  for (const Region* other : {&tags, &nonce_list, &aad, &statuses, &scratch})
    require_disjoint(output, *other);
  for (const Region* other : {&input, &nonce_list, &aad}) {
    if (!decrypting) require_disjoint(tags, *other);
    require_disjoint(statuses, *other);
    require_disjoint(scratch, *other);
  }
  require_disjoint(statuses, tags);
  require_disjoint(scratch, tags);
  require_disjoint(scratch, statuses);
}

/// Callers' own mistakes were found before: here a batch has both keys, or one.
void require_keys(const AeadBatch& batch) {
  if ((batch.mac_key != nullptr) == (mode_row(batch.mode).key_count == 2)) return;
  throw Failure(WARPAES_ERROR_INTERNAL, "a MAC key is for SIV, and SIV has one");
}

void require_workspace(const Engine& engine, const AeadBatch& batch, const void* workspace,
                       size_t workspace_bytes) {
  const size_t needed = aead_workspace_bytes(engine, batch.mode, batch.messages, batch.bytes);
  if (needed == 0) return;
  if (workspace == nullptr || workspace_bytes < needed || reinterpret_cast<uintptr_t>(workspace) % 16 != 0) {
    throw Failure(WARPAES_ERROR_WORKSPACE, std::string(mode_row(batch.mode).name) + " on " + engine.name +
                                               " needs a workspace of " + std::to_string(needed) +
                                               " bytes, 16-byte aligned");
  }
}

/// What keeps the engine's own form from doing this one; null: nothing does.
const char* obstacle(const Engine& engine, const Engine::FusedAead& fused, const AeadBatch& batch) {
  const bool is_gcm = batch.mode == WARPAES_MODE_GCM;
  const size_t only_nonce =
      engine.memory == Memory::device ? mode_row(batch.mode).aead->fused_batch_nonce : 0;
  if (fused.run == nullptr) return "at all";
  if (batch.bytes > fused.longest || batch.aad_bytes > fused.longest) return "of messages this long";
  if (is_gcm && engine.gcm_nonce_limit != 0 && nonce_bytes_of(batch) > engine.gcm_nonce_limit) {
    return "with nonces this long";
  }
  if (batch.host_nonce == nullptr && only_nonce != 0 && batch.nonce_bytes != only_nonce) {
    return "in batches with nonces of any length but 12 bytes";
  }
  if (is_gcm && !engine.gcm_takes_arrays && !is_regular(batch)) return "in batches with arrays";
  if (batch.aad_strings != 1) return "with several strings of additional data";
  return nullptr;
}

}  // namespace

size_t aead_workspace_bytes(const Engine& engine, Aead mode, uint64_t messages, uint64_t bytes) {
  const Engine::FusedAead fused = mode_row(mode).fused(engine);
  return fused.workspace_bytes == nullptr ? 0 : fused.workspace_bytes(messages, bytes);
}

bool has_aead(const Engine& engine, Aead mode) {
  return engine.memory == Memory::host || mode_row(mode).fused(engine).run != nullptr;
}

void require_aead(const Engine& engine, Aead mode) {
  if (has_aead(engine, mode)) return;
  throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string(engine.name) + " has no " + mode_row(mode).name +
                                               " yet: take host memory and an engine of the CPU");
}

bool takes_aead(const Engine& engine, const AeadBatch& batch) {
  return engine.memory == Memory::host ||
         obstacle(engine, mode_row(batch.mode).fused(engine), batch) == nullptr;
}

void require_takes_aead(const Engine& engine, const AeadBatch& batch) {
  if (takes_aead(engine, batch)) return;
  const ModeRow& mode = mode_row(batch.mode);
  throw Failure(WARPAES_ERROR_UNSUPPORTED, full_name(engine) + " has no " + mode.name + " " +
                                               obstacle(engine, mode.fused(engine), batch) +
                                               ": take host memory and an engine of the CPU");
}

void require_aead_key(Aead mode, int bits) {
  const ModeRow& row = mode_row(mode);
  require_key_length(row, static_cast<size_t>(bits) / 8 * row.key_count);
}

void require_valid_aead(const AeadBatch& batch) {
  require_lengths(batch);
  require_memory(batch, nullptr, 0);
}

void aead(const Engine& engine, const AeadKey& key, const AeadBatch& batch, void* workspace,
          size_t workspace_bytes, Stream stream) {
  require_lengths(batch);
  require_aead_key(batch.mode, key.bits);
  require_keys(batch);
  require_takes_aead(engine, batch);
  require_memory(batch, workspace, workspace == nullptr ? 0 : workspace_bytes);
  require_workspace(engine, batch, workspace, workspace_bytes);
  if (batch.messages == 0) return;

  const ModeRow& mode = mode_row(batch.mode);
  const Engine::FusedAead fused = mode.fused(engine);
  if (obstacle(engine, fused, batch) == nullptr) {
    fused.run(key.prepared, batch, workspace, stream);
  } else {
    mode.aead->composed(engine, key, batch);
  }
}

}  // namespace warpaes::core
