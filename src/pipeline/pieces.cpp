#include "pipeline/pieces.hpp"

#include "primitives/byte_order.hpp"
#include "primitives/counter_block.hpp"

namespace warpaes {
namespace {

template <class T>
T* shifted(T* pointer, uint64_t by) {
  return pointer == nullptr ? nullptr : pointer + by;
}

}  // namespace

BlockRun part_of(const BlockRun& run, uint64_t at, uint64_t bytes) {
  return {run.input + at, run.output + at, bytes};
}

GcmBatch part_of(const GcmBatch& batch, uint64_t first, uint64_t count) {
  GcmBatch part = batch;
  part.messages = count;
  part.input = shifted(batch.input, first * batch.input_stride);
  part.output = shifted(batch.output, first * batch.output_stride);
  part.nonces = shifted(batch.nonces, first * batch.nonce_stride);
  part.aad = shifted(batch.aad, first * batch.aad_stride);
  part.tags = shifted(batch.tags, first * batch.tag_stride);
  part.statuses = shifted(batch.statuses, first);
  part.lengths = shifted(batch.lengths, first);
  part.inputs = shifted(batch.inputs, first);
  part.outputs = shifted(batch.outputs, first);
  part.aads = shifted(batch.aads, first);
  part.aad_lengths = shifted(batch.aad_lengths, first);
  return part;
}

CounterAt::CounterAt(const uint8_t* counter, uint64_t bytes) {
  store_counter(block, add128(load_counter(counter), bytes / 16));
}

TweakAt::TweakAt(const uint8_t* tweak, uint64_t units) {
  const uint64_t low = load_le64(tweak), sum = low + units;
  store_le64(block, sum);
  store_le64(block + 8, load_le64(tweak + 8) + (sum < low ? 1 : 0));
}

XtsRun part_of(const XtsRun& run, uint64_t first, uint64_t count, const TweakAt& tweak) {
  const uint64_t at = first * run.data_unit_bytes, left = run.bytes - at;
  const uint64_t bytes = count > left / run.data_unit_bytes ? left : count * run.data_unit_bytes;
  return {tweak.block, run.data_unit_bytes, run.input + at, run.output + at, bytes};
}

}  // namespace warpaes
