// The attack on bank conflicts as an experiment: t_tables_timed encrypts, and its times are asked for a byte
// of the key.
#pragma once

#include <array>

#include "lab/key_byte_attack.hpp"
#include "lab/lesson_run.hpp"

namespace warpaes::core::lab {

struct KeyByteOrder {
  Place place = Place::emulated;  // or gpu
  int device = 0;
  uint32_t copies = 1;       // of the table
  uint64_t warps = 100'000;  // that are timed: 32 random blocks each
  int place_in_block = 0;    // of the byte
};

struct KeyByteTrial {
  KeyByteGuess guess;
  uint8_t right;  // the last round key's byte
  double mean_time;
  /// Neither: not found. A wrong one that stands out would be a fault of the statistics.
  bool found() const { return guess.recovered() && guess.byte == right; }
  std::string_view outcome() const;
};

/// On the GPU times are clock cycles, one warp on each multiprocessor at a time. Emulated, they are the
/// model's passes (bank_conflicts.hpp), which shows the arithmetic and no more. A random key in each trial.
/// Throws Failure.
KeyByteTrial try_key_byte(const KeyByteOrder& order);

}  // namespace warpaes::core::lab
