// How the engines' launches are made on the emulated GPU: each runs its kernel's body to its end.
#pragma once

#include <cstring>

#include "emulated_gpu/emulated_grid.hpp"
#include "emulated_message_lanes.hpp"
#include "engines/cuda/bitsliced_engine.hpp"
#include "engines/cuda/lane_private_engine.hpp"
#include "kernels/kernels.hpp"

namespace warpaes {

using emulated::EmulatedThread;

/// Calls with the key size as a constant, as kernels have it.
template <class Call>
void with_rounds(int rounds, const Call& call) {
  if (rounds == 10) call(std::integral_constant<int, 10>{});
  if (rounds == 12) call(std::integral_constant<int, 12>{});
  if (rounds == 14) call(std::integral_constant<int, 14>{});
}

/// Launches by running the body to its end. A small machine, so that a test's messages are shared by
/// warps and blocks as large ones are on a GPU.
template <int Tables>
struct EmulatedGpu {
  static constexpr uint32_t kThreads = 64;
  /// With four tables, two warps look up tables and one computes on bit planes beside them.
  static constexpr LaunchPolicy policy() {
    LaunchPolicy made{Tables, kThreads, kThreads, Tables == 4 ? 4 : 1, kThreads, 1};
    if (Tables == 4) made.ctr_beside = made.gcm_beside = {96, 2, 400, 6};
    return made;
  }
  static constexpr LaunchPolicy kPolicy = policy();

  static kernels::DeviceShape shape(int) { return {0, 3, kPolicy}; }

  static void codebook(const LanePrivateKey& key, const CodebookArguments& arguments, Direction direction,
                       uint32_t blocks, Stream) {
    with_rounds(key.schedule.rounds(), [&](auto rounds) {
      emulated::run(grid(blocks), [&](EmulatedThread& thread) {
        if (direction == WARPAES_ENCRYPT) {
          electronic_codebook<Tables, rounds(), WARPAES_ENCRYPT>(thread, arguments, kT0.data());
        } else {
          electronic_codebook<Tables, rounds(), WARPAES_DECRYPT>(thread, arguments, kInverseT0.data());
        }
      });
    });
  }

  static void bitsliced_codebook(const BitslicedKey& key, const SlicedCodebookArguments& arguments,
                                 Direction direction, uint32_t blocks, uint32_t threads, Stream) {
    with_rounds(key.rounds, [&](auto rounds) {
      emulated::run({blocks, threads, 0}, [&](EmulatedThread& thread) {
        if (direction == WARPAES_ENCRYPT) {
          warpaes::bitsliced_codebook<rounds(), WARPAES_ENCRYPT>(thread, arguments);
        } else {
          warpaes::bitsliced_codebook<rounds(), WARPAES_DECRYPT>(thread, arguments);
        }
      });
    });
  }

  static void message_lanes(int, const kernels::DeviceShape&, const LaneArguments& arguments, CipherMode mode,
                            LaneKeys keys, int rounds, uint32_t blocks, Stream) {
    with_rounds(rounds, [&](auto constant_rounds) {
      const MessageLanesBody body = message_lanes_body<kPolicy, constant_rounds()>(mode, keys);
      const BatchPolicy shape = message_lanes_policy(kPolicy, keys, mode);
      emulated::run({blocks, shape.threads, shape.shared_bytes},
                    [&](EmulatedThread& thread) { body(thread, arguments, kT0.data(), kInverseT0.data()); });
    });
  }

  static void counter(const CounterKey& key, kernels::CounterKernel kernel,
                      const SlicedCounterArguments& arguments, uint32_t blocks, Stream) {
    counter_kernel<Hashed::nothing>(key, kernel, arguments, blocks);
  }

  static void gcm(const CounterKey& key, kernels::CounterKernel kernel, const SlicedGcmArguments& arguments,
                  Direction direction, uint32_t blocks, Stream) {
    if (direction == WARPAES_ENCRYPT) {
      counter_kernel<Hashed::output>(key, kernel, arguments, blocks);
    } else {
      counter_kernel<Hashed::input>(key, kernel, arguments, blocks);
    }
  }

