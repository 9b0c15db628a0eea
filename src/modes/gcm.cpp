// SP 800-38D: the arguments checked, and the choice between the engine's own GCM and the composed one.
#include <string>
#include <vector>

#include "engines/batch_message.hpp"
#include "failure.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes {
namespace {

/// SP 800-38D section 5.2.1.1: AAD of at most 2^64 - 1 bits.
constexpr uint64_t kMaxAadBytes = (uint64_t{1} << 61) - 1;
constexpr uint64_t kBatchNonceBytes = 12;

void require_lengths(const GcmBatch& batch) {
  if (batch.bytes > kGcmMaxBytes) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "a GCM message is at most 2^36 - 32 bytes, this one " + std::to_string(batch.bytes));
  }
  if (batch.aad_bytes > kMaxAadBytes) {
    throw Failure(WARPAES_ERROR_LENGTH, "GCM's additional data is at most 2^61 - 1 bytes");
  }
  if (batch.tag_bytes < kGcmMinTagBytes || batch.tag_bytes > kGcmMaxTagBytes) {
    throw Failure(WARPAES_ERROR_TAG_LENGTH,
                  "a GCM tag is 12 to 16 bytes, not " + std::to_string(batch.tag_bytes));
  }
  if (batch.host_nonce != nullptr && batch.messages > 1) {
    throw Failure(WARPAES_ERROR_OPTION, "one nonce is for one message, not for a batch");
  }
  if (batch.host_nonce != nullptr && batch.host_nonce_bytes == 0) {
    throw Failure(WARPAES_ERROR_NONCE_LENGTH, "a GCM nonce is 1 byte or longer");
  }
}

/// Those that are given.
std::vector<Region> arrays_of(const GcmBatch& batch) {
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

void require_memory(const GcmBatch& batch, const void* workspace, size_t workspace_bytes) {
  const bool decrypting = batch.direction == WARPAES_DECRYPT;
  const bool aad_shared = batch.aad_stride == 0 && batch.messages > 0;
  const uint64_t nonces = batch.host_nonce == nullptr ? batch.messages : 0;

  const uint64_t in_a_row = batch.inputs == nullptr ? batch.messages : 0;
  const uint64_t out_in_a_row = batch.outputs == nullptr ? batch.messages : 0;
  const uint64_t aads = batch.aads != nullptr ? 0 : aad_shared ? 1 : batch.messages;
  const Region input{"the input", batch.input, in_a_row, batch.input_stride, batch.bytes};
  const Region output{"the output", batch.output, out_in_a_row, batch.output_stride, batch.bytes};
  const Region tags{"the tags", batch.tags, batch.messages, batch.tag_stride, batch.tag_bytes};
  const Region nonce_list{"the nonces", batch.nonces, nonces, batch.nonce_stride, kBatchNonceBytes};
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

void require_workspace(const Engine& engine, const GcmBatch& batch, const void* workspace,
                       size_t workspace_bytes) {
  const size_t needed = gcm_workspace_bytes(engine, batch.messages, batch.bytes);
  if (needed == 0) return;
  if (workspace == nullptr || workspace_bytes < needed || reinterpret_cast<uintptr_t>(workspace) % 16 != 0) {
    throw Failure(WARPAES_ERROR_WORKSPACE, "GCM on " + std::string(engine.name) + " needs a workspace of " +
                                               std::to_string(needed) + " bytes, 16-byte aligned");
  }
}

}  // namespace

size_t gcm_workspace_bytes(const Engine& engine, uint64_t messages, uint64_t bytes) {
  return engine.gcm_workspace_bytes == nullptr ? 0 : engine.gcm_workspace_bytes(messages, bytes);
}

void require_valid_gcm(const GcmBatch& batch) {
  require_lengths(batch);
  require_memory(batch, nullptr, 0);
}

void require_valid_messages(const GcmBatch& batch) {
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

void gcm(const Engine& engine, const EngineKey& key, const GcmBatch& batch, void* workspace,
         size_t workspace_bytes, Stream stream) {
  require_lengths(batch);
  require_memory(batch, workspace, workspace == nullptr ? 0 : workspace_bytes);
  require_workspace(engine, batch, workspace, workspace_bytes);
  if (engine.memory == Memory::host) require_valid_messages(batch);
  if (batch.messages == 0) return;

  const bool nonce_fits = batch.host_nonce == nullptr || engine.gcm_nonce_limit == 0 ||
                          batch.host_nonce_bytes <= engine.gcm_nonce_limit;
  if (engine.gcm != nullptr && nonce_fits) {
    engine.gcm(key, batch, workspace, stream);
  } else {
    gcm_composed(engine, key, batch);
  }
}

}  // namespace warpaes
