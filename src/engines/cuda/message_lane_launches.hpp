// Batches of messages that a lane each walks: of modes that do not authenticate, of CMAC, and of wrapped
// keys. Turns a mode's call into launches.
#pragma once

#include <algorithm>

#include "engines/batch_message.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/wiped.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class MessageLaneLaunches {
 public:
  static void one_key(const EngineKey& engine_key, const CipherBatch& batch, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    Wiped<LaneArguments> arguments{};
    arguments.keys = inverts_cipher(batch.mode) ? key.schedule.decryption() : key.schedule.encryption();
    if (batch.mode == CipherMode::cmac) set_masks(arguments, key.schedule);
    launch<LaneKeys::one>(key.target(), arguments, batch, stream);
  }

  static void xts(const XtsKeys& keys, const CipherBatch& batch, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(keys.data);
    Wiped<LaneArguments> arguments{};
    arguments.keys = inverts_cipher(batch.mode) ? key.schedule.decryption() : key.schedule.encryption();
    arguments.tweak_keys = static_cast<const LanePrivateKey&>(keys.tweak).schedule.encryption();
    launch<LaneKeys::one>(key.target(), arguments, batch, stream);
  }

  static void key_each(int device, const KeyArray& keys, const CipherBatch& batch, Stream stream) {
    LaneArguments arguments{};
    const size_t key_bytes = is_xts(batch.mode) ? keys.bytes / 2 : keys.bytes;
    const int rounds = static_cast<int>(key_bytes / 4) + 6;
    launch<LaneKeys::each>({device, Gpu::shape(device), rounds}, arguments, batch, stream, &keys);
  }

 private:
  /// @param arguments with what belongs to keys; the rest is filled in
  template <LaneKeys Keys>
  static void launch(const kernels::LaunchTarget& target, LaneArguments& arguments, const CipherBatch& batch,
                     Stream stream, const KeyArray* keys = nullptr) {
    with_lane_kernel<Keys>(batch.mode, [&](auto kernel) {
      launch_in_lanes<Gpu>(kernel, target, arguments, batch.messages, stream,
                           [&](uint64_t first, uint64_t count) {
                             describe(arguments, batch, first);
                             if (keys != nullptr) set_keys(arguments, keys_from(*keys, first));
                             arguments.messages = static_cast<uint32_t>(count);
                           });
    });
  }

  /// @param first the message that the launch begins with
  static void describe(LaneArguments& arguments, const CipherBatch& batch, uint64_t first) {
    const auto at = [first](auto* array, uint64_t stride) {
      return array == nullptr ? nullptr : array + first * stride;
    };
    arguments.input = at(batch.input, batch.input_stride);
    arguments.output = at(batch.output, batch.output_stride);
    arguments.bytes = batch.bytes;
    arguments.input_stride = batch.input_stride;
    arguments.output_stride = batch.output_stride;
    arguments.inputs = at(batch.inputs, 1);
    arguments.outputs = at(batch.outputs, 1);
    arguments.lengths = at(batch.lengths, 1);
    arguments.ivs_at = has_iv(batch.mode) ? at(batch.iv_pointers, 1) : nullptr;
    arguments.tags_at = makes_tags(batch.mode) ? at(batch.tag_pointers, 1) : nullptr;
    arguments.ivs = at(batch.ivs, batch.iv_stride);
    arguments.iv_stride = batch.iv_stride;
    arguments.tags = at(batch.tags, batch.tag_stride);
    arguments.tag_stride = batch.tag_stride;
    arguments.tag_bytes = static_cast<uint32_t>(batch.tag_bytes);
    arguments.whole_blocks = needs_whole_blocks(batch.mode);
    arguments.with_padding = batch.mode == CipherMode::kwp_wrap || batch.mode == CipherMode::kwp_unwrap;
    arguments.statuses = at(batch.statuses, 1);
    arguments.output_lengths = at(batch.output_lengths, 1);
    arguments.mode = batch.mode;
  }
};

}  // namespace warpaes::core