  template <Hashed Hash, class Arguments>
  static void counter_kernel(const CounterKey& key, kernels::CounterKernel kernel, const Arguments& arguments,
                             uint32_t blocks) {
    const kernels::CounterWarps warps = kernels::counter_warps(kPolicy, kernel, Hash != Hashed::nothing);
    const emulated::Grid grid{
        blocks, static_cast<uint32_t>(warps.tables + warps.sliced) * kWarpLanes,
        shared_bytes(kPolicy) + static_cast<uint32_t>(warps.sliced * sizeof(SlicedScratch))};
    with_rounds(key.rounds, [&](auto rounds) {
      emulated::run(grid, [&](EmulatedThread& thread) {
        switch (kernel) {
          case kernels::CounterKernel::tables:
            return counter_mode<Tables, rounds(), Hash>(thread, arguments, kT0.data());
          case kernels::CounterKernel::both:
            return counter_both_ways<Tables, rounds(), Hash>(thread, arguments, kT0.data(), warps.tables);
          case kernels::CounterKernel::bitsliced:
            return bitsliced_counter<rounds(), Hash>(thread, arguments);
        }
      });
    });
  }

  template <class Key>
  static void save(const Key&, const SaveArguments& arguments, Stream) {
    emulated::run({2, kThreads, 0},
                  [&](EmulatedThread& thread) { save_blocks_before_runs(thread, arguments); });
  }

  static void unchain(const LanePrivateKey& key, const UnchainArguments& arguments, Unchaining mode,
                      uint32_t blocks, Stream) {
    with_rounds(key.schedule.rounds(), [&](auto rounds) {
      emulated::run(grid(blocks), [&](EmulatedThread& thread) {
        if (mode == Unchaining::cbc) {
          unchained_modes<Tables, rounds(), Unchaining::cbc, held_blocks(Unchaining::cbc)>(thread, arguments,
                                                                                           kInverseT0.data());
        } else {
          unchained_modes<Tables, rounds(), Unchaining::cfb, held_blocks(Unchaining::cfb)>(thread, arguments,
                                                                                           kT0.data());
        }
      });
    });
  }

  static void bitsliced_unchain(const BitslicedKey& key, const SlicedUnchainArguments& arguments,
                                Unchaining mode, uint32_t blocks, uint32_t threads, Stream) {
    with_rounds(key.rounds, [&](auto rounds) {
      emulated::run({blocks, threads, 0}, [&](EmulatedThread& thread) {
        if (mode == Unchaining::cbc) {
          bitsliced_unchained<rounds(), Unchaining::cbc>(thread, arguments);
        } else {
          bitsliced_unchained<rounds(), Unchaining::cfb>(thread, arguments);
        }
      });
    });
  }

  static void bitsliced_xts(const BitslicedKey& key, const SlicedXtsArguments& arguments, bool stealing,
                            Direction direction, uint32_t blocks, uint32_t threads, Stream) {
    const emulated::Grid grid{blocks, threads,
                              threads / kWarpLanes * static_cast<uint32_t>(sizeof(SlicedXtsScratch))};
    with_rounds(key.rounds, [&](auto rounds) {
      emulated::run(grid, [&](EmulatedThread& thread) {
        static constexpr void (*bodies[2][2])(EmulatedThread&, const SlicedXtsArguments&) = {
            {warpaes::bitsliced_xts<rounds(), WARPAES_ENCRYPT>,
             warpaes::bitsliced_xts<rounds(), WARPAES_DECRYPT>},
            {bitsliced_xts_stealing<rounds(), WARPAES_ENCRYPT>,
             bitsliced_xts_stealing<rounds(), WARPAES_DECRYPT>}};
        bodies[stealing][direction == WARPAES_DECRYPT](thread, arguments);
      });
    });
  }

  static void xts(const LanePrivateKey& key, const XtsArguments& arguments, Direction direction,
                  uint32_t blocks, Stream) {
    constexpr int beside = kPolicy.tables_beside_one;
    const emulated::Grid decrypting{blocks, kThreads, shared_bytes_beside_one(kPolicy)};
    with_rounds(key.schedule.rounds(), [&](auto rounds) {
      emulated::run(direction == WARPAES_ENCRYPT ? grid(blocks) : decrypting, [&](EmulatedThread& thread) {
        if (direction == WARPAES_ENCRYPT) {
          xts_mode<Tables, rounds(), WARPAES_ENCRYPT>(thread, arguments, kT0.data(), kInverseT0.data());
        } else {
          xts_mode<beside, rounds(), WARPAES_DECRYPT>(thread, arguments, kT0.data(), kInverseT0.data());
        }
      });
    });
  }

