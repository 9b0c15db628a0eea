// Batches in modes that do not authenticate, of CMAC and of wrapped keys, as launches of kernels in which
// each lane walks a message.
#pragma once

#include "engines/batch.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class MessageLaneLaunches {
 public:
  static void run(const BatchKey& batch_key, const Batch& batch, void*, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(batch_key.prepared);
    const CipherMode mode = mode_row(batch.mode).cipher_mode(batch.direction);
    WipedArguments<LaneArguments> arguments{};
    arguments.keys = inverts_cipher(mode) ? key.schedule.decryption() : key.schedule.encryption();
    if (makes_tags(mode)) set_masks(arguments, key.schedule);
    if (batch_key.second != nullptr) {
      arguments.tweak_keys = static_cast<const LanePrivateKey&>(*batch_key.second).schedule.encryption();
    }
    launch<LaneKeys::one>(key.target(), arguments, batch, stream);
  }

  static void key_each(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
    LaneArguments arguments{};
    const size_t key_bytes = keys.bytes / mode_row(batch.mode).key_count;
    const int rounds = static_cast<int>(key_bytes / 4) + 6;
    launch<LaneKeys::each>({device, Gpu::shape(device), rounds}, arguments, batch, stream, &keys);
  }

 private:
  /// @param arguments filled in as far as keys go; the rest is filled in here
  template <LaneKeys Keys>
  static void launch(const kernels::LaunchTarget& target, LaneArguments& arguments, const Batch& batch,
                     Stream stream, const KeyArray* keys = nullptr) {
    const CipherMode mode = mode_row(batch.mode).cipher_mode(batch.direction);
    with_lane_kernel<Keys>(mode, [&](auto kernel) {
      const uint64_t lanes = static_cast<uint64_t>(target.shape.multiprocessors) *
                             kernel.policy(target.shape.policy, target.rounds).threads;
      launch_in_lanes<Gpu>(kernel, target, arguments, batch.messages, stream,
                           [&](uint64_t first, uint64_t count) {
                             describe(arguments, part_of(batch, first, count));
                             if (begins_anywhere(mode)) cut(arguments, LaneRuns(lanes, count, batch.bytes));
                             if (keys != nullptr) set_keys(arguments, keys_from(*keys, first));
                           });
    });
  }

  static void describe(LaneArguments& arguments, const Batch& batch) {
    const ModeRow& mode = mode_row(batch.mode);
    arguments.messages = static_cast<uint32_t>(batch.messages);
    arguments.input = batch.input;
    arguments.output = batch.output;
    arguments.bytes = batch.bytes;
    arguments.input_stride = batch.input_stride;
    arguments.output_stride = batch.output_stride;
    arguments.inputs = batch.inputs;
    arguments.outputs = batch.outputs;
    arguments.lengths = batch.lengths;
    arguments.ivs_at = mode.has_nonce() ? batch.nonce_pointers : nullptr;
    arguments.tags_at = mode.has_tag() ? batch.tag_pointers : nullptr;
    arguments.ivs = batch.nonces;
    arguments.iv_stride = batch.nonce_stride;
    arguments.tags = batch.tags;
    arguments.tag_stride = batch.tag_stride;
    arguments.tag_bytes = static_cast<uint32_t>(batch.tag_bytes);
    arguments.has_pointers = has_pointers(batch);
    arguments.mode = mode.cipher_mode(batch.direction);
    arguments.whole_blocks = needs_whole_blocks(arguments.mode);
    arguments.with_padding = batch.mode == WARPAES_MODE_KWP;
    arguments.unused_bits = static_cast<uint8_t>(batch.unused_bits);
    arguments.statuses = batch.statuses;
    arguments.output_lengths = batch.output_lengths;
    cut(arguments, LaneRuns());
  }

  static void cut(LaneArguments& arguments, const LaneRuns& runs) {
    arguments.runs = runs.a_message;
    arguments.run_bytes = runs.bytes;
  }
};

}  // namespace warpaes::core
