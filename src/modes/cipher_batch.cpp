// Batches of the modes that do not authenticate, and of CMAC: the arguments checked, and the choice between
// the engine's own batches and the composed ones.
#include "modes/cipher_batch.hpp"

#include <string>

#include "modes/mode_table.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

constexpr uint64_t kIvBytes = 16;

/// Must the caller be told what became of each message?
bool may_fail(const CipherBatch& batch) {
  return !is_regular(batch) || unpads(batch.mode) || unwraps_keys(batch.mode);
}

/// Or that some other length came out than it could know?
bool tells_lengths(CipherMode mode) { return unpads(mode) || mode == CipherMode::kwp_unwrap; }

void require_lengths(const CipherBatch& batch) {
  if (batch.lengths == nullptr && batch.messages != 0) require_length(batch.mode, batch.bytes);
  if (batch.mode == CipherMode::cmac) require_tag_length(mode_row(WARPAES_MODE_CMAC), batch.tag_bytes);
  // CCM's MAC, of which it takes 32 bits or more: SP 800-38C appendix A.1.
  if (batch.mode == CipherMode::cbc_mac && (batch.tag_bytes < 4 || batch.tag_bytes > 16)) {
    throw Failure(WARPAES_ERROR_TAG_LENGTH, "a CBC-MAC is 4 to 16 bytes here");
  }
}

void require_memory(const CipherBatch& batch) {
  const bool tags_only = makes_tags(batch.mode);
  const auto if_strided = [&](const void* array) { return array == nullptr ? batch.messages : 0; };
  const auto if_listed = [&](const void* array) { return array == nullptr ? 0 : batch.messages; };

  const auto array = [&](const char* name, const void* data) {
    return Region{name, data, if_listed(data), sizeof(uint64_t), sizeof(uint64_t)};
  };

  const Region input =
      source_region("the input", batch.input, if_strided(batch.inputs), batch.input_stride, batch.bytes);
  const Region output{"the output", batch.output, tags_only ? 0 : if_strided(batch.outputs),
                      batch.output_stride, output_bytes(batch.mode, batch.bytes)};
  const Region inputs = array("the input pointers", batch.inputs),
               outputs = array("the output pointers", batch.outputs),
               lengths = array("the lengths", batch.lengths),
               iv_pointers = array("the IVs' pointers", batch.iv_pointers),
               tag_pointers = array("the tags' pointers", batch.tag_pointers);
  const Region ivs =
      source_region("the IVs", batch.ivs, has_iv(batch.mode) ? if_strided(batch.iv_pointers) : 0,
                    batch.iv_stride, kIvBytes);
  const Region tags{"the tags", batch.tags, tags_only ? if_strided(batch.tag_pointers) : 0, batch.tag_stride,
                    batch.tag_bytes};
  const Region statuses{"the statuses", batch.statuses,
                        may_fail(batch) || batch.statuses != nullptr ? batch.messages : 0, sizeof(int32_t),
                        sizeof(int32_t)};
  const bool told = tells_lengths(batch.mode) || batch.output_lengths != nullptr;
  const Region output_lengths{"the output lengths", batch.output_lengths, told ? batch.messages : 0,
                              sizeof(uint64_t), sizeof(uint64_t)};

  for (const Region* region : {&input, &output, &inputs, &outputs, &lengths, &iv_pointers, &tag_pointers,
                               &ivs, &tags, &statuses, &output_lengths}) {
    require_valid(*region);
  }
  for (const Region* region :
       {&inputs, &outputs, &lengths, &iv_pointers, &tag_pointers, &statuses, &output_lengths}) {
    require_aligned(*region);
  }
  const bool in_place = output.data == input.data && output.count == input.count &&
                        (output.count <= 1 || output.stride == input.stride);
  if (!in_place) require_disjoint(output, input);
  require_disjoint(output, ivs);
  require_disjoint(tags, statuses);
  require_disjoint(output_lengths, statuses);
  for (const Region* written : {&output, &tags, &statuses, &output_lengths}) {
    for (const Region* read : {&inputs, &outputs, &lengths, &iv_pointers, &tag_pointers}) {
      require_disjoint(*written, *read);
    }
  }
  for (const Region* written : {&tags, &statuses, &output_lengths}) {
    for (const Region* other : {&input, &output, &ivs}) require_disjoint(*written, *other);
  }
}