  template <class Batch>
  static void batch(int, const kernels::DeviceShape&, const Batch& batch, Direction direction, int rounds,
                    uint32_t blocks, Stream) {
    constexpr BatchPolicy kShape =
        std::is_same_v<Batch, OneKeyBatch> ? one_key_policy(kPolicy) : key_each_policy(kPolicy);
    with_rounds(rounds, [&](auto constant) {
      emulated::run({blocks, kShape.threads, kShape.shared_bytes}, [&](EmulatedThread& thread) {
        if (direction == WARPAES_ENCRYPT) {
          message_batch<kShape.tables, constant(), Ciphertext::output>(thread, batch, kT0.data());
        } else {
          message_batch<kShape.tables, constant(), Ciphertext::input>(thread, batch, kT0.data());
        }
      });
    });
  }

  static void chained_aead(int, const kernels::DeviceShape&, const ChainedAeadArguments& arguments,
                           ChainedAead mode, LaneKeys keys, Direction direction, int rounds, uint32_t blocks,
                           Stream) {
    const BatchPolicy shape = chained_aead_policy(kPolicy, mode, keys, rounds);
    with_rounds(rounds, [&](auto constant) {
      const auto body = keys == LaneKeys::one ? chained_body<constant(), LaneKeys::one>(mode, direction)
                                              : chained_body<constant(), LaneKeys::each>(mode, direction);
      emulated::run({blocks, shape.threads, shape.shared_bytes},
                    [&](EmulatedThread& thread) { body(thread, arguments, kT0.data()); });
    });
  }

  static void s2v_ctr(int, const kernels::DeviceShape&, const S2vCtrArguments& arguments, LaneKeys keys,
                      Direction direction, int rounds, uint32_t blocks, Stream) {
    const bool decrypts = direction == WARPAES_DECRYPT;
    const uint32_t threads = message_lanes_policy(kPolicy, keys).threads;
    with_rounds(rounds, [&](auto constant) {
      emulated::run({blocks, threads, shared_bytes(kPolicy)}, [&](EmulatedThread& thread) {
        static constexpr void (*bodies[2][2])(EmulatedThread&, const S2vCtrArguments&, const uint32_t*) = {
            {warpaes::s2v_ctr<Tables, constant(), LaneKeys::one, Ciphertext::output>,
             warpaes::s2v_ctr<Tables, constant(), LaneKeys::one, Ciphertext::input>},
            {warpaes::s2v_ctr<Tables, constant(), LaneKeys::each, Ciphertext::output>,
             warpaes::s2v_ctr<Tables, constant(), LaneKeys::each, Ciphertext::input>}};
        bodies[keys == LaneKeys::each][decrypts](thread, arguments, kT0.data());
      });
    });
  }

  static void siv_batch(const LanePrivateKey& key, const SivBatch& batch, Direction direction,
                        uint32_t blocks, Stream) {
    siv_teams(batch, direction, key.schedule.rounds(), blocks);
  }

  static void siv_key_each(int, const kernels::DeviceShape&, const KeyEachBatch& batch, Direction direction,
                           int rounds, uint32_t blocks, Stream) {
    siv_teams(batch, direction, rounds, blocks);
  }

  static void siv_long(const LanePrivateKey& key, const SivLongArguments& arguments, SivWork work,
                       uint32_t blocks, Stream) {
    with_rounds(key.schedule.rounds(), [&](auto rounds) {
      emulated::run(grid(blocks), [&](EmulatedThread& thread) {
        static constexpr void (*bodies[])(EmulatedThread&, const SivLongArguments&, const uint32_t*) = {
            warpaes::siv_long<Tables, rounds(), SivWork::hash>,
            warpaes::siv_long<Tables, rounds(), SivWork::crypt>,
            warpaes::siv_long<Tables, rounds(), SivWork::open>};
        bodies[static_cast<int>(work)](thread, arguments, kT0.data());
      });
    });
  }

  static void ocb_batch(const LanePrivateKey& key, const OcbBatch& batch, Direction direction,
                        uint32_t blocks, Stream) {
    with_directions(key.schedule.rounds(), direction, blocks, ocb_policy(kPolicy, direction),
                    [&](EmulatedThread& thread, auto rounds, auto way) {
                      warpaes::ocb_batch<ocb_policy(kPolicy, way()).tables, rounds(), way()>(
                          thread, batch, kT0.data(), kInverseT0.data());
                    });
  }

  static void ocb_key_each(int, const kernels::DeviceShape&, const OcbKeyEachBatch& batch,
                           Direction direction, int rounds, uint32_t blocks, Stream) {
    with_directions(rounds, direction, blocks, ocb_key_each_policy(kPolicy, direction),
                    [&](EmulatedThread& thread, auto constant, auto way) {
                      warpaes::ocb_key_each<ocb_key_each_policy(kPolicy, way()).tables, constant(), way()>(
                          thread, batch, kT0.data(), kInverseT0.data());
                    });
  }

