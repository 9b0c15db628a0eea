// CCM and EAX as launches of the kernel that walks a message in each lane.
#pragma once

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/key_each_launches.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/wiped.hpp"
#include "kernels/lane/ccm_eax.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class CcmEaxLaunches {
 public:
  template <ChainedAead Mode>
  static void run(const BatchKey& batch_key, const Batch& batch, void*, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(batch_key.prepared);
    Wiped<ChainedAeadArguments> arguments{};
    arguments.keys = key.schedule.encryption();
    if constexpr (Mode == ChainedAead::eax) set_masks(arguments, key.schedule);
    set_nonce(arguments, Mode, key.schedule, batch);
    launch<Mode, LaneKeys::one>(key.target(), arguments, batch, stream);
  }

  template <ChainedAead Mode>
  static void key_each(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
    ChainedAeadArguments arguments{};
    arguments.nonce_bytes = static_cast<uint32_t>(batch.nonce_bytes);
    launch<Mode, LaneKeys::each>({device, Gpu::shape(device), rounds_of(keys)}, arguments, batch, stream,
                                 &keys);
  }

 private:
  /// @param arguments with what belongs to keys and nonces; the rest is filled in
  template <ChainedAead Mode, LaneKeys Keys>
  static void launch(const kernels::LaunchTarget& target, ChainedAeadArguments& arguments, const Batch& batch,
                     Stream stream, const KeyArray* keys = nullptr) {
    with_direction(batch.direction, [&](auto way) {
      launch_kernel(kernels::lane::CcmEax<Mode, way(), Keys>{}, target, arguments, batch, stream, keys);
    });
  }

  template <class Kernel>
  static void launch_kernel(Kernel kernel, const kernels::LaunchTarget& target,
                            ChainedAeadArguments& arguments, const Batch& batch, Stream stream,
                            const KeyArray* keys) {
    const uint32_t threads = kernel.policy(target.shape.policy, target.rounds).threads;
    for (uint64_t done = 0; done < batch.messages; done += kMostLaunchMessages) {
      const Batch part = part_of(batch, done, std::min(batch.messages - done, kMostLaunchMessages));
      const LaneGeometry geometry(target.shape, threads, part.messages);
      static_cast<MessageBatch&>(arguments) = described(part);
      if (keys != nullptr) set_keys(arguments, keys_from(*keys, done));
      arguments.warps = geometry.warps;
      Gpu::run(kernel, target, arguments, {geometry.blocks}, stream);
    }
  }

  static void set_nonce(ChainedAeadArguments& arguments, ChainedAead mode, const KeySchedule& schedule,
                        const Batch& batch) {
    const bool single = batch.host_nonce != nullptr;
    const size_t bytes = nonce_bytes_of(batch);
    arguments.nonce_bytes = static_cast<uint32_t>(bytes);
    if (!single) return;
    arguments.only_nonce = mode == ChainedAead::ccm
                               ? load_bytes(batch.host_nonce, static_cast<uint32_t>(bytes))
                               : omac_of_nonce(arguments, schedule, batch.host_nonce, bytes);
  }

  /// OMAC^0 of EAX' figure 4: CMAC of a block of zeros, and of the nonce behind it.
  static Columns omac_of_nonce(const ChainedAeadArguments& arguments, const KeySchedule& schedule,
                               const uint8_t* nonce, size_t bytes) {
    Columns link{0, 0, 0, 0};
    for (size_t at = 0; at < bytes; at += 16) {
      const size_t part = std::min<size_t>(bytes - at, 16);
      link = encrypted(schedule, link) ^ load_bytes(nonce + at, static_cast<uint32_t>(part));
    }
    if (bytes % 16 == 0) return encrypted(schedule, link ^ arguments.whole_mask);
    uint8_t padding[16] = {};
    padding[bytes % 16] = 0x80;
    return encrypted(schedule, link ^ arguments.padded_mask ^ load_bytes(padding, 16));
  }

  static Columns encrypted(const KeySchedule& schedule, Columns block) {
    uint8_t bytes[16];
    store_bytes(bytes, block, sizeof bytes);
    careful_block(schedule.encryption(), schedule.rounds(), bytes, bytes);
    return load_bytes(bytes, sizeof bytes);
  }
};

}  // namespace warpaes::core
