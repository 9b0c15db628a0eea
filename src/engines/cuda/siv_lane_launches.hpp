// SIV as launches of the kernel in which each lane walks a message.
#pragma once

#include "engines/batch.hpp"
#include "engines/cuda/choose_kernel.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/lane_geometry.hpp"
#include "engines/cuda/lane_private_key.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "kernels/lane/siv.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class SivLaunches {
 public:
  static void key_pair(const BatchKey& batch_key, const Batch& batch, void*, Stream stream) {
    const auto& key = static_cast<const LanePrivateKey&>(batch_key.prepared);
    const auto& mac_key = static_cast<const LanePrivateKey&>(*batch_key.second);
    WipedArguments<SivArguments> arguments{};
    arguments.counter.keys = key.schedule.encryption();
    arguments.mac.keys = mac_key.schedule.encryption();
    set_zero_macs(arguments, mac_key.schedule);
    launch<LaneKeys::one>(key.target(), arguments, batch, stream);
  }

  /// @param keys with the MAC's half first
  static void key_each(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
    SivArguments arguments{};
    const int rounds = static_cast<int>(keys.bytes / 8) + 6;
    launch<LaneKeys::each>({device, Gpu::shape(device), rounds}, arguments, batch, stream, &keys);
  }

 private:
  /// @param arguments filled in as far as keys go; the rest is filled in here
  template <LaneKeys Keys>
  static void launch(const kernels::LaunchTarget& target, SivArguments& arguments, const Batch& batch,
                     Stream stream, const KeyArray* keys = nullptr) {
    with_direction(batch.direction, [&](auto way) {
      constexpr kernels::lane::Siv<way(), Keys> kKernel;
      launch_in_lanes<Gpu>(kKernel, target, arguments, batch.messages, stream,
                           [&](uint64_t first, uint64_t count) {
                             describe(arguments, part_of(batch, first, count));
                             if (keys == nullptr) return;
                             set_keys(arguments.mac, keys_from(*keys, first));
                             set_keys(arguments.counter, keys_from(*keys, first));
                           });
    });
  }

  static void describe(SivArguments& arguments, const Batch& batch) {
    arguments.strings = {.first = batch.aad,
                         .bytes = batch.aad_bytes,
                         .stride = batch.aad_stride,
                         .at = batch.aads,
                         .lengths = batch.aad_lengths,
                         .count = static_cast<uint32_t>(batch.aad_strings)};
    MessageBatch& messages = arguments;
    messages = described(batch);
    messages.aad = nullptr;
    messages.aads = nullptr;
    messages.aad_lengths = nullptr;
    messages.aad_bytes = messages.aad_stride = 0;
  }

  /// Sets what S2V begins with for every message: the subkey of CMAC, and CMAC of a block of zeros.
  static void set_zero_macs(SivArguments& arguments, const KeySchedule& schedule) {
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
