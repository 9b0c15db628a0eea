// Bitslicing: 32 blocks a thread, all 128 bits of the state in registers.
//
// Idea. A logic instruction works on 32 bits at a time that know nothing of each other. So let bit j of a
// word belong to block j: word i of the state holds bit i of 32 blocks, and one instruction is one gate for
// 32 blocks. SubBytes becomes a circuit, as in hardware: 65 gates of three inputs for a byte of all 32
// blocks, since LOP3 computes any function of three bits. ShiftRows only renames words, which costs nothing
// once the loop over rounds' bytes is unrolled; AddRoundKey adds a word of zeros or of ones for each bit of
// the key; MixColumns is XORs.
//
// Threads and memory. A thread takes 32 blocks, a warp 1024. Block j of a lane lies 32 j blocks behind its
// first, so that a warp's loads are of 512 bytes side by side. Between blocks and bit planes stands a
// transposition: four squares of 32 x 32 bits, five steps of 16 swaps each. The state is 128 registers, the
// circuit needs some 20 beside it; a thread may have 255. No table, no shared memory.
//
// What limits it. Registers: with more than 168 a multiprocessor holds 8 warps of 64, which hide little. Then
// the logic unit: a round is 16 circuits of 65 gates and some 250 XORs of MixColumns and 128 of the key. And
// short messages: 33 blocks cost as much as 64. Production keeps 8 blocks a thread in 32 registers instead,
// and pays for it with 24 byte rotations a round (src/primitives/bitsliced_rounds.hpp).
//
// Decryption. InvMixColumns is MixColumns of a column to which 4 (a0 + a2) and 4 (a1 + a3) were added: since
// its matrix is that of MixColumns times the one of 5, 0, 4, 0 and its rotations (Barreto's observation;
// Daemen and Rijmen 2002).
//
// Timing class: strict. No address and no branch depends on key or data.
//
// Source: E. Biham, A fast new DES implementation in software, FSE 1997; on GPUs Hajihassani et al., IEEE
// TPDS 2019. They reach 1.47 Tbit/s on a V100.
#include "lab/bit_matrix.hpp"
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "primitives/sbox_circuit.hpp"

