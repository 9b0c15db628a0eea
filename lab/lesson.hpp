// What a lesson of the lab is: one row of the catalogue, and what one asks of it. Rows are walked by
// `warpaes lab`, by the conformance test and by the studies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engines/engine.hpp"
#include "lab/shape.hpp"
#include "primitives/counter_block.hpp"

namespace warpaes::core::lab {

enum class Machine { cpu, gpu };

/// What is computed. Input and output are as long as each other, but for the last two.
enum class Mode {
  ecb,           // SP 800-38A 6.1: whole blocks
  ctr,           // SP 800-38A 6.5: any length; the 128-bit counter wraps
  ghash,         // SP 800-38D 6.4
  key_expansion  // FIPS 197 5.2
};

/// Which of a lesson's kernels: what is fixed before there is any data.
struct Variant {
  Mode mode = Mode::ecb;
  Direction direction = WARPAES_DIRECTION_ENCRYPT;  // of CTR both are the same
  int key_bits = 128;
  Shape shape = {};

  int rounds() const { return key_bits / 32 + 6; }
};

/// Work for a lesson. Pointers are of the host, or of the device for `launch`. In place is allowed.
struct Task {
  Variant variant;
  const KeySchedule& schedule;  // of variant.key_bits
  CounterBlock counter;         // of the first block
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  /// Where a lesson that measures itself writes each full warp's time, of 32 blocks each: clock cycles, or
  /// passes of look-ups where it is emulated. Null: not wanted.
  uint32_t* times = nullptr;
};

/// What a kernel takes of the present device.
struct Resources {
  int registers;        // a thread
  int local_bytes;      // a thread: what did not fit into registers
  int constant_bytes;   // of the whole file
  int shared_bytes;     // a block, static and dynamic
  int threads;          // a block, as asked for
  int blocks_resident;  // at a time on a multiprocessor
  double occupancy;     // resident threads, of those that a multiprocessor has places for
};

/// A row of the catalogue.
struct Lesson {
  std::string_view name;  // also of its file in lab/kernels
  std::string_view idea;
  std::string_view source;    // in the literature
  std::string_view measured;  // the source's own figure, with its hardware; or empty
  TimingClass timing = WARPAES_TIMING_LEAKY;
  Machine machine = Machine::gpu;
  std::span<const Mode> modes = {};
  std::span<const int> key_bits = {};
  std::span<const Direction> directions = {};
  std::span<const Axis* const> axes = {};  // what of the shape a study may vary; the rest is as in `shape`
  Shape shape = {};                        // where a sweep begins

  void (*run_on_cpu)(const Task&) = nullptr;  // of a CPU's lesson
  void (*emulate)(const Task&) = nullptr;     // of a GPU's: the same body on the CPU
  /// Asynchronous, on the current device. Null where the file was not compiled for GPUs. Throws Failure.
  void (*launch)(const Task&, Stream) = nullptr;
  Resources (*resources)(const Variant&) = nullptr;
};

inline constexpr Mode kEcb[] = {Mode::ecb};
inline constexpr Mode kEcbAndCtr[] = {Mode::ecb, Mode::ctr};
inline constexpr Mode kCtr[] = {Mode::ctr};
inline constexpr int kAllKeySizes[] = {128, 192, 256};
inline constexpr Direction kBothDirections[] = {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT};

std::string_view mode_name(Mode mode);
std::string_view machine_name(Machine machine);
std::string mode_names(const Lesson& lesson);  // "ecb, ctr"

/// Null if this lesson does not let that vary. (A lesson may have an axis of its own with fewer values.)
const Axis* axis_of(const Lesson& lesson, std::string_view name);

/// Throws Failure(OPTION) with what there is instead, unless the lesson has this variant.
void require_variant(const Lesson& lesson, const Variant& variant);

}  // namespace warpaes::core::lab