/// Does a message write over what it reads? Of regular batches that was asked for all messages at once.
bool overlaps(const CipherBatch& batch, const CipherMessage& message) {
  const bool tags_only = makes_tags(batch.mode);
  const Region input{"", message.input, 1, 0, message.bytes},
      iv{"", message.iv, 1, 0, has_iv(batch.mode) ? kIvBytes : 0},
      output{"", message.output, 1, 0, tags_only ? 0 : output_bytes(batch.mode, message.bytes)},
      tag{"", message.tag, 1, 0, tags_only ? batch.tag_bytes : 0};
  const bool in_place = message.input == message.output;
  return (!in_place && !disjoint(output, input)) || !disjoint(output, iv) || !disjoint(tag, input);
}

template <class T>
T* shifted(T* pointer, uint64_t by) {
  return pointer == nullptr ? nullptr : pointer + by;
}

}  // namespace

void require_valid_cipher_batch(const CipherBatch& batch) {
  require_lengths(batch);
  require_memory(batch);
}

CipherBatch part_of(const CipherBatch& batch, uint64_t first, uint64_t count) {
  CipherBatch part = batch;
  part.messages = count;
  part.input = shifted(batch.input, first * batch.input_stride);
  part.output = shifted(batch.output, first * batch.output_stride);
  part.inputs = shifted(batch.inputs, first);
  part.outputs = shifted(batch.outputs, first);
  part.lengths = shifted(batch.lengths, first);
  part.ivs = shifted(batch.ivs, first * batch.iv_stride);
  part.tags = shifted(batch.tags, first * batch.tag_stride);
  part.statuses = shifted(batch.statuses, first);
  part.output_lengths = shifted(batch.output_lengths, first);
  part.iv_pointers = shifted(batch.iv_pointers, first);
  part.tag_pointers = shifted(batch.tag_pointers, first);
  return part;
}

CipherMessage message_of(const CipherBatch& batch, uint64_t index) {
  CipherMessage message{
      .input =
          batch.inputs != nullptr ? batch.inputs[index] : shifted(batch.input, index * batch.input_stride),
      .output = batch.outputs != nullptr ? batch.outputs[index]
                                         : shifted(batch.output, index * batch.output_stride),
      .bytes = batch.lengths != nullptr ? batch.lengths[index] : batch.bytes,
      .iv = batch.iv_pointers != nullptr ? batch.iv_pointers[index]
                                         : shifted(batch.ivs, index * batch.iv_stride),
      .tag = batch.tag_pointers != nullptr ? batch.tag_pointers[index]
                                           : shifted(batch.tags, index * batch.tag_stride),
      .status = WARPAES_OK,
  };
  const bool tags_only = makes_tags(batch.mode);
  if (message.bytes > batch.bytes || !length_is_allowed(batch.mode, message.bytes)) {
    message.status = WARPAES_ERROR_LENGTH;
  } else if ((message.bytes != 0 && message.input == nullptr) ||
             (output_bytes(batch.mode, message.bytes) != 0 && message.output == nullptr) ||
             (has_iv(batch.mode) && message.iv == nullptr) || (tags_only && message.tag == nullptr)) {
    message.status = WARPAES_ERROR_NULL_POINTER;
  } else if (!is_regular(batch) && overlaps(batch, message)) {
    message.status = WARPAES_ERROR_OVERLAP;
  }
  return message;
}

uint64_t output_bytes(CipherMode mode, uint64_t bytes) { return length_rule(mode).output(bytes); }

bool has_cipher_batch(const Engine& engine, CipherMode mode) {
  if (engine.memory == Memory::host) return true;
  if (is_xts(mode)) return engine.xts_batch != nullptr;
  return engine.cipher_batch != nullptr;
}

void require_cipher_batch(const Engine& engine, CipherMode mode) {
  if (has_cipher_batch(engine, mode)) return;
  throw Failure(WARPAES_ERROR_UNSUPPORTED,
                full_name(engine) +
                    " has no batches of modes that do not authenticate, and no CMAC: take an engine of the "
                    "CPU, or cuda/lane_private_tables");
}

void cipher_batch(const Engine& engine, const EngineKey& key, const CipherBatch& batch, Stream stream) {
  require_valid_cipher_batch(batch);
  require_cipher_batch(engine, batch.mode);
  if (batch.messages == 0) return;
  if (engine.cipher_batch != nullptr) {
    engine.cipher_batch(key, batch, stream);
  } else {
    cipher_batch_composed(engine, key, batch);
  }
}

void xts_batch(const Engine& engine, const XtsKeys& keys, const CipherBatch& batch, Stream stream) {
  require_valid_cipher_batch(batch);
  require_cipher_batch(engine, batch.mode);
  if (batch.messages == 0) return;
  if (engine.xts_batch != nullptr) {
    engine.xts_batch(keys, batch, stream);
  } else {
    xts_batch_composed(engine, keys, batch);
  }
}

}  // namespace warpaes::core
