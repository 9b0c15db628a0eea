// Key expansion (FIPS 197 section 5.2) of many keys, in the form that the lessons on it have in common.
//
// The input is keys one behind the other, and the output their schedules of Nr + 1 round keys of 16 bytes
// each. A word is four bytes in the order of memory, with byte 0 in the low bits.
#pragma once

#include "lab/gpu_lesson.cuh"
#include "lab/table_words.hpp"
#include "primitives/byte_order.hpp"

namespace warpaes::core::lab {

struct KeyExpansionArguments {
  const uint8_t* keys;
  uint8_t* schedules;
  uint64_t count;
  int key_words, schedule_words;  // Nk, 4 (Nr + 1)

  KeyExpansionArguments() = default;
  explicit KeyExpansionArguments(const Task& task)
      : keys(task.input),
        schedules(task.output),
        count(task.bytes / (static_cast<uint64_t>(task.variant.key_bits) / 8)),
        key_words(task.variant.key_bits / 32),
        schedule_words(4 * (task.variant.rounds() + 1)) {}

  WARPAES_HOST_DEVICE const uint8_t* key(uint64_t i) const { return keys + 4 * i * key_words; }
  WARPAES_HOST_DEVICE uint8_t* schedule(uint64_t i) const { return schedules + 4 * i * schedule_words; }
};

/// SubWord(), equation 5.11. @param box (uint32_t byte) -> the entry of the S-box
template <class Box>
WARPAES_HOST_DEVICE uint32_t sub_word(uint32_t word, const Box& box) {
  return uint32_t{box(word & 0xff)} | uint32_t{box(word >> 8 & 0xff)} << 8 |
         uint32_t{box(word >> 16 & 0xff)} << 16 | uint32_t{box(word >> 24)} << 24;
}

/// RotWord(), equation 5.10: byte 1 comes first.
WARPAES_HOST_DEVICE uint32_t rot_word(uint32_t word) { return word >> 8 | word << 24; }

/// Rcon[j + 1] from Rcon[j] (table 5 of the standard): a multiplication by x in GF(2^8).
WARPAES_HOST_DEVICE uint32_t next_round_constant(uint32_t constant) {
  return (constant << 1 ^ (constant >> 7) * 0x1b) & 0xff;
}

/// KeyExpansion(), algorithm 2, by one thread.
/// @param from, to addresses of any alignment
template <class Box>
WARPAES_HOST_DEVICE void expand_key(const KeyExpansionArguments& arguments, const uint8_t* from, uint8_t* to,
                                    const Box& box) {
  const int nk = arguments.key_words;
  for (int i = 0; i < nk; i++) store_le32(to + 4 * i, load_le32(from + 4 * i));
  uint32_t word = load_le32(from + 4 * (nk - 1)), constant = 1;
  WARPAES_KEEP_ROLLED
  for (int i = nk, phase = 0; i < arguments.schedule_words; i++, phase = phase + 1 == nk ? 0 : phase + 1) {
    if (phase == 0) {
      word = sub_word(rot_word(word), box) ^ constant;
      constant = next_round_constant(constant);
    } else if (nk == 8 && phase == 4) {
      word = sub_word(word, box);
    }
    word ^= load_le32(to + 4 * (i - nk));
    store_le32(to + 4 * i, word);
  }
}

inline constexpr Mode kKeyExpansion[] = {Mode::key_expansion};
inline constexpr Direction kExpanding[] = {WARPAES_DIRECTION_ENCRYPT};

struct KeyExpansionKernel {
  using Arguments = KeyExpansionArguments;
  static constexpr int kMostThreads = 1024;
  static constexpr bool kStays = true;
  static uint32_t shared_bytes(const Variant& /*variant*/) { return 0; }
};

template <class OnlyKernel>
struct KeyExpansionKernels {
  template <class Visit>
  static void choose(const Variant& /*variant*/, const Visit& visit) {
    visit(OnlyKernel{});
  }
};

/// The row of a lesson that has this kernel.
template <class OnlyKernel>
constexpr Lesson key_expansion_lesson(Lesson row) {
  row.timing = WARPAES_TIMING_LEAKY;
  row.modes = kKeyExpansion;
  row.key_bits = kAllKeySizes;
  row.directions = kExpanding;
  return gpu_lesson<KeyExpansionKernels<OnlyKernel>>(row);
}

}  // namespace warpaes::core::lab