  static void ocb_long(const LanePrivateKey& key, const OcbLongArguments& arguments, Direction direction,
                       uint32_t blocks, Stream) {
    with_directions(key.schedule.rounds(), direction, blocks, ocb_policy(kPolicy, direction),
                    [&](EmulatedThread& thread, auto rounds, auto way) {
                      warpaes::ocb_long<ocb_policy(kPolicy, way()).tables, rounds(), way()>(
                          thread, arguments, kT0.data(), kInverseT0.data());
                    });
  }

  static void small(const LanePrivateKey& key, const SmallMessages& batch, SmallWork work, uint32_t blocks,
                    Stream) {
    with_rounds(key.schedule.rounds(), [&](auto rounds) {
      emulated::run({blocks, small_threads(kPolicy), kSmallSharedBytes}, [&](EmulatedThread& thread) {
        static constexpr void (*bodies[])(EmulatedThread&, const SmallMessages&, const uint32_t*) = {
            small_messages<rounds(), SmallWork::counter>, small_messages<rounds(), SmallWork::encrypt>,
            small_messages<rounds(), SmallWork::decrypt>};
        bodies[static_cast<int>(work)](thread, batch, kT0.data());
      });
    });
  }

  static void small_end(const LanePrivateKey&, const SmallMessagesEnd& batch, SmallWork work, Stream) {
    emulated::run({1, small_threads(kPolicy), sizeof(SmallScratch)}, [&](EmulatedThread& thread) {
      if (work == SmallWork::encrypt) {
        small_messages_end<SmallWork::encrypt>(thread, batch);
      } else {
        small_messages_end<SmallWork::decrypt>(thread, batch);
      }
    });
  }

  template <class Key>
  static void wipe_failed(const Key& key, const WipeArguments& arguments, Stream) {
    emulated::run({static_cast<uint32_t>(key.shape.multiprocessors), kThreads, 0},
                  [&](EmulatedThread& thread) { wipe_failed_messages(thread, arguments); });
  }

  template <class Key>
  static void zero(const Key&, void* memory, size_t bytes, Stream) {
    std::memset(memory, 0, bytes);
  }

 private:
  using ChainedBody = void (*)(EmulatedThread&, const ChainedAeadArguments&, const uint32_t*);

  template <int Rounds, LaneKeys Keys>
  static ChainedBody chained_body(ChainedAead mode, Direction direction) {
    using enum ChainedAead;
    static constexpr ChainedBody kBodies[2][2] = {
        {warpaes::chained_aead<Tables, Rounds, ccm, Ciphertext::output, Keys>,
         warpaes::chained_aead<Tables, Rounds, ccm, Ciphertext::input, Keys>},
        {warpaes::chained_aead<Tables, Rounds, eax, Ciphertext::output, Keys>,
         warpaes::chained_aead<Tables, Rounds, eax, Ciphertext::input, Keys>}};
    return kBodies[static_cast<int>(mode)][direction == WARPAES_DECRYPT ? 1 : 0];
  }

  template <class Batch>
  static void siv_teams(const Batch& batch, Direction direction, int rounds, uint32_t blocks) {
    constexpr BatchPolicy kShape = key_each_policy(kPolicy);
    with_rounds(rounds, [&](auto constant) {
      emulated::run({blocks, kShape.threads, kShape.shared_bytes}, [&](EmulatedThread& thread) {
        if (direction == WARPAES_ENCRYPT) {
          warpaes::siv_batch<kShape.tables, constant(), Ciphertext::output>(thread, batch, kT0.data());
        } else {
          warpaes::siv_batch<kShape.tables, constant(), Ciphertext::input>(thread, batch, kT0.data());
        }
      });
    });
  }

  /// Calls with the direction as a constant as well, in a grid of OCB3's.
  template <class Body>
  static void with_directions(int rounds, Direction direction, uint32_t blocks, const BatchPolicy& shape,
                              const Body& body) {
    with_rounds(rounds, [&](auto constant) {
      emulated::run({blocks, shape.threads, shape.shared_bytes}, [&](EmulatedThread& thread) {
        if (direction == WARPAES_ENCRYPT) {
          body(thread, constant, std::integral_constant<Direction, WARPAES_ENCRYPT>{});
        } else {
          body(thread, constant, std::integral_constant<Direction, WARPAES_DECRYPT>{});
        }
      });
    });
  }

  static emulated::Grid grid(uint32_t blocks) { return {blocks, kThreads, shared_bytes(kPolicy)}; }
};

}  // namespace warpaes
