// Translates a batch into what the kernels for batches take.
#pragma once

#include <algorithm>

#include "engines/engine.hpp"
#include "kernels/warp/batched_message.hpp"

namespace warpaes::core {

/// A launch counts its messages in 32 bits, and this leaves room for what its grid adds.
constexpr uint64_t kMostLaunchMessages = uint64_t{1} << 24;

/// More warps than any GPU has at work: 256 multiprocessors of 2048 threads.
constexpr uint64_t kMostWarps = 256 * 2048 / kWarpLanes;

/// Calls launch(part, first) for parts of the batch that one launch can have; `first` is the part's first
/// message.
template <class Launch>
void for_each_launch(const Batch& batch, const Launch& launch) {
  for (uint64_t done = 0; done < batch.messages; done += kMostLaunchMessages) {
    launch(part_of(batch, done, std::min(batch.messages - done, kMostLaunchMessages)), done);
  }
}

/// Does every message of a regular batch begin at a multiple of 16, so that it can be loaded and stored in
/// whole blocks?
inline bool is_in_rows(const Batch& batch) {
  const bool strides = batch.messages == 1 || (batch.input_stride % 16 == 0 && batch.output_stride % 16 == 0);
  return batch.bytes == 0 || (is_aligned(batch.input) && is_aligned(batch.output) && strides);
}

/// @param batch at most kMostLaunchMessages messages
inline MessageBatch described(const Batch& batch) {
  return {.messages = static_cast<uint32_t>(batch.messages),
          .bytes = batch.bytes,
          .input = batch.input,
          .input_stride = batch.input_stride,
          .output = batch.output,
          .output_stride = batch.output_stride,
          .nonces = batch.host_nonce != nullptr ? nullptr : batch.nonces,
          .nonce_stride = batch.nonce_stride,
          .aad = batch.aad,
          .aad_bytes = batch.aad_bytes,
          .aad_stride = batch.aad_stride,
          .tags = batch.tags,
          .tag_stride = batch.tag_stride,
          .statuses = batch.statuses,
          .lengths = batch.lengths,
          .inputs = batch.inputs,
          .outputs = batch.outputs,
          .aads = batch.aads,
          .aad_lengths = batch.aad_lengths,
          .nonces_at = batch.host_nonce != nullptr || batch.nonce_bytes == 0 ? nullptr : batch.nonce_pointers,
          .tags_at = batch.tag_pointers,
          .nonce_bytes = static_cast<uint32_t>(nonce_bytes_of(batch)),
          .tag_bytes = static_cast<uint32_t>(batch.tag_bytes),
          .writes_tags = writes_tags(batch),
          .has_arrays = !is_regular(batch),
          .has_pointers = has_pointers(batch)};
}

}  // namespace warpaes::core
