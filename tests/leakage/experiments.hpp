// The experiments of the leak test: each has a kernel, a size, and something that differs between two sets of
// launches.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/gpu_timer.hpp"
#include "device/device.hpp"
#include "engines/engine.hpp"
#include "subjects.hpp"
#include "timed_modes.hpp"
#include "welch.hpp"

namespace warpaes::core::leakage {

/// Set one holds something fixed, set two draws it anew for each launch; all else is the same for both.
enum class Varied {
  input,    // one message, or random ones; the key is fixed
  pattern,  // one block again and again, or random data; the key is fixed
  key,      // key and counter or nonce fixed, or random; the data is random
  tag       // which byte of a wrong tag is wrong: the first, or any; the data is random, the key fixed
};

/// Keys, fixed ones in the first half and random ones in the second, each an object of its own, so that
/// where an object lies tells nothing of its kind.
constexpr size_t kKeys = 128;

/// What is timed: enqueues one call on `stream`. @param iv 16 bytes of host memory
using Call = std::function<void(size_t key, const uint8_t* iv, Stream stream)>;

/// What an experiment is for.
enum class Role {
  product,   // no difference may be found
  baseline,  // memory alone: how much time does a pattern save that nothing computes on?
  control    // a difference must be found
};

struct Experiment {
  std::string subject;  // "cuda/lane_private_tables ecb encrypt"
  Form form;
  uint64_t bytes;
  Varied varied;
  Role role;
  Call call;
  const uint8_t* raw_keys = nullptr;  // device memory, one after the other; null if no key is taken as data
  Call prepare = nullptr;             // before the clock starts; may be empty
  bool fresh_nonces = false;          // see TimedMode

  /// Its share of the time, beside the others': a launch takes a thousand times as long at 128 MiB as it does
  /// at 4 KiB, and a set should still have hundreds.
  double weight() const;
};

/// What the launches of an experiment took.
struct Found {
  Comparison time;  // nanoseconds
  /// Clock cycles of a multiprocessor, in long calls only. The clock changes with the power that is drawn,
  /// and with it the time of a call: these tell how much of a difference is more work, and how much is not.
  std::optional<Comparison> cycles;
};

/// Memory that all experiments share, and their keys.
class Laboratory {
 public:
  explicit Laboratory(int device);

  /// Every mode of these engines, at every size, after the controls and the baselines.
  std::vector<Experiment> experiments(const std::vector<const Engine*>& engines);

  /// Launches of both sets in random order, for that long. Their times are those of the GPU's own clock
  /// between two events around the call.
  Found run(const Experiment& experiment, double seconds);

  /// Is the control AES at all? Throws if not.
  void check_control();

 private:
  struct Keys {
    std::vector<KeySchedule> schedules;
    std::vector<std::unique_ptr<EngineKey>> prepared;
    DeviceBuffer raw;  // see Experiment::raw_keys
  };
  const Keys& keys_for(const Engine* engine, int key_bits);
  void add_controls(std::vector<Experiment>& experiments);
  void add_mode(std::vector<Experiment>& experiments, const Engine& engine, const Keys& keys,
                const TimedMode& mode, Form form);
  /// The events and readings of one launch.
  struct Clocks {
    Clocks(int device, ClockReading* here) : begun(device), ended(device), readings(here) {}
    bench::GpuEvent begun, ended;
    ClockReading* readings;  // two in device memory, before and after; null if cycles are not counted
  };
  void check_status(const Experiment& experiment);
  void enqueue(const Experiment& experiment, const struct Draw& draw, const Clocks& clocks);

  int device_;
  OwnedStream stream_;
  DeviceBuffer input_, output_, ciphertext_, tags_, statuses_, lengths_, nonces_, workspace_, readings_;
  DeviceBuffer
      raw_key_;  // what a launch takes as data: one place for all keys, as places have times of their own
  std::vector<std::unique_ptr<Keys>> keys_;
};

}  // namespace warpaes::core::leakage