namespace warpaes::core::lab::bitsliced_in_one_thread {
namespace {

constexpr int kBlocks = 32;  // of a thread

/// Bit b of byte i of the state of 32 blocks is plane[8 * i + b].
struct Planes {
  uint32_t plane[128];
};

/// Each bit of the round key as a word, added; with `constant`, the 0x63 that sbox_circuit() leaves out as
/// well.
WARPAES_HOST_DEVICE void add_round_key(Planes& s, const uint32_t* key, uint32_t constant) {
  WARPAES_UNROLL
  for (int i = 0; i < 128; i++) s.plane[i] ^= 0u - (((key[i / 32] ^ constant) >> (i % 32)) & 1);
}

/// In FIPS 197, row r of column c is byte r + 4 c. Bytes go from their column to the one r further left, or
/// right.
template <bool Inverse>
WARPAES_HOST_DEVICE void substitute_and_shift_rows(Planes& s) {
  Planes shifted;
  WARPAES_UNROLL
  for (int i = 0; i < 16; i++) {
    const int row = i % 4, to = (i + (Inverse ? 4 : 12) * row) % 16;
    uint32_t byte[8];
    WARPAES_UNROLL
    for (int b = 0; b < 8; b++) byte[b] = s.plane[8 * i + b];
    Inverse ? inverse_sbox_circuit(byte) : sbox_circuit(byte);
    WARPAES_UNROLL
    for (int b = 0; b < 8; b++) shifted.plane[8 * to + b] = byte[b];
  }
  s = shifted;
}

/// Bit b of x times the byte a: bits move up by one, and x^8 is x^4 + x^3 + x + 1.
WARPAES_HOST_DEVICE uint32_t times_x_bit(const uint32_t (&a)[8], int b) {
  return (b == 0 ? 0 : a[b - 1]) ^ (b == 0 || b == 1 || b == 3 || b == 4 ? a[7] : 0);
}

/// 4 (a0 + a2) to rows 0 and 2, 4 (a1 + a3) to rows 1 and 3.
WARPAES_HOST_DEVICE void prepare_inverse(uint32_t (&a)[4][8]) {
  WARPAES_UNROLL
  for (int row = 0; row < 2; row++) {
    uint32_t sum[8], twice[8];
    WARPAES_UNROLL
    for (int b = 0; b < 8; b++) sum[b] = a[row][b] ^ a[row + 2][b];
    WARPAES_UNROLL
    for (int b = 0; b < 8; b++) twice[b] = times_x_bit(sum, b);
    WARPAES_UNROLL
    for (int b = 0; b < 8; b++) {
      a[row][b] ^= times_x_bit(twice, b);
      a[row + 2][b] ^= times_x_bit(twice, b);
    }
  }
}

/// Row r becomes 2 (a_r + a_(r+1)) + a_(r+1) + a_(r+2) + a_(r+3), FIPS 197 section 5.1.3.
template <bool Inverse>
WARPAES_HOST_DEVICE void mix_columns(Planes& s) {
  WARPAES_UNROLL
  for (int column = 0; column < 4; column++) {
    uint32_t a[4][8];
    WARPAES_UNROLL
    for (int i = 0; i < 32; i++) a[i / 8][i % 8] = s.plane[32 * column + i];
    if (Inverse) prepare_inverse(a);
    WARPAES_UNROLL
    for (int row = 0; row < 4; row++) {
      uint32_t pair[8];
      WARPAES_UNROLL
      for (int b = 0; b < 8; b++) pair[b] = a[row][b] ^ a[(row + 1) % 4][b];
      WARPAES_UNROLL
      for (int b = 0; b < 8; b++) {
        s.plane[32 * column + 8 * row + b] =
            times_x_bit(pair, b) ^ a[(row + 1) % 4][b] ^ a[(row + 2) % 4][b] ^ a[(row + 3) % 4][b];
      }
    }
  }
}

/// The cipher, or the equivalent inverse cipher (FIPS 197 5.3.5). An inverse S-box takes its 0x63 off before
/// it.
template <bool Inverse>
WARPAES_HOST_DEVICE void crypt(Planes& s, const CipherArguments& message) {
  constexpr uint32_t kConstant = 0x63636363, kBefore = Inverse ? kConstant : 0,
                     kAfter = Inverse ? 0 : kConstant;
  add_round_key(s, message.keys.word, kBefore);
  WARPAES_KEEP_ROLLED
  for (int round = 1; round < message.rounds; round++) {
    substitute_and_shift_rows<Inverse>(s);
    mix_columns<Inverse>(s);  // it maps the constant to itself
    add_round_key(s, message.keys.word + 4 * round, kConstant);
  }
  substitute_and_shift_rows<Inverse>(s);
  add_round_key(s, message.keys.word + 4 * message.rounds, kAfter);
}

/// 32 blocks as they lie in memory, column by column, and back: a square of bits for each column.
WARPAES_HOST_DEVICE void transpose(Planes& s) {
  WARPAES_UNROLL
  for (int column = 0; column < 4; column++) transpose_32(s.plane + 32 * column);
}

template <Use Wanted>
struct Kernel : CipherKernel {
  static constexpr int kMostThreads = 256;  // 255 registers each

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    const uint64_t warp = (uint64_t{thread.block()} * thread.count() + thread.index()) / kWarpLanes;
    const uint64_t step = uint64_t{thread.block_count()} * thread.count() * kBlocks;
    for (uint64_t first = warp * kWarpLanes * kBlocks + thread.lane(); first < message.blocks();
         first += step) {
      Planes s;
      WARPAES_UNROLL
      for (int j = 0; j < kBlocks; j++) {
        const uint64_t i = first + kWarpLanes * j;
        put(s, j, Wanted == Use::ctr ? counter_block(message, i) : load_block(message, i));
      }
      transpose(s);
      crypt<kInverts<Wanted>>(s, message);
      transpose(s);
      WARPAES_UNROLL
      for (int j = 0; j < kBlocks; j++) {
        const uint64_t i = first + kWarpLanes * j;
        const Columns block = {s.plane[j], s.plane[32 + j], s.plane[64 + j], s.plane[96 + j]};
        store_block(message, i, Wanted == Use::ctr ? block ^ load_block(message, i) : block);
      }
    }
  }

  WARPAES_HOST_DEVICE static void put(Planes& s, int j, Columns block) {
    s.plane[j] = block.a, s.plane[32 + j] = block.b, s.plane[64 + j] = block.c, s.plane[96 + j] = block.d;
  }
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    choose_use<Kernel>(variant, visit);
  }
};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "bitsliced_in_one_thread",
    .idea = "bit j of each word belongs to block j: 32 blocks a thread, a gate of AES an instruction",
    .source = "Biham, FSE 1997; Hajihassani et al., IEEE TPDS 2019",
    .measured = "1.47 Tbit/s of AES-128 (NVIDIA V100; Hajihassani et al.)",
    .timing = WARPAES_TIMING_STRICT,
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .shape = {.threads = 128, .blocks_per_thread = 32},
});

}  // namespace warpaes::core::lab::bitsliced_in_one_thread
