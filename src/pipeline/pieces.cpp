#include "pipeline/pieces.hpp"

#include "primitives/byte_order.hpp"
#include "primitives/counter_block.hpp"

namespace warpaes::core {

BlockRun part_of(const BlockRun& run, uint64_t at, uint64_t bytes) {
  return {run.input + at, run.output + at, bytes};
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

}  // namespace warpaes::core
