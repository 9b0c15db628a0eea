// A lesson of the lab is one row of the catalogue. `warpaes lab`, the conformance test and the studies walk
// these rows.
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

/// What a lesson computes. Input and output have the same length, except in the last two.
enum class Mode {
  ecb,           // SP 800-38A 6.1: whole blocks
  ctr,           // SP 800-38A 6.5: any length; the 128-bit counter wraps
  ghash,         // SP 800-38D 6.4
  key_expansion  // FIPS 197 5.2
};

/// Which of a lesson's kernels is meant: everything that is fixed before there is any data.
struct Variant {
  Mode mode = Mode::ecb;
  Direction direction = WARPAES_DIRECTION_ENCRYPT;  // in CTR both directions are the same
  int key_bits = 128;
  Shape shape = {};

  int rounds() const { return key_bits / 32 + 6; }
};

/// Work for a lesson. Pointers are to host memory, or for `launch` to device memory. Input and output may be
/// the same memory.
struct Task {
  Variant variant;
  const KeySchedule& schedule;  // of a key of variant.key_bits
  CounterBlock counter;         // the counter block of the first block
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  /// Where a lesson that measures itself writes the time of each full warp of 32 blocks: clock cycles, or the
  /// passes of its look-ups where it is emulated. Null if that is not wanted.
  uint32_t* times = nullptr;
};

/// What a kernel takes of the present device.
struct Resources {
  int registers;        // of a thread
  int local_bytes;      // of a thread: what did not fit into registers
  int constant_bytes;   // of the whole file
  int shared_bytes;     // of a thread block, static and dynamic
  int threads;          // of a thread block, as asked for
  int blocks_resident;  // thread blocks at a time on a multiprocessor
  double occupancy;     // the share of a multiprocessor's places for threads that is taken
};

/// A row of the catalogue.
struct Lesson {
  std::string_view name;  // its file in lab/kernels has this name, too
  std::string_view idea;
  std::string_view source;    // where the literature has it
  std::string_view measured;  // what the source itself has measured, with its hardware; or empty
  TimingClass timing = WARPAES_TIMING_LEAKY;
  Machine machine = Machine::gpu;
  std::span<const Mode> modes = {};
  std::span<const int> key_bits = {};
  std::span<const Direction> directions = {};
  // Members of the shape that a study may vary. All others stay as they are in `shape`.
  std::span<const Axis* const> axes = {};
  Shape shape = {};  // the shape with which a sweep begins

  void (*run_on_cpu)(const Task&) = nullptr;  // for lessons that run on a CPU
  void (*emulate)(const Task&) = nullptr;     // for lessons that run on a GPU: the same body on the CPU
  /// Starts the kernel on the current device and does not wait for it. Null if the file was not compiled for
  /// GPUs. Throws Failure.
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
std::string mode_names(const Lesson& lesson);  // for example "ecb, ctr"

/// Null if this lesson has no such axis. A lesson may have an axis of its own with fewer values.
const Axis* axis_of(const Lesson& lesson, std::string_view name);

/// What the bytes of a task must be a multiple of: a block in ECB, a key in key expansion.
uint64_t unit_bytes(const Variant& variant);

/// Throws Failure(OPTION), naming what there is instead, unless the lesson has this variant.
void require_variant(const Lesson& lesson, const Variant& variant);

}  // namespace warpaes::core::lab
