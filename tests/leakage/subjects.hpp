// Kernels of the leak test itself: those that must be found to leak, and one that makes inputs.
#pragma once

#include <cstdint>

#include "primitives/key_schedule.hpp"

struct CUstream_st;

namespace warpaes::core::leakage {

using Stream = CUstream_st*;

/// Writes the same number of words in the same way, whichever of the two it is: random, or one random
/// block again and again. `data` is 4-byte aligned.
struct InputPattern {
  uint64_t seed;
  bool one_block;
};
void write_input(uint8_t* data, uint64_t bytes, InputPattern pattern, Stream stream);

/// Turns a bit of byte `place` of each of `count` tags of 16 bytes.
void spoil_tags(uint8_t* tags, uint64_t count, uint32_t place, Stream stream);

/// ECB encryption with T-tables as a CPU has them: one copy in shared memory, where lanes whose look-ups
/// meet in a bank wait for each other. So the time depends on the data, and on the key (Jiang, Fei, Kaeli
/// 2017). @param bytes a multiple of 16
void leaky_t_tables(const RoundKeys& keys, int rounds, const uint8_t* input, uint8_t* output, uint64_t bytes,
                    Stream stream);

/// Reads and writes as the kernels do, 16 bytes a thread at a time, and computes nothing.
void copy_blocks(const uint8_t* input, uint8_t* output, uint64_t bytes, Stream stream);

/// What a multiprocessor's counter of clock cycles was, and whose it is.
struct ClockReading {
  uint64_t cycles;
  uint64_t multiprocessor;
};

/// Reads the clock of the multiprocessor that one thread is put on. An idle GPU puts such a launch on the
/// same one again and again, but does not promise it. @param reading device memory
void read_clock(ClockReading* reading, Stream stream);

/// Takes some steps more for each bit of the key that is 1, as exponentiation by squaring does.
void leaky_key_bits(const RoundKeys& keys, uint8_t* output, Stream stream);

}  // namespace warpaes::core::leakage
