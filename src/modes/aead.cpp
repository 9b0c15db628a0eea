// AEAD modes: the arguments checked, and the choice between the engine's own form and the composed one.
#include <string>
#include <vector>

#include "engines/batch_message.hpp"
#include "failure.hpp"
#include "modes/aead_table.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes {
namespace {

size_t nonce_bytes_of(const AeadBatch& batch) {
  return batch.host_nonce != nullptr ? batch.host_nonce_bytes : batch.nonce_bytes;
}

void require_nonce_and_tag(const AeadRow& mode, const AeadBatch& batch) {
  const size_t nonce = nonce_bytes_of(batch);
  const bool fits_batch = batch.host_nonce != nullptr || mode.batch_nonce == 0 || nonce == mode.batch_nonce;
  const bool fits = nonce >= mode.shortest_nonce && nonce <= mode.longest_nonce && fits_batch;
  const bool tag_fits = batch.tag_bytes <= 16 && (mode.tag_lengths >> batch.tag_bytes & 1) != 0;
  if (fits && tag_fits) return;
  const std::string given =
      fits ? "a tag of " + std::to_string(batch.tag_bytes) : "a nonce of " + std::to_string(nonce);
  throw Failure(fits ? WARPAES_ERROR_TAG_LENGTH : WARPAES_ERROR_NONCE_LENGTH,
                std::string(mode.name) + " takes " + mode.limits + ", not " + given);
}

void require_lengths(const AeadBatch& batch) {
  const AeadRow& mode = aead_row(batch.mode);
  if (batch.host_nonce != nullptr && batch.messages > 1) {
    throw Failure(WARPAES_ERROR_OPTION, "one nonce is for one message, not for a batch");
  }
  require_nonce_and_tag(mode, batch);
  const auto require_at_most = [&mode](const char* what, uint64_t most, uint64_t given) {
    if (given <= most) return;
    throw Failure(WARPAES_ERROR_LENGTH, std::string(mode.name) + " with this nonce has " + what +
                                            " of at most " + std::to_string(most) + " bytes, not " +
                                            std::to_string(given));
  };
  require_at_most("messages", mode.most_bytes(nonce_bytes_of(batch)), batch.bytes);
  require_at_most("additional data", mode.most_aad_bytes, batch.aad_bytes);
}

/// Those that are given.
std::vector<Region> arrays_of(const AeadBatch& batch) {
  const Region all[] = {
      {"the lengths", batch.lengths, batch.messages, sizeof(uint64_t), sizeof(uint64_t)},
      {"the inputs' addresses", batch.inputs, batch.messages, sizeof(void*), sizeof(void*)},
      {"the outputs' addresses", batch.outputs, batch.messages, sizeof(void*), sizeof(void*)},
      {"the additional data's addresses", batch.aads, batch.messages, sizeof(void*), sizeof(void*)},
      {"the additional data's lengths", batch.aad_lengths, batch.messages, sizeof(uint64_t),
       sizeof(uint64_t)}};
  std::vector<Region> given;
  for (const Region& array : all) {
    if (array.data == nullptr) continue;
    require_valid(array);
    if (reinterpret_cast<uintptr_t>(array.data) % array.bytes != 0) {
      throw Failure(WARPAES_ERROR_OPTION, std::string(array.name) + " are not aligned to 8 bytes");
    }
    given.push_back(array);
  }
  return given;
}

void require_memory(const AeadBatch& batch, const void* workspace, size_t workspace_bytes) {
  const bool decrypting = batch.direction == WARPAES_DECRYPT;
  const bool aad_shared = batch.aad_stride == 0 && batch.messages > 0;
  const uint64_t nonces = batch.host_nonce == nullptr ? batch.messages : 0;

  const uint64_t in_a_row = batch.inputs == nullptr ? batch.messages : 0;
  const uint64_t out_in_a_row = batch.outputs == nullptr ? batch.messages : 0;
  const uint64_t aads = batch.aads != nullptr ? 0 : aad_shared ? 1 : batch.messages;
  const Region input{"the input", batch.input, in_a_row, batch.input_stride, batch.bytes};
  const Region output{"the output", batch.output, out_in_a_row, batch.output_stride, batch.bytes};
  const Region tags{"the tags", batch.tags, batch.messages, batch.tag_stride, batch.tag_bytes};
  const Region nonce_list{"the nonces", batch.nonces, nonces, batch.nonce_stride, batch.nonce_bytes};
  const Region aad{"the additional data", batch.aad, aads, batch.aad_stride, batch.aad_bytes};
  const bool with_statuses = decrypting || (batch.statuses != nullptr && !is_regular(batch));
  const Region statuses{"the statuses", batch.statuses, with_statuses ? batch.messages : 0, sizeof(int32_t),
                        sizeof(int32_t)};
  const Region scratch{"the workspace", workspace, 1, 0, workspace_bytes};

  for (const Region* region : {&input, &output, &tags, &nonce_list, &aad, &statuses, &scratch}) {
    require_valid(*region);
  }
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
  if ((batch.mac_key != nullptr) == (aead_row(batch.mode).halves == 2)) return;
  throw Failure(WARPAES_ERROR_INTERNAL, "a MAC key is for SIV, and SIV has one");
}

void require_workspace(const Engine& engine, const AeadBatch& batch, const void* workspace,
                       size_t workspace_bytes) {
  const size_t needed = aead_workspace_bytes(engine, batch.mode, batch.messages, batch.bytes);
  if (needed == 0) return;
  if (workspace == nullptr || workspace_bytes < needed || reinterpret_cast<uintptr_t>(workspace) % 16 != 0) {
    throw Failure(WARPAES_ERROR_WORKSPACE, std::string(aead_row(batch.mode).name) + " on " + engine.name +
                                               " needs a workspace of " + std::to_string(needed) +
                                               " bytes, 16-byte aligned");
  }
}

/// Can the engine's own form do this one?
bool is_fused(const Engine& engine, const Engine::FusedAead& fused, const AeadBatch& batch) {
  const bool limited = batch.mode == WARPAES_AEAD_GCM && batch.host_nonce != nullptr;
  const bool nonce_fits =
      !limited || engine.gcm_nonce_limit == 0 || batch.host_nonce_bytes <= engine.gcm_nonce_limit;
  return fused.run != nullptr && nonce_fits && batch.bytes <= fused.longest &&
         batch.aad_bytes <= fused.longest;
}

}  // namespace

