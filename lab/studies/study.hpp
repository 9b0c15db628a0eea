// A study as a table: which lessons, engines and programs are compared, on which data and over what, and what
// others have published about the same. Each study is a file of such rows; nothing in these files measures.
#pragma once

#include <array>

#include "lab/lesson.hpp"

namespace warpaes::core::lab {

enum class Worker {
  lesson,  // a lesson of the catalogue
  engine,  // an engine of the library: "cuda", "cuda/bitsliced", "openssl"
  program  // `openssl enc`, which is started anew each time and works from file to file
};

/// A value of a lesson's shape that differs from what the lesson's row has.
struct Setting {
  const Axis* axis = nullptr;
  uint32_t value = 0;
};

enum class Input { random, equal_blocks };

/// Something that is measured: a line of the chart, or a step of it.
struct Subject {
  std::string_view series;
  Worker worker = Worker::lesson;
  std::string_view name = {};
  Mode mode = Mode::ecb;
  Direction direction = WARPAES_DIRECTION_ENCRYPT;
  int key_bits = 128;
  /// Data comes from pageable host memory and goes back there, and the time includes that. Otherwise the data
  /// is where it is worked on, for GPUs in their memory.
  bool with_copies = false;
  unsigned threads = 1;        // CPU threads, for engines on the CPU; 0: all
  std::string_view step = {};  // its place on the axis, if steps are compared
  Setting settings[2] = {};
  Input input = Input::random;
  std::string_view production_mode = {};  // a mode of an engine that no lesson has, such as "gcm"
  bool in_graph = false;                  // the call of an engine on the GPU is replayed from a CUDA graph
};

/// The same subjects, when they decrypt.
template <size_t Count>
constexpr std::array<Subject, Count> decrypting(std::array<Subject, Count> subjects) {
  for (Subject& subject : subjects) subject.direction = WARPAES_DIRECTION_DECRYPT;
  return subjects;
}

/// Each subject with all key sizes, which are the steps.
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

/// Figures that others have published. What they do not tell is 0.
struct Published {
  std::string_view series;  // including the hardware
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
  time,     // the median of samples, each of one or many calls
  latency,  // of single calls, from the host and back, as a distribution
  energy    // energy and power, over some seconds
};

struct Quantity {
  std::string_view field;  // the field of a result line that it shows
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
  std::span<const uint64_t>
      sizes;  // across bytes, each size is a point; otherwise the largest one that fits is used
  std::span<const Quantity> quantities;
  std::span<const Subject> subjects;
  std::span<const Published> published = {};
  Measure measure = Measure::time;
};

struct Study {
  std::string_view name, title, question, source;
  std::span<const Panel> panels;
  bool attacks_key_byte = false;  // after the panels, the attack of key_byte.hpp follows
};

inline constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

/// Sizes for comparisons of steps: a GPU takes the first, and a CPU where there is no GPU the last.
inline constexpr uint64_t kBulk[] = {256 * kMiB, 64 * kMiB, kMiB};

/// All studies, in the order in which they run.
std::span<const Study* const> all_studies();
/// The study of that name, or null.
const Study* find_study(std::string_view name);

}  // namespace warpaes::core::lab
