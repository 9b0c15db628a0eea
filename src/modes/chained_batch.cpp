// SP 800-38A sections 6.2 to 6.4, encrypting, and SP 800-38B, over batches of messages: the arguments
// checked, and the choice between the engine's own batches and the composed ones.
#include "modes/chained_batch.hpp"

#include <string>

#include "modes/regions.hpp"

namespace warpaes {
namespace {

constexpr uint64_t kIvBytes = 16;

/// CMAC: 64 bits, SP 800-38B appendix A.2. CCM: 32 bits, SP 800-38C appendix A.1.
size_t shortest_tag(Chaining chaining) { return chaining == Chaining::cmac ? 8 : 4; }

bool length_is_allowed(Chaining chaining, uint64_t bytes) {
  return !needs_whole_blocks(chaining) || (bytes % 16 == 0 && (bytes != 0 || !makes_tags(chaining)));
}

void require_lengths(const ChainedBatch& batch) {
  if (batch.lengths == nullptr && batch.messages != 0 && !length_is_allowed(batch.chaining, batch.bytes)) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "the mode works on whole blocks: " + std::to_string(batch.bytes) + " is no multiple of 16");
  }
  const bool right = batch.tag_bytes >= shortest_tag(batch.chaining) && batch.tag_bytes <= 16;
  if (makes_tags(batch.chaining) && !right) {
    throw Failure(WARPAES_ERROR_TAG_LENGTH,
                  "a CMAC tag is 8 to 16 bytes, not " + std::to_string(batch.tag_bytes));
  }
}

void require_aligned(const Region& region, uint64_t to) {
  if (region.count != 0 && reinterpret_cast<uintptr_t>(region.data) % to != 0) {
    throw Failure(WARPAES_ERROR_OPTION,
                  std::string(region.name) + " are not aligned to " + std::to_string(to) + " bytes");
  }
}

void require_memory(const ChainedBatch& batch) {
  const bool tags_only = makes_tags(batch.chaining);
  const bool arrays = batch.lengths != nullptr || batch.inputs != nullptr || batch.outputs != nullptr;
  const auto if_strided = [&](const void* array) { return array == nullptr ? batch.messages : 0; };
  const auto if_listed = [&](const void* array) { return array == nullptr ? 0 : batch.messages; };

  const Region input{"the input", batch.input, if_strided(batch.inputs), batch.input_stride, batch.bytes};
  const Region output{"the output", batch.output, tags_only ? 0 : if_strided(batch.outputs),
                      batch.output_stride, batch.bytes};
  const Region inputs{"the input pointers", batch.inputs, if_listed(batch.inputs), sizeof(void*),
                      sizeof(void*)};
  const Region outputs{"the output pointers", batch.outputs, if_listed(batch.outputs), sizeof(void*),
                       sizeof(void*)};
  const Region lengths{"the lengths", batch.lengths, if_listed(batch.lengths), sizeof(uint64_t),
                       sizeof(uint64_t)};
  const Region ivs{"the IVs", batch.ivs, tags_only ? 0 : batch.messages, batch.iv_stride, kIvBytes};
  const Region tags{"the tags", batch.tags, tags_only ? batch.messages : 0, batch.tag_stride,
                    batch.tag_bytes};
  const Region statuses{"the statuses", batch.statuses,
                        arrays || batch.statuses != nullptr ? batch.messages : 0, sizeof(int32_t),
                        sizeof(int32_t)};

  for (const Region* region : {&input, &output, &inputs, &outputs, &lengths, &ivs, &tags, &statuses}) {
    require_valid(*region);
  }
  for (const Region* region : {&inputs, &outputs, &lengths}) require_aligned(*region, sizeof(uint64_t));
  require_aligned(statuses, sizeof(int32_t));
  require_disjoint_or_same_place(output, input);
  require_disjoint(output, ivs);
  require_disjoint(tags, statuses);
  for (const Region* written : {&output, &tags, &statuses}) {
    for (const Region* read : {&inputs, &outputs, &lengths}) require_disjoint(*written, *read);
  }
  for (const Region* written : {&tags, &statuses}) {
    for (const Region* other : {&input, &output, &ivs}) require_disjoint(*written, *other);
  }
}

template <class T>
T* shifted(T* pointer, uint64_t by) {
  return pointer == nullptr ? nullptr : pointer + by;
}

}  // namespace

void require_valid_chained(const ChainedBatch& batch) {
  require_lengths(batch);
  require_memory(batch);
}

ChainedBatch part_of(const ChainedBatch& batch, uint64_t first, uint64_t count) {
  ChainedBatch part = batch;
  part.messages = count;
  part.input = shifted(batch.input, first * batch.input_stride);
  part.output = shifted(batch.output, first * batch.output_stride);
  part.inputs = shifted(batch.inputs, first);
  part.outputs = shifted(batch.outputs, first);
  part.lengths = shifted(batch.lengths, first);
  part.ivs = shifted(batch.ivs, first * batch.iv_stride);
  part.tags = shifted(batch.tags, first * batch.tag_stride);
  part.statuses = shifted(batch.statuses, first);
  return part;
}

ChainedMessage message_of(const ChainedBatch& batch, uint64_t index) {
  ChainedMessage message{
      .input =
          batch.inputs != nullptr ? batch.inputs[index] : shifted(batch.input, index * batch.input_stride),
      .output = batch.outputs != nullptr ? batch.outputs[index]
                                         : shifted(batch.output, index * batch.output_stride),
      .bytes = batch.lengths != nullptr ? batch.lengths[index] : batch.bytes,
      .iv = shifted(batch.ivs, index * batch.iv_stride),
      .tag = shifted(batch.tags, index * batch.tag_stride),
      .status = WARPAES_OK,
  };
  const bool tags_only = makes_tags(batch.chaining);
  if (message.bytes > batch.bytes || !length_is_allowed(batch.chaining, message.bytes)) {
    message.status = WARPAES_ERROR_LENGTH;
  } else if (message.bytes != 0 && (message.input == nullptr || (message.output == nullptr && !tags_only))) {
    message.status = WARPAES_ERROR_NULL_POINTER;
  } else if (!tags_only && message.input != message.output &&
             !disjoint({"", message.input, 1, 0, message.bytes}, {"", message.output, 1, 0, message.bytes})) {
    message.status = WARPAES_ERROR_OVERLAP;
  }
  return message;
}

void chained_batch(const Engine& engine, const EngineKey& key, const ChainedBatch& batch, Stream stream) {
  require_valid_chained(batch);
  if (batch.messages == 0) return;
  if (engine.chained_batch != nullptr) {
    engine.chained_batch(key, batch, stream);
  } else {
    chained_batch_composed(engine, key, batch);
  }
}

}  // namespace warpaes
