// CCM and EAX as launches of the kernel in which each lane walks a message.
#pragma once

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/key_each_launches.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "kernels/lane/ccm_eax.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class CcmEaxLaunches {
 public:
  template <CcmOrEax Mode>
  static void run(const BatchKey& batch_key, const Batch& batch, void*, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(batch_key.prepared);
    WipedArguments<CcmEaxArguments> arguments{};
    arguments.keys = key.schedule.encryption();
    if constexpr (Mode == CcmOrEax::eax) set_masks(arguments, key.schedule);
    set_nonce(arguments, Mode, key.schedule, batch);
    launch<Mode, LaneKeys::one>(key.target(), arguments, batch, stream);
  }

  template <CcmOrEax Mode>
  static void key_each(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
    CcmEaxArguments arguments{};
    launch<Mode, LaneKeys::each>({device, Gpu::shape(device), rounds_of(keys)}, arguments, batch, stream,
                                 &keys);
  }

 private:
  /// @param arguments filled in as far as keys and nonces go; the rest is filled in here
  template <CcmOrEax Mode, LaneKeys Keys>
  static void launch(const kernels::LaunchTarget& target, CcmEaxArguments& arguments, const Batch& batch,
                     Stream stream, const KeyArray* keys = nullptr) {
    with_direction(batch.direction, [&](auto way) {
      constexpr kernels::lane::CcmEax<Mode, way(), Keys> kKernel;
      launch_in_lanes<Gpu>(kKernel, target, arguments, batch.messages, stream,
                           [&](uint64_t first, uint64_t count) {
                             static_cast<MessageBatch&>(arguments) = described(part_of(batch, first, count));
                             if (keys != nullptr) set_keys(arguments, keys_from(*keys, first));
                           });
    });
  }

  static void set_nonce(CcmEaxArguments& arguments, CcmOrEax mode, const KeySchedule& schedule,
                        const Batch& batch) {
    if (batch.host_nonce == nullptr) return;
    const size_t bytes = batch.host_nonce_bytes;
    arguments.only_nonce = mode == CcmOrEax::ccm
                               ? load_bytes(batch.host_nonce, static_cast<uint32_t>(bytes))
                               : omac_of_nonce(arguments, schedule, batch.host_nonce, bytes);
  }

  /// OMAC^0 of figure 4 of the EAX paper: CMAC of a block of zeros with the nonce behind it.
  static Columns omac_of_nonce(const CcmEaxArguments& arguments, const KeySchedule& schedule,
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
