// SIV as launches of the kernel that walks a message in each lane.
#pragma once

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/wiped.hpp"
#include "kernels/lane/siv.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class SivLaunches {
 public:
  static void key_pair(const BatchKey& batch_key, const Batch& batch, void*, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(batch_key.prepared);
    const auto& mac_key = static_cast<const LanePrivateKey&>(*batch_key.second);
    Wiped<S2vCtrArguments> arguments{};
    arguments.counter.keys = key.schedule.encryption();
    arguments.mac.keys = mac_key.schedule.encryption();
    set_zero_macs(arguments, mac_key.schedule);
    launch<LaneKeys::one>(key.target(), arguments, batch, stream);
  }

  /// @param keys the MAC's half first
  static void key_each(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
    S2vCtrArguments arguments{};
    const int rounds = static_cast<int>(keys.bytes / 8) + 6;
    launch<LaneKeys::each>({device, Gpu::shape(device), rounds}, arguments, batch, stream, &keys);
  }

 private:
  /// @param arguments with what belongs to keys; the rest is filled in
  template <LaneKeys Keys>
  static void launch(const kernels::LaunchTarget& target, S2vCtrArguments& arguments, const Batch& batch,
                     Stream stream, const KeyArray* keys = nullptr) {
    with_direction(batch.direction, [&](auto way) {
      launch_kernel(kernels::lane::Siv<way(), Keys>{}, target, arguments, batch, stream, keys);
    });
  }

  template <class Kernel>
  static void launch_kernel(Kernel kernel, const kernels::LaunchTarget& target, S2vCtrArguments& arguments,
                            const Batch& batch, Stream stream, const KeyArray* keys) {
    const uint32_t threads = kernel.policy(target.shape.policy, target.rounds).threads;
    arguments.nonce_bytes = static_cast<uint32_t>(batch.nonce_bytes);
    for (uint64_t done = 0; done < batch.messages; done += kMostLaunchMessages) {
      const Batch part = part_of(batch, done, std::min(batch.messages - done, kMostLaunchMessages));
      const LaneGeometry geometry(target.shape, threads, part.messages);
      static_cast<MessageBatch&>(arguments) = described(part);
      arguments.warps = geometry.warps;
      if (keys != nullptr) {
        set_keys(arguments.mac, keys_from(*keys, done));
        set_keys(arguments.counter, keys_from(*keys, done));
      }
      Gpu::run(kernel, target, arguments, {geometry.blocks}, stream);
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

}  // namespace warpaes::core
