// A study as a table: which lessons, engines and programs are compared, on which data, over what, and what
// others have published of the same. One file of rows a study; nothing here measures.
#pragma once

#include <array>

#include "lab/lesson.hpp"

namespace warpaes::core::lab {

enum class Worker {
  lesson,  // of the catalogue
  engine,  // of production: "cuda", "cuda/bitsliced", "openssl"
  program  // `openssl enc`, started anew each time, from file to file
};

/// One value of a lesson's shape that is not the row's own.
struct Setting {
  const Axis* axis = nullptr;
  uint32_t value = 0;
};

enum class Input { random, equal_blocks };

/// What is measured: a line of the chart, or a step of it.
struct Subject {
  std::string_view series;
  Worker worker = Worker::lesson;
  std::string_view name = {};
  Mode mode = Mode::ecb;
  Direction direction = WARPAES_DIRECTION_ENCRYPT;
  int key_bits = 128;
  /// Data comes from and goes to pageable host memory, and the time has that in it. Else it is where it is
  /// worked on: in the GPU's memory.
  bool with_copies = false;
  unsigned threads = 1;        // of the CPU, for engines there; 0: all
  std::string_view step = {};  // where it stands on the axis, if steps are compared
  Setting settings[2] = {};
  Input input = Input::random;
  std::string_view production_mode = {};  // of an engine, that no lesson has: "gcm"
  bool in_graph = false;                  // an engine's call on the GPU, replayed from a CUDA graph
};

/// The same, decrypting.
template <size_t Count>
constexpr std::array<Subject, Count> decrypting(std::array<Subject, Count> subjects) {
  for (Subject& subject : subjects) subject.direction = WARPAES_DIRECTION_DECRYPT;
  return subjects;
}

/// Each with all key sizes, which are the steps.
template <size_t Count>
constexpr std::array<Subject, 3 * Count> with_all_key_sizes(const std::array<Subject, Count>& subjects) {
  constexpr std::string_view kSteps[] = {"128 bits", "192 bits", "256 bits"};
  std::array<Subject, 3 * Count> made{};
  for (size_t i = 0; i < made.size(); i++) {
    made[i] = subjects[i / 3];
    made[i].key_bits = kAllKeySizes[i % 3];
    made[i].step = kSteps[i % 3];
  }
  return made;
}

/// Figures of others. What they do not tell is 0.
struct Published {
  std::string_view series;  // with the hardware
  uint64_t x = 0;
  double milliseconds = 0, gb_per_s = 0;
  std::string_view step = {};
};

enum class Across {
  bytes,  // how much data
  axis,   // a value of the lessons' shape
  steps   // the subjects' own steps
};

enum class Measure {
  time,     // the median of samples of many calls
  latency,  // of single calls, from the host and back: how they are distributed
  energy    // and power, over some seconds
};

struct Quantity {
  std::string_view field;  // of a result line
  std::string_view label, unit, scale;
};

inline constexpr Quantity kMilliseconds = {"milliseconds", "Time", "ms", "log"};
inline constexpr Quantity kThroughput = {"gb_per_s", "Throughput", "GB/s", "linear"};
inline constexpr Quantity kThroughputOverDecades = {"gb_per_s", "Throughput", "GB/s", "log"};
inline constexpr Quantity kMedianLatency = {"microseconds_p50", "Latency, median", "µs", "log"};
inline constexpr Quantity kTailLatency = {"microseconds_p99", "Latency, 99th percentile", "µs", "log"};
inline constexpr Quantity kEnergy = {"joules_per_gb", "Energy", "J/GB, without idle power", "linear"};
inline constexpr Quantity kPower = {"watts", "Power", "W", "linear"};
inline constexpr Quantity kOccupancy = {"occupancy", "Occupancy", "of resident threads", "linear"};
inline constexpr Quantity kRegisters = {"registers", "Registers", "a thread", "linear"};
inline constexpr Quantity kSharedMemory = {"shared_bytes", "Shared memory", "bytes a block", "linear"};

/// One comparison: a chart for each quantity.
struct Panel {
  std::string_view id, title;
  Across across = Across::bytes;
  const Axis* axis = nullptr;
  std::span<const uint64_t> sizes;  // across bytes: each is a point; else the largest that fits is taken
  std::span<const Quantity> quantities;
  std::span<const Subject> subjects;
  std::span<const Published> published = {};
  Measure measure = Measure::time;
};

struct Study {
  std::string_view name, title, question, source;
  std::span<const Panel> panels;
  bool attacks_key_byte = false;  // key_byte.hpp, behind the panels
};

inline constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

/// For comparisons of steps: a GPU takes the first, a CPU without one the last.
inline constexpr uint64_t kBulk[] = {256 * kMiB, 64 * kMiB, kMiB};

/// All of them, in the order in which they run.
std::span<const Study* const> all_studies();
/// Null if there is none of that name.
const Study* find_study(std::string_view name);

}  // namespace warpaes::core::lab
