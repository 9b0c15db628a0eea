// Batches on bit planes in modes that do not authenticate, as launches.
#pragma once

#include <algorithm>

#include "engines/batch.hpp"
#include "engines/cuda/bitsliced_key.hpp"
#include "engines/cuda/described_batch.hpp"
#include "engines/cuda/wiped_arguments.hpp"
#include "kernels/grid/bitsliced_batches.hpp"
#include "kernels/lane/bitsliced_chains.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core {

/// The longest message, in bytes. Kernels add the number of a block in its message to the length of a run in
/// 32 bits, and each of the two may be 2^30.
constexpr uint64_t kLongestInSlicedBatch = uint64_t{1} << 34;

/// @tparam Gpu what launches, see gpu_engines.hpp
template <class Gpu>
class BitslicedBatchLaunches {
 public:
  static void run(const BatchKey& batch_key, const Batch& batch, void*, Stream stream) {
    const auto& key = static_cast<const BitslicedKey&>(batch_key.prepared);
    for_each_launch(batch, [&](const Batch& part, uint64_t) { launch(key, part, stream); });
  }

 private:
  static void launch(const BitslicedKey& key, const Batch& batch, Stream stream) {
    using enum CipherMode;
    switch (mode_row(batch.mode).cipher_mode(batch.direction)) {
      case ecb_encrypt:
        return parallel<ecb_encrypt>(key, batch, stream);
      case ecb_decrypt:
        return parallel<ecb_decrypt>(key, batch, stream);
      case cbc_decrypt:
        return parallel<cbc_decrypt>(key, batch, stream);
      case cfb_decrypt:
        return parallel<cfb_decrypt>(key, batch, stream);
      case cbc_encrypt:
        return chained<cbc_encrypt>(key, batch, stream);
      case cfb_encrypt:
        return chained<cfb_encrypt>(key, batch, stream);
      case ofb:
        return chained<ofb>(key, batch, stream);
      default:
        return parallel<ctr>(key, batch, stream);
    }
  }

  template <CipherMode Mode>
  static void parallel(const BitslicedKey& key, const Batch& batch, Stream stream) {
    WipedArguments<SlicedBatchArguments> arguments{};
    static_cast<MessageBatch&>(arguments) = described(batch);
    arguments.keys = inverts_cipher(Mode) ? key.decryption : key.encryption;
    arguments.whole_blocks = needs_whole_blocks(Mode);
    arguments.room = static_cast<uint32_t>(std::max<uint64_t>((batch.bytes + 15) / 16, 1));
    const uint64_t blocks = batch.messages * arguments.room;
    const SlicedGeometry geometry(key.shape, key.shape.policy.bitsliced_xts_blocks, blocks);
    arguments.run_blocks =
        static_cast<uint32_t>(std::min<uint64_t>(geometry.run_blocks(blocks), kLongestInSlicedBatch / 16));
    // Whether messages whose addresses are in arrays are decrypted in place is not known here.
    if (unchains(Mode) && (batch.input == batch.output || !is_regular(batch))) {
      arguments.run_blocks = std::max(arguments.run_blocks / arguments.room, 1u) * arguments.room;
    }
    arguments.runs = static_cast<uint32_t>((blocks - 1) / arguments.run_blocks + 1);
    Gpu::run(kernels::grid::BitslicedBatches<Mode>{}, key.target(), arguments, geometry.size(), stream);
  }

  template <CipherMode Mode>
  static void chained(const BitslicedKey& key, const Batch& batch, Stream stream) {
    // A warp that is alone on one of a multiprocessor's four schedulers takes half of what the logic unit can
    // do there, or more.
    const uint64_t warps = 4 * static_cast<uint64_t>(key.shape.multiprocessors);
    WipedArguments<SlicedChainArguments> arguments{};
    static_cast<MessageBatch&>(arguments) = described(batch);
    arguments.keys = key.encryption;
    arguments.whole_blocks = needs_whole_blocks(Mode);
    const uint64_t shares = ((batch.messages - 1) / warps + kWarpLanes) / kWarpLanes;
    arguments.warp_messages = kWarpLanes * static_cast<uint32_t>(std::min<uint64_t>(shares, kSlicedBlocks));
    const uint64_t tasks = (batch.messages - 1) / arguments.warp_messages + 1;
    const SlicedGeometry geometry(key.shape, 1, tasks * kSlicedWarpBlocks);
    Gpu::run(kernels::lane::BitslicedChains<Mode>{}, key.target(), arguments, geometry.size(), stream);
  }
};

}  // namespace warpaes::core
