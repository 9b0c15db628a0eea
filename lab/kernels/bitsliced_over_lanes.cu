// Bitslicing spread over a warp: each lane holds one byte of the state, for 32 blocks.
//
// Idea. 32 blocks as bit planes are 128 words, too many for one thread to be comfortable. So let 16 lanes
// share them: lane i has byte i of the state of 32 blocks, in 8 words, one for each bit. All lanes compute
// the same circuit for SubBytes, each for its byte. What a thread's bytes get from other bytes comes from
// other lanes by shuffles: ShiftRows and MixColumns. A warp is two such groups: 64 blocks.
//
// Threads and memory. Lane 16 g + i has byte i of group g's blocks. A lane loads single bytes, 16 bytes
// apart: 32 loads, each of 16 bytes side by side for 16 lanes. Eight words of four bytes are transposed as
// four squares of 8 x 8 bits. The state takes 8 registers, the circuit some 20 more: many warps fit. In round
// r a lane needs one byte of the round key, the same for all of its blocks: its bits become words of zeros or
// ones.
//
// A round takes 24 shuffles: the byte that ShiftRows brings here (8), that in the next row of the column (8),
// and their sum from two rows further down (8). For with a0 ... a3 the bytes of the column,
// from the lane's own downwards,
//     2 a0 + 3 a1 + a2 + a3 = 2 (a0 + a1) + a1 + (a2 + a3).
//
// What limits it. Shuffles go through the data path of shared memory, 32 lanes a clock: 24 clocks a round for
// a warp, beside 65 + 30 gates, 64 lanes a clock, 48 clocks. Loading by bytes takes as many requests as a
// round and a half has instructions. There are more warps to hide all that than with 128 registers of state.
//
// Decryption. InvMixColumns is MixColumns of a column to which 4 (a0 + a2) and 4 (a1 + a3) were added, as in
// bitsliced_in_one_thread: each lane adds to its byte 4 times the sum of that and the byte two rows further
// down, for 8 shuffles more.
//
// Timing class: strict. Source of the idea: bit planes spread over lanes as over a vector's elements, Kaesper
// and Schwabe, CHES 2009 (there the bytes of a register); nobody measured it in this form.
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "primitives/bitsliced_rounds.hpp"

