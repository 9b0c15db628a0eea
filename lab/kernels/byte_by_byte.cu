// The standard on a GPU, with the S-box and the round keys in each kind of memory.
//
// Idea. Take the cipher as FIPS 197 has it (S-box, ShiftRows, MixColumns, round key) and give each thread a
// block. Besides data, a thread needs two small tables: the S-box (256 bytes, at addresses that depend on
// data) and the round keys (176 to 240 bytes, the same for all threads). A GPU has four places for them,
// and this lesson puts either of them in any: --keys-in and --tables-in.
//   global     cached by the first-level cache, a line of 128 bytes at a time: the S-box is two lines
//   constant   one address at a time for a warp: made for the round keys, wrong for the S-box
//   shared     32 banks, and each block of threads has to fill it first: the S-box is 64 words, two for each
//              bank, so that a look-up takes two passes at most
//   parameter  comes with the launch and is read like constant memory. A parameter that is not known to be
//              constant (__grid_constant__, as here) may be copied to each thread's local memory when it is
//              an array at changing addresses: local memory is global memory, and then this is the worst
//
// Threads and memory. One block of AES a thread, the state in four registers. MixColumns is arithmetic on
// four bytes at once (lab/column_arithmetic.hpp), so no other table is needed.
//
// What limits it. Instructions: taking bytes out of words and putting them back, 16 times a round, and
// MixColumns; T-tables do the same with far fewer. So the S-box's place matters only where it is a
// bad one. Decrypting, InvMixColumns has larger factors, and two doublings of each column more than
// MixColumns: this is why ECB decryption is slower, and CTR, which decrypts with the cipher's encryption,
// is not.
//
// Timing class: leaky, in every placement.
//
// Source: a student's project (T. Nelms, University of Pennsylvania), whose memory modes these are.
#include "lab/column_arithmetic.hpp"
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "lab/placed_tables.hpp"

namespace warpaes::core::lab::byte_by_byte {
namespace {

/// The cipher, or the equivalent inverse cipher, where round keys too have been through InvMixColumns.
template <bool Inverse, class Box, class Key>
WARPAES_HOST_DEVICE Columns standard_block(const Box& box, const Key& key, int rounds, Columns s) {
  const auto substituted = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    return box(byte_of<0>(w)) | box(byte_of<1>(x)) << 8 | box(byte_of<2>(y)) << 16 | box(byte_of<3>(z)) << 24;
  };
  const auto mixed = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t column = substituted(w, x, y, z);
    return Inverse ? inverse_mix_column(column) : mix_column(column);
  };
  s = add_first_key(key, s);
  WARPAES_KEEP_ROLLED
  for (int round = 1; round < rounds; round++) s = new_columns<Inverse>(mixed, key, round, s);
  return new_columns<Inverse>(substituted, key, rounds, s);
}

template <Use Wanted, Space KeysIn, Space BoxIn>
struct Kernel : CipherKernel {
  using Arguments = PlacedArguments;
  static uint32_t shared_bytes(const Variant& /*variant*/) {
    return KeysIn == kShared || BoxIn == kShared ? sizeof(SharedPlace) : 0;
  }

#if defined(__CUDACC__)
  static void prepare(const PlacedArguments& message, Stream stream) {
    placed::copy_keys<KeysIn>(message.keys, stream);
  }
#endif

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const PlacedArguments& message) {
    constexpr bool kInverse = kInverts<Wanted>;
    auto& shared = *reinterpret_cast<SharedPlace*>(thread.shared());
    for (uint32_t i = thread.index(); i < 256; i += thread.count()) {
      if (BoxIn == kShared) shared.box[i] = constant_box<kInverse>(i);
      if (KeysIn == kShared && i < sizeof(RoundKeys) / 4) shared.keys.word[i] = message.keys.word[i];
    }
    thread.barrier();

    const auto key = [&](int word) { return placed_key<KeysIn>(message, shared, word); };
    const auto box = [&](uint32_t byte) { return placed_box<BoxIn, kInverse>(message, shared, byte); };
    crypt_message<Wanted>(thread, message, [&](Columns block) {
      return standard_block<kInverse>(box, key, message.rounds, block);
    });
  }
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    with_space(variant.shape.keys_in, [&](auto keys_in) {
      with_space(variant.shape.tables_in, [&](auto tables_in) {
        constexpr Space kKeysAt = decltype(keys_in)::value, kTablesAt = decltype(tables_in)::value;
        if (variant.mode == Mode::ctr) return visit(Kernel<Use::ctr, kKeysAt, kTablesAt>{});
        if (variant.direction == WARPAES_DIRECTION_ENCRYPT)
          return visit(Kernel<Use::ecb_encrypt, kKeysAt, kTablesAt>{});
        return visit(Kernel<Use::ecb_decrypt, kKeysAt, kTablesAt>{});
      });
    });
  }
};

constexpr const Axis* kAxes[] = {&kThreads, &kKeysIn, &kTablesIn};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "byte_by_byte",
    .idea = "FIPS 197 with a thread for each block; S-box and round keys in any kind of memory",
    .source = "T. Nelms, CUDA AES Encryption, University of Pennsylvania CIS 565",
    .measured = "its code on an NVIDIA H200, CTR-128: 161 GB/s (run for this project)",
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::byte_by_byte
