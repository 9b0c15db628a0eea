// Batches of messages that a lane each walks: of modes that do not authenticate, of CMAC, and of wrapped
// keys. Turns a mode's call into launches.
#pragma once

#include <algorithm>

#include "engines/batch_message.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/wiped.hpp"
#include "kernels/batch_policy.hpp"

namespace warpaes {

/// @param Gpu how to launch, see CudaGpu in cuda_engine.cpp
template <class Gpu>
class MessageLaneLaunches {
 public:
  static void one_key(const EngineKey& engine_key, const CipherBatch& batch, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    Wiped<LaneArguments> arguments{};
    arguments.keys = inverts_cipher(batch.mode) ? key.schedule.decryption() : key.schedule.encryption();
    if (batch.mode == CipherMode::cmac) set_masks(arguments, key.schedule);
    launch({key.device, key.shape, LaneKeys::one, key.schedule.rounds()}, arguments, batch, stream);
  }

  static void xts(const XtsKeys& keys, const CipherBatch& batch, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(keys.data);
    Wiped<LaneArguments> arguments{};
    arguments.keys = inverts_cipher(batch.mode) ? key.schedule.decryption() : key.schedule.encryption();
    arguments.tweak_keys = static_cast<const LanePrivateKey&>(keys.tweak).schedule.encryption();
    launch({key.device, key.shape, LaneKeys::one, key.schedule.rounds()}, arguments, batch, stream);
  }

  static void key_each(int device, const KeyArray& keys, const CipherBatch& batch, Stream stream) {
    LaneArguments arguments{};
    arguments.each = keys.keys;
    arguments.each_stride = keys.stride;
    const size_t key_bytes = is_xts(batch.mode) ? keys.bytes / 2 : keys.bytes;
    const int rounds = static_cast<int>(key_bytes / 4) + 6;
    launch({device, Gpu::shape(device), LaneKeys::each, rounds}, arguments, batch, stream);
  }

 private:
  struct Where {
    int device;
    const kernels::DeviceShape& shape;
    LaneKeys keys;
    int rounds;
  };

  /// @param arguments with what belongs to keys; the rest is filled in
  static void launch(const Where& where, LaneArguments& arguments, const CipherBatch& batch, Stream stream) {
    const uint8_t* const first_key = arguments.each;
    const int threads =
        static_cast<int>(message_lanes_policy(where.shape.policy, where.keys, batch.mode).threads);
    for (uint64_t done = 0; done < batch.messages; done += kMostLaunchMessages) {
      const uint64_t messages = std::min(batch.messages - done, kMostLaunchMessages);
      const LaneGeometry geometry(where.shape, threads, messages);
      describe(arguments, batch, done);
      if (first_key != nullptr) arguments.each = first_key + done * arguments.each_stride;
      arguments.messages = static_cast<uint32_t>(messages);
      arguments.warps = geometry.warps;
      Gpu::message_lanes(where.device, where.shape, arguments, batch.mode, where.keys, where.rounds,
                         geometry.blocks, stream);
    }
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

}  // namespace warpaes
