#include "engines/cuda/cuda_engine.hpp"

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <string>

#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "engines/cuda/bitsliced_engine.hpp"
#include "engines/cuda/chained_aead_launches.hpp"
#include "engines/cuda/lane_private_engine.hpp"
#include "engines/cuda/lane_private_runs.hpp"
#include "engines/cuda/message_lane_launches.hpp"
#include "engines/cuda/ocb_launches.hpp"
#include "engines/cuda/s2v_ctr_launches.hpp"
#include "engines/cuda/siv_launches.hpp"

namespace warpaes {
namespace {

/// Launches on the key's device, and makes a failed launch a Failure that names the kernel.
struct CudaGpu {
  static kernels::DeviceShape shape(int device) {
    static std::mutex mutex;
    static std::map<int, kernels::DeviceShape> shapes;
    const std::lock_guard lock(mutex);
    const auto known = shapes.find(device);
    if (known != shapes.end()) return known->second;
    enter_cuda();
    const DeviceScope scope(device);
    kernels::DeviceShape shape{};
    check(static_cast<cudaError_t>(kernels::prepare_device(shape)), "setting up the kernels");
    return shapes.emplace(device, shape).first->second;
  }

  static void codebook(const LanePrivateKey& key, const CodebookArguments& arguments, Direction direction,
                       uint32_t blocks, Stream stream) {
    launch(key, stream, "ECB kernel", [&] {
      return kernels::launch_codebook(arguments, direction, key.schedule.rounds(), blocks, key.shape.policy,
                                      stream);
    });
  }

  static void bitsliced_codebook(const BitslicedKey& key, const SlicedCodebookArguments& arguments,
                                 Direction direction, uint32_t blocks, uint32_t threads, Stream stream) {
    launch(key, stream, "bitsliced ECB kernel", [&] {
      return kernels::launch_bitsliced_codebook(arguments, direction, key.rounds, blocks, threads, stream);
    });
  }

  static void message_lanes(int device, const kernels::DeviceShape& shape, const LaneArguments& arguments,
                            CipherMode mode, LaneKeys keys, int rounds, uint32_t blocks, Stream stream) {
    launch_on(device, stream, "kernel for batches of messages", [&] {
      return kernels::launch_message_lanes(arguments, mode, keys, rounds, blocks, shape.policy, stream);
    });
  }

  static void counter(const CounterKey& key, kernels::CounterKernel kernel,
                      const SlicedCounterArguments& arguments, uint32_t blocks, Stream stream) {
    launch(key, stream, "CTR kernel", [&] {
      return kernels::launch_counter(arguments, kernel, key.rounds, blocks, key.shape.policy, stream);
    });
  }

  static void gcm(const CounterKey& key, kernels::CounterKernel kernel, const SlicedGcmArguments& arguments,
                  Direction direction, uint32_t blocks, Stream stream) {
    launch(key, stream, "GCM kernel", [&] {
      return kernels::launch_gcm(arguments, kernel, direction, key.rounds, blocks, key.shape.policy, stream);
    });
  }

  template <class Key>
  static void save(const Key& key, const SaveArguments& arguments, Stream stream) {
    launch(key, stream, "saving what in-place decryption overwrites",
           [&] { return kernels::launch_save(arguments, key.shape.policy, stream); });
  }

  static void unchain(const LanePrivateKey& key, const UnchainArguments& arguments, Unchaining mode,
                      uint32_t blocks, Stream stream) {
    launch(key, stream, mode == Unchaining::cbc ? "CBC kernel" : "CFB kernel", [&] {
      return kernels::launch_unchain(arguments, mode, key.schedule.rounds(), blocks, key.shape.policy,
                                     stream);
    });
  }

  static void bitsliced_unchain(const BitslicedKey& key, const SlicedUnchainArguments& arguments,
                                Unchaining mode, uint32_t blocks, uint32_t threads, Stream stream) {
    launch(key, stream, mode == Unchaining::cbc ? "bitsliced CBC kernel" : "bitsliced CFB kernel", [&] {
      return kernels::launch_bitsliced_unchain(arguments, mode, key.rounds, blocks, threads, stream);
    });
  }

  static void bitsliced_xts(const BitslicedKey& key, const SlicedXtsArguments& arguments, bool stealing,
                            Direction direction, uint32_t blocks, uint32_t threads, Stream stream) {
    launch(key, stream, "bitsliced XTS kernel", [&] {
      return kernels::launch_bitsliced_xts(arguments, stealing, direction, key.rounds, blocks, threads,
                                           stream);
    });
  }

