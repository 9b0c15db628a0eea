// MixColumns by tables of bytes: every product that it needs, looked up.
//
// Idea. MixColumns multiplies bytes by 2 and 3, InvMixColumns by 9, 11, 13 and 14. There are 256 bytes, so
// a table of 256 bytes for each factor holds all products: a multiplication becomes a look-up, and what is
// left of MixColumns are XORs. It is half of the way to T-tables, which look up all four products at once,
// as a word, and the S-box with them.
//
// Threads and memory. 256 threads a block, so that thread v makes entry v of every table: S-box and two
// tables of products encrypting (768 bytes), S-box and four decrypting (1280 bytes), and the round keys,
// all in shared memory. One block of AES a thread; its 16 bytes stay in registers.
//
// What limits it. The number of look-ups, each of one byte: 16 for SubBytes and 32 for MixColumns in a round,
// 16 and 64 decrypting, where T-tables need 16 in all. A table of bytes is 64 words, two for each bank, so
// that a look-up takes two passes at most, and a table of words about three: but that does not make up for
// three to five times as many. Compare with byte_by_byte, which computes the products instead.
//
// Timing class: leaky. Secret bytes are addresses.
//
// Source: a course project (Y. Asseged, EE 5351, Applied Parallel Programming), which also expands the key in
// the kernel.
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "lab/t_table_rounds.hpp"
#include "lab/table_words.hpp"

namespace warpaes::core::lab::mix_columns_by_tables {
namespace {

/// times[k][v] is v times the k-th factor of the direction's first row.
template <bool Inverse>
struct ByteTables {
  static constexpr int kFactors = Inverse ? 4 : 2;
  RoundKeys keys;
  uint8_t box[256];
  uint8_t times[kFactors][256];
};

/// Without a table, for filling one: shift and add, FIPS 197 section 4.2.
WARPAES_HOST_DEVICE uint8_t product(uint32_t factor, uint32_t value) {
  uint32_t sum = 0;
  for (; factor != 0; factor >>= 1) {
    if (factor & 1) sum ^= value;
    value = (value << 1) ^ ((value >> 7 & 1) * 0x11b);
  }
  return static_cast<uint8_t>(sum);
}

/// One row of (Inv)MixColumns: a is the byte of the row itself, b, c, d those of the rows below it, around.
template <bool Inverse>
WARPAES_HOST_DEVICE uint32_t mixed_byte(const ByteTables<Inverse>& tables, uint32_t a, uint32_t b, uint32_t c,
                                        uint32_t d) {
  if constexpr (Inverse) {
    return tables.times[0][a] ^ tables.times[1][b] ^ tables.times[2][c] ^ tables.times[3][d];
  } else {
    return tables.times[0][a] ^ tables.times[1][b] ^ c ^ d;
  }
}

template <bool Inverse>
WARPAES_HOST_DEVICE Columns byte_table_block(const ByteTables<Inverse>& tables, int rounds, Columns s) {
  const auto key = [&](int word) { return tables.keys.word[word]; };
  const auto substituted = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    return static_cast<uint32_t>(tables.box[byte_of<0>(w)]) |
           static_cast<uint32_t>(tables.box[byte_of<1>(x)]) << 8 |
           static_cast<uint32_t>(tables.box[byte_of<2>(y)]) << 16 |
           static_cast<uint32_t>(tables.box[byte_of<3>(z)]) << 24;
  };
  const auto mixed = [&](uint32_t w, uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t a = tables.box[byte_of<0>(w)], b = tables.box[byte_of<1>(x)],
                   c = tables.box[byte_of<2>(y)], d = tables.box[byte_of<3>(z)];
    return mixed_byte(tables, a, b, c, d) | mixed_byte(tables, b, c, d, a) << 8 |
           mixed_byte(tables, c, d, a, b) << 16 | mixed_byte(tables, d, a, b, c) << 24;
  };
  s = add_first_key(key, s);
  WARPAES_KEEP_ROLLED
  for (int round = 1; round < rounds; round++) s = new_columns<Inverse>(mixed, key, round, s);
  return new_columns<Inverse>(substituted, key, rounds, s);
}

template <Use Wanted>
struct Kernel : CipherKernel {
  using Tables = ByteTables<kInverts<Wanted>>;
  static uint32_t shared_bytes(const Variant& /*variant*/) { return sizeof(Tables); }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    constexpr bool kInverse = kInverts<Wanted>;
    constexpr uint32_t kFactors =
        kInverse ? 0x090d0b0e : 0x0302;  // 14, 11, 13, 9; or 2, 3: the first in the low bits
    auto& tables = *reinterpret_cast<Tables*>(thread.shared());
    for (uint32_t v = thread.index(); v < 256; v += thread.count()) {
      tables.box[v] = constant_box<kInverse>(v);
      for (int k = 0; k < Tables::kFactors; k++) tables.times[k][v] = product(kFactors >> (8 * k) & 0xff, v);
      if (v < sizeof(RoundKeys) / 4) tables.keys.word[v] = message.keys.word[v];
    }
    thread.barrier();

    crypt_message<Wanted>(thread, message,
                          [&](Columns block) { return byte_table_block(tables, message.rounds, block); });
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
    .name = "mix_columns_by_tables",
    .idea = "MixColumns' products are looked up in tables of bytes",
    .source = "Y. Asseged, Advanced Encryption Standard, course project EE 5351",
    .measured = "AES-128 ECB, 69.6 kB: 0.34 ms (GPU not named beside it; occupancy computed for a GTX 1080)",
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::mix_columns_by_tables