size_t aead_workspace_bytes(const Engine& engine, Aead mode, uint64_t messages, uint64_t bytes) {
  const Engine::FusedAead fused = aead_row(mode).fused(engine);
  return fused.workspace_bytes == nullptr ? 0 : fused.workspace_bytes(messages, bytes);
}

bool has_aead(const Engine& engine, Aead mode) {
  return engine.memory == Memory::host || aead_row(mode).fused(engine).run != nullptr;
}

void require_aead(const Engine& engine, Aead mode) {
  if (has_aead(engine, mode)) return;
  throw Failure(WARPAES_ERROR_UNSUPPORTED, std::string(engine.name) + " has no " + aead_row(mode).name +
                                               " yet: take host memory and an engine of the CPU");
}

bool takes_aead(const Engine& engine, const AeadBatch& batch) {
  return engine.memory == Memory::host || is_fused(engine, aead_row(batch.mode).fused(engine), batch);
}

void require_takes_aead(const Engine& engine, const AeadBatch& batch) {
  require_aead(engine, batch.mode);
  if (takes_aead(engine, batch)) return;
  const AeadRow& mode = aead_row(batch.mode);
  throw Failure(WARPAES_ERROR_UNSUPPORTED,
                std::string(engine.name) + " has " + mode.name +
                    " of messages and additional data of up to " +
                    std::to_string(mode.fused(engine).longest) +
                    " bytes: take host memory and an engine of the CPU for longer ones");
}

void require_aead_key(Aead mode, int bits) {
  const AeadRow& row = aead_row(mode);
  if (bits != 192 || row.has_192_bits) return;
  throw Failure(WARPAES_ERROR_KEY_LENGTH, std::string(row.name) + " has keys of 128 and 256 bits, not 192");
}

void require_valid_aead(const AeadBatch& batch) {
  require_lengths(batch);
  require_memory(batch, nullptr, 0);
}

void require_valid_messages(const AeadBatch& batch) {
  if (is_regular(batch)) return;
  for (uint64_t index = 0; index < batch.messages; index++) {
    const BatchMessage message = message_of(batch, index);
    const auto refuse = [index](Status status, const char* what) {
      throw Failure(status, "message " + std::to_string(index) + ": " + what);
    };
    if (message.bytes > batch.bytes) refuse(WARPAES_ERROR_LENGTH, "longer than `bytes`");
    if (message.aad_bytes > batch.aad_bytes) {
      refuse(WARPAES_ERROR_LENGTH, "more additional data than `aad_bytes`");
    }
    const Region input{"a message's input", message.input, 1, 0, message.bytes};
    const Region output{"its output", message.output, 1, 0, message.bytes};
    require_valid(input);
    require_valid(output);
    require_valid({"its additional data", message.aad, 1, 0, message.aad_bytes});
    require_disjoint_or_same_place(output, input);
  }
}

void aead(const Engine& engine, const AeadKey& key, const AeadBatch& batch, void* workspace,
          size_t workspace_bytes, Stream stream) {
  require_lengths(batch);
  require_aead_key(batch.mode, key.bits);
  require_keys(batch);
  require_takes_aead(engine, batch);
  require_memory(batch, workspace, workspace == nullptr ? 0 : workspace_bytes);
  require_workspace(engine, batch, workspace, workspace_bytes);
  if (engine.memory == Memory::host) require_valid_messages(batch);
  if (batch.messages == 0) return;

  const AeadRow& mode = aead_row(batch.mode);
  const Engine::FusedAead fused = mode.fused(engine);
  if (is_fused(engine, fused, batch)) {
    fused.run(key.prepared, batch, workspace, stream);
  } else {
    mode.composed(engine, key, batch);
  }
}

}  // namespace warpaes