  static void xts(const LanePrivateKey& key, const XtsArguments& arguments, Direction direction,
                  uint32_t blocks, Stream stream) {
    launch(key, stream, "XTS kernel", [&] {
      return kernels::launch_xts(arguments, direction, key.schedule.rounds(), blocks, key.shape.policy,
                                 stream);
    });
  }

  template <class Batch>
  static void batch(int device, const kernels::DeviceShape& shape, const Batch& batch, Direction direction,
                    int rounds, uint32_t blocks, Stream stream) {
    launch_on(device, stream, "GCM kernel for batches",
              [&] { return kernels::launch_batch(batch, direction, rounds, blocks, shape.policy, stream); });
  }

  static void chained_aead(int device, const kernels::DeviceShape& shape,
                           const ChainedAeadArguments& arguments, ChainedAead mode, LaneKeys keys,
                           Direction direction, int rounds, uint32_t blocks, Stream stream) {
    launch_on(device, stream, mode == ChainedAead::ccm ? "CCM kernel" : "EAX kernel", [&] {
      return kernels::launch_chained_aead(arguments, mode, keys, direction, rounds, blocks, shape.policy,
                                          stream);
    });
  }

  static void s2v_ctr(int device, const kernels::DeviceShape& shape, const S2vCtrArguments& arguments,
                      LaneKeys keys, Direction direction, int rounds, uint32_t blocks, Stream stream) {
    launch_on(device, stream, "SIV kernel", [&] {
      return kernels::launch_s2v_ctr(arguments, keys, direction, rounds, blocks, shape.policy, stream);
    });
  }

  static void siv_batch(const LanePrivateKey& key, const SivBatch& batch, Direction direction,
                        uint32_t blocks, Stream stream) {
    launch(key, stream, "GCM-SIV kernel for batches", [&] {
      return kernels::launch_siv_batch(batch, direction, key.schedule.rounds(), blocks, key.shape.policy,
                                       stream);
    });
  }

  static void siv_key_each(int device, const kernels::DeviceShape& shape, const KeyEachBatch& batch,
                           Direction direction, int rounds, uint32_t blocks, Stream stream) {
    launch_on(device, stream, "GCM-SIV kernel for batches with a key each", [&] {
      return kernels::launch_siv_key_each(batch, direction, rounds, blocks, shape.policy, stream);
    });
  }

  static void siv_long(const LanePrivateKey& key, const SivLongArguments& arguments, SivWork work,
                       uint32_t blocks, Stream stream) {
    launch(key, stream, "GCM-SIV kernel", [&] {
      return kernels::launch_siv_long(arguments, work, key.schedule.rounds(), blocks, key.shape.policy,
                                      stream);
    });
  }

  static void ocb_batch(const LanePrivateKey& key, const OcbBatch& batch, Direction direction,
                        uint32_t blocks, Stream stream) {
    launch(key, stream, "OCB3 kernel for batches", [&] {
      return kernels::launch_ocb_batch(batch, direction, key.schedule.rounds(), blocks, key.shape.policy,
                                       stream);
    });
  }

  static void ocb_key_each(int device, const kernels::DeviceShape& shape, const OcbKeyEachBatch& batch,
                           Direction direction, int rounds, uint32_t blocks, Stream stream) {
    launch_on(device, stream, "OCB3 kernel for batches with a key each", [&] {
      return kernels::launch_ocb_key_each(batch, direction, rounds, blocks, shape.policy, stream);
    });
  }

  static void ocb_long(const LanePrivateKey& key, const OcbLongArguments& arguments, Direction direction,
                       uint32_t blocks, Stream stream) {
    launch(key, stream, "OCB3 kernel", [&] {
      return kernels::launch_ocb_long(arguments, direction, key.schedule.rounds(), blocks, key.shape.policy,
                                      stream);
    });
  }

  static void small(const LanePrivateKey& key, const SmallMessages& batch, SmallWork work, uint32_t blocks,
                    Stream stream) {
    launch(key, stream, "kernel for small messages", [&] {
      return kernels::launch_small(batch, work, key.schedule.rounds(), blocks,
                                   small_threads(key.shape.policy), stream);
    });
  }

  static void small_end(const LanePrivateKey& key, const SmallMessagesEnd& batch, SmallWork work,
                        Stream stream) {
    launch(key, stream, "kernel for small messages' tags",
           [&] { return kernels::launch_small_end(batch, work, small_threads(key.shape.policy), stream); });
  }

  template <class Key>
  static void wipe_failed(const Key& key, const WipeArguments& arguments, Stream stream) {
    launch(key, stream, "wiping kernel", [&] {
      return kernels::launch_wipe(arguments, static_cast<uint32_t>(key.shape.multiprocessors),
                                  key.shape.policy, stream);
    });
  }