namespace warpaes::core::lab::bitsliced_over_lanes {
namespace {

constexpr uint32_t kGroupLanes = 16;   // a byte of the state each
constexpr uint32_t kGroupBlocks = 32;  // a bit of a word each

/// Bit j of word b: bit b of the lane's byte in block j.
struct Byte {
  uint32_t bit[8];
};

template <class Thread>
WARPAES_HOST_DEVICE Byte shuffle(Thread& thread, const Byte& byte, uint32_t from) {
  Byte theirs;
  WARPAES_UNROLL
  for (int b = 0; b < 8; b++) theirs.bit[b] = thread.shuffle(byte.bit[b], from);
  return theirs;
}

WARPAES_HOST_DEVICE Byte operator^(const Byte& left, const Byte& right) {
  Byte sum;
  WARPAES_UNROLL
  for (int b = 0; b < 8; b++) sum.bit[b] = left.bit[b] ^ right.bit[b];
  return sum;
}

/// x times the byte: bits move up by one, and x^8 is x^4 + x^3 + x + 1.
WARPAES_HOST_DEVICE Byte times_x(const Byte& a) {
  Byte product;
  WARPAES_UNROLL
  for (int b = 0; b < 8; b++)
    product.bit[b] = (b == 0 ? 0 : a.bit[b - 1]) ^ (b == 0 || b == 1 || b == 3 || b == 4 ? a.bit[7] : 0);
  return product;
}

/// ShiftRows or its inverse: row r of column c comes from column c + r, or c - r.
template <bool Inverse, class Thread>
WARPAES_HOST_DEVICE Byte shift_rows(Thread& thread, const Byte& s) {
  const uint32_t group = thread.lane() / kGroupLanes, place = thread.lane() % kGroupLanes;
  const uint32_t row = place % 4, column = place / 4 + (Inverse ? 4 - row : row);
  return shuffle(thread, s, group * kGroupLanes + row + 4 * (column % 4));
}

/// MixColumns or its inverse.
template <bool Inverse, class Thread>
WARPAES_HOST_DEVICE Byte mix_columns(Thread& thread, Byte a0) {
  const uint32_t lane = thread.lane();
  const auto below = [lane](uint32_t rows) { return lane / 4 * 4 + (lane + rows) % 4; };  // in the column
  if constexpr (Inverse) a0 = a0 ^ times_x(times_x(a0 ^ shuffle(thread, a0, below(2))));
  const Byte a1 = shuffle(thread, a0, below(1));
  const Byte sum = a0 ^ a1, sum_below = shuffle(thread, sum, below(2));  // a2 + a3
  return times_x(sum) ^ a1 ^ sum_below;
}

/// @param constant what sbox_circuit() left out, 0x63, or what its inverse expects to be taken off before; or
/// 0
template <class Thread>
WARPAES_HOST_DEVICE void add_key(Thread& thread, Byte& s, const uint32_t* round_key, uint32_t constant) {
  const uint32_t place = thread.lane() % kGroupLanes;
  const uint32_t key = (round_key[place / 4] >> (8 * (place % 4))) ^ constant;
  WARPAES_UNROLL
  for (int b = 0; b < 8; b++) s.bit[b] ^= 0u - ((key >> b) & 1);
}

/// The cipher, or the equivalent inverse cipher (FIPS 197 5.3.5).
template <bool Inverse, class Thread>
WARPAES_HOST_DEVICE void crypt(Thread& thread, Byte& s, const CipherArguments& message) {
  constexpr uint32_t kConstant = 0x63;
  add_key(thread, s, message.keys.word, Inverse ? kConstant : 0);
  WARPAES_KEEP_ROLLED
  for (int round = 1; round <= message.rounds; round++) {
    const bool last = round == message.rounds;
    Inverse ? inverse_sbox_circuit(s.bit) : sbox_circuit(s.bit);
    s = shift_rows<Inverse>(thread, s);
    if (!last) s = mix_columns<Inverse>(thread, s);  // the constant stays: a row of the matrix adds up to 1
    add_key(thread, s, message.keys.word + 4 * round, Inverse && last ? 0 : kConstant);
  }
}

/// Between 32 bytes, byte c of word i being block 8 c + i's, and their bit planes: transpose_bits() turns
/// each square of 8 x 8 bits around, and does the same in the other direction.
WARPAES_HOST_DEVICE uint32_t block_of(uint32_t word, uint32_t byte) { return 8 * byte + word; }

template <Use Wanted>
struct Kernel : CipherKernel {
  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    const uint64_t groups_in_warp = kWarpLanes / kGroupLanes;
    const uint64_t warp = (uint64_t{thread.block()} * thread.count() + thread.index()) / kWarpLanes;
    const uint64_t warps = uint64_t{thread.block_count()} * thread.count() / kWarpLanes;
    const uint64_t of_warp = groups_in_warp * kGroupBlocks;
    const uint32_t place = thread.lane() % kGroupLanes;
    for (uint64_t at = warp * of_warp; at < message.blocks(); at += warps * of_warp) {
      const uint64_t first = at + thread.lane() / kGroupLanes * kGroupBlocks;
      Byte s = {};
      WARPAES_UNROLL
      for (uint32_t i = 0; i < kGroupBlocks; i++)
        s.bit[i / 4] |= input_byte(message, first + block_of(i / 4, i % 4), place) << (8 * (i % 4));
      transpose_bits(s.bit);
      crypt<kInverts<Wanted>>(thread, s, message);
      transpose_bits(s.bit);
      WARPAES_UNROLL
      for (uint32_t i = 0; i < kGroupBlocks; i++) {
        const uint64_t to = 16 * (first + block_of(i / 4, i % 4)) + place;
        if (to >= message.bytes) continue;
        const uint32_t byte = s.bit[i / 4] >> (8 * (i % 4));
        message.output[to] = static_cast<uint8_t>(Wanted == Use::ctr ? byte ^ message.input[to] : byte);
      }
    }
  }

  /// Byte `place` of what the cipher takes for that block of the message.
  WARPAES_HOST_DEVICE static uint32_t input_byte(const CipherArguments& message, uint64_t block,
                                                 uint32_t place) {
    if constexpr (Wanted == Use::ctr) {
      const CounterBlock counter = add128(message.counter, block);
      return static_cast<uint32_t>((place < 8 ? counter.high : counter.low) >> (56 - 8 * (place % 8))) & 0xff;
    } else {
      const uint64_t from = 16 * block + place;
      return from < message.bytes ? message.input[from] : 0;
    }
  }
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    choose_use<Kernel>(variant, visit);
  }
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "bitsliced_over_lanes",
    .idea = "each of 16 lanes has the bit planes of one byte of 32 blocks; columns are mixed by shuffles",
    .source = "after Kaesper and Schwabe, CHES 2009, with lanes in place of a register's bytes",
    .measured = "",
    .timing = WARPAES_TIMING_STRICT,
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
    .shape = {.blocks_per_thread = 2},
});

}  // namespace warpaes::core::lab::bitsliced_over_lanes
