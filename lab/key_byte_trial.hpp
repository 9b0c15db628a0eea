// The attack on bank conflicts as an experiment: t_tables_timed encrypts, and a byte of the key is guessed
// from its times.
#pragma once

#include <array>

#include "lab/key_byte_attack.hpp"
#include "lab/lesson_run.hpp"

namespace warpaes::core::lab {

struct KeyByteOrder {
  Place place = Place::emulated;  // or gpu
  int device = 0;
  uint32_t copies = 1;       // of the table
  uint64_t warps = 100'000;  // how many warps are timed; each has 32 random blocks
  int place_in_block = 0;    // the place of the byte in its block
};

struct KeyByteTrial {
  KeyByteGuess guess;
  uint8_t right;  // the byte of the last round key, to compare with
  double mean_time;
  /// If no guess stands out, nothing was found. If a wrong guess stood out, the statistics would be at fault.
  bool found() const { return guess.recovered() && guess.byte == right; }
  std::string_view outcome() const;
};

/// Makes a trial with a random key. On a GPU, times are clock cycles, with one warp at a time on each
/// multiprocessor. Emulated, they are the passes of the model (bank_conflicts.hpp), which only shows that the
/// arithmetic works. Throws Failure.
KeyByteTrial try_key_byte(const KeyByteOrder& order);

}  // namespace warpaes::core::lab
