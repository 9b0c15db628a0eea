// SIV as launches of the kernel that walks a message in each lane.
#pragma once

#include <algorithm>

#include "engines/batch_message.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/wiped.hpp"
#include "kernels/batch_policy.hpp"

namespace warpaes {

/// @tparam Gpu how to launch: see CudaGpu in cuda_engine.cpp. Its functions throw Failure.
template <class Gpu>
class S2vCtrLaunches {
 public:
  static void one_pair(const EngineKey& engine_key, const AeadBatch& batch, void*, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(engine_key);
    const auto& mac_key = static_cast<const LanePrivateKey&>(*batch.mac_key);
    Wiped<S2vCtrArguments> arguments{};
    arguments.counter.keys = key.schedule.encryption();
    arguments.mac.keys = mac_key.schedule.encryption();
    set_zero_macs(arguments, mac_key.schedule);
    launch({key.device, key.shape, LaneKeys::one, key.schedule.rounds()}, arguments, batch, stream);
  }

  /// @param keys the MAC's half first
  static void key_each(int device, const KeyArray& keys, const AeadBatch& batch, Stream stream) {
    S2vCtrArguments arguments{};
    arguments.mac.each = keys.keys;
    arguments.counter.each = keys.keys + keys.bytes / 2;
    arguments.mac.each_stride = arguments.counter.each_stride = keys.stride;
    const int rounds = static_cast<int>(keys.bytes / 8) + 6;
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
  static void launch(const Where& where, S2vCtrArguments& arguments, const AeadBatch& batch, Stream stream) {
    const int threads = static_cast<int>(message_lanes_policy(where.shape.policy, where.keys).threads);
    arguments.nonce_bytes = static_cast<uint32_t>(batch.nonce_bytes);
    for (uint64_t done = 0; done < batch.messages; done += kMostLaunchMessages) {
      const AeadBatch part = messages_of(batch, done, std::min(batch.messages - done, kMostLaunchMessages));
      const LaneGeometry geometry(where.shape, threads, part.messages);
      static_cast<MessageBatch&>(arguments) = described(part);
      arguments.warps = geometry.warps;
      Gpu::s2v_ctr(where.device, where.shape, arguments, where.keys, part.direction, where.rounds,
                   geometry.blocks, stream);
      if (where.keys == LaneKeys::one) continue;
      arguments.mac.each += part.messages * arguments.mac.each_stride;
      arguments.counter.each += part.messages * arguments.counter.each_stride;
    }
  }

  /// What every message begins with: CMAC's subkey, and its MAC of a block of zeros.
  static void set_zero_macs(S2vCtrArguments& arguments, const KeySchedule& schedule) {
    MacBlock block{};
    const auto encrypt = [&] {
      careful_block(schedule.encryption(), schedule.rounds(), block.data(), block.data());
    };
    encrypt();
    block = mac_doubled(block);
    arguments.subkey = load_bytes(block.data(), 16);
    encrypt();
    arguments.mac_of_zero = load_bytes(block.data(), 16);
    OPENSSL_cleanse(block.data(), block.size());
  }
};

}  // namespace warpaes