  template <class Key>
  static void zero(const Key& key, void* memory, size_t bytes, Stream stream) {
    launch(key, stream, "clearing the workspace", [&] { return cudaMemsetAsync(memory, 0, bytes, stream); });
  }

 private:
  template <class Key, class Call>
  static void launch(const Key& key, Stream stream, const char* what, const Call& call) {
    launch_on(key.device, stream, what, call);
  }

  template <class Call>
  static void launch_on(int device, Stream stream, const char* what, const Call& call) {
    enter_cuda();
    const DeviceScope scope(device);
    require_stream_of(device, stream);
    check(static_cast<cudaError_t>(call()), what);
  }
};

Availability available(int device) {
  try {
    std::string reason;
    const int count = device_count(&reason);
    if (count == 0) return {false, reason};
    require_device(device);
    CudaGpu::shape(device);
    return {true, ""};
  } catch (const Failure& failure) {
    if (failure.is_passing()) throw;
    return {false, failure.what()};
  }
}

using Implementation = LanePrivateEngine<CudaGpu>;
using Runs = LanePrivateRuns<CudaGpu>;
using Sivs = SivLaunches<CudaGpu>;
using MessageLanes = MessageLaneLaunches<CudaGpu>;
using Ocbs = OcbLaunches<CudaGpu>;
using ChainedAeads = ChainedAeadLaunches<CudaGpu>;
using S2vCtrs = S2vCtrLaunches<CudaGpu>;
using Bitsliced = BitslicedEngine<CudaGpu>;

}  // namespace

const Engine cuda_lane_private_tables{
    .name = "cuda",
    .kernel = "lane_private_tables",
    .description =
        "NVIDIA GPU: T-tables in shared memory, one copy a lane; GHASH on the carry-less multiplier",
    .timing = WARPAES_TIMING_CONFLICT_FREE,
    .memory = Memory::device,
    .available = available,
    .prepare = Implementation::prepare,
    .encrypt_blocks = Implementation::blocks<WARPAES_ENCRYPT>,
    .decrypt_blocks = Implementation::blocks<WARPAES_DECRYPT>,
    .counter = Implementation::counter,
    .gcm_workspace_bytes = Implementation::gcm_workspace_bytes,
    .gcm = Implementation::gcm,
    .cipher_batch = MessageLanes::one_key,
    .cipher_key_each = MessageLanes::key_each,
    .gcm_key_each = Implementation::gcm_key_each,
    .gcm_siv = {Sivs::run, Sivs::workspace_bytes, kLongestRagged, Sivs::key_each},
    .ccm = {.run = ChainedAeads::run<ChainedAead::ccm>, .key_each = ChainedAeads::key_each<ChainedAead::ccm>},
    .eax = {.run = ChainedAeads::run<ChainedAead::eax>, .key_each = ChainedAeads::key_each<ChainedAead::eax>},
    .ocb3 = {Ocbs::run, Ocbs::workspace_bytes, kOcbLongest, Ocbs::key_each},
    .siv = {.run = S2vCtrs::one_pair, .key_each = S2vCtrs::key_each},
    .cbc_decrypt = Runs::unchain<Unchaining::cbc>,
    .cfb_decrypt = Runs::unchain<Unchaining::cfb>,
    .unchain_workspace_bytes = Runs::unchain_workspace_bytes,
    .xts = Runs::xts,
    .xts_batch = MessageLanes::xts,
};

const Engine cuda_bitsliced{
    .name = "cuda",
    .kernel = "bitsliced",
    .description = "NVIDIA GPU: bit planes and logic instructions, no tables and no secret addresses",
    .timing = WARPAES_TIMING_STRICT,
    .memory = Memory::device,
    .available = available,
    .prepare = Bitsliced::prepare,
    .encrypt_blocks = Bitsliced::blocks<WARPAES_ENCRYPT>,
    .decrypt_blocks = Bitsliced::blocks<WARPAES_DECRYPT>,
    .counter = Bitsliced::counter,
    .gcm_workspace_bytes = Bitsliced::gcm_workspace_bytes,
    .gcm = Bitsliced::gcm,
    .cbc_decrypt = Bitsliced::unchain<Unchaining::cbc>,
    .cfb_decrypt = Bitsliced::unchain<Unchaining::cfb>,
    .unchain_workspace_bytes = Bitsliced::unchain_workspace_bytes,
    .xts = Bitsliced::xts,
};

}  // namespace warpaes
