#include "experiments.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <random>

#include "benchmarks/device_timer.hpp"
#include "device/cuda_error.hpp"
#include "engines/portable/portable_engine.hpp"
#include "modes/modes.hpp"
#include "subjects.hpp"
#include "timed_modes.hpp"

namespace warpaes::leakage {
namespace {

constexpr uint64_t kSizes[] = {4096, 256 << 10};  // one warp's work or two; all multiprocessors'
constexpr size_t kLaunches = 512;                 // between two looks at the clock
constexpr size_t kEnough = 500'000;
constexpr uint64_t kFixedSeed = 0x5eed;

std::vector<KeySchedule> schedules() {
  std::mt19937_64 generator(std::random_device{}());
  std::vector<KeySchedule> made;
  uint64_t words[2] = {
      0, generator()};  // half of the fixed one is zeros: unlike a random one in its weight, too
  for (size_t i = 0; i < kKeys; i++) {
    if (i >= kKeys / 2) words[0] = generator(), words[1] = generator();
    uint8_t key[16];
    std::memcpy(key, words, sizeof key);
    made.emplace_back(key);
  }
  return made;
}

/// What one launch is given; drawn the same number of times whichever set it is of.
struct Draw {
  bool second;
  InputPattern input;
  size_t key;
  uint8_t iv[16];
};

Draw draw(std::mt19937_64& generator, Varied varied) {
  Draw made{};
  const uint64_t seed = generator(), which_key = generator(), words[2] = {generator(), generator()};
  made.second = generator() >> 63 != 0;
  const bool random_key = varied == Varied::key && made.second;
  const bool fixed_data = varied != Varied::key && !made.second;
  made.input = {fixed_data ? kFixedSeed : seed, fixed_data && varied == Varied::pattern};
  made.key = which_key % (kKeys / 2) + (random_key ? kKeys / 2 : 0);
  std::memset(made.iv, 0x42, sizeof made.iv);
  // A counter that a launch ends at would be another amount of work: its last words stay.
  if (random_key) std::memcpy(made.iv, words, 12);
  return made;
}

}  // namespace

Laboratory::Laboratory(int device)
    : device_(device),
      stream_(device),
      input_(device, kLargest),
      output_(device, kLargest / kWrappedBytes * (kWrappedBytes + 8)),
      tags_(device, kLargest / kMessageBytes * 16),
      statuses_(device, kLargest / kWrappedBytes * sizeof(int32_t)),
      nonces_(device, kLargest / kMessageBytes * 16),
      raw_key_(device, 16) {
  std::mt19937_64 generator(kFixedSeed);
  std::vector<uint8_t> nonces(nonces_.size());
  for (uint8_t& byte : nonces) byte = static_cast<uint8_t>(generator());
  copy_to_device(nonces_.data(), nonces.data(), nonces.size(), stream_.get());
  synchronize(stream_.get());
}

const Laboratory::Keys& Laboratory::keys_for(const Engine* engine) {
  auto keys = std::make_unique<Keys>();
  keys->schedules = schedules();
  if (engine != nullptr) {
    for (const KeySchedule& schedule : keys->schedules)
      keys->prepared.push_back(engine->prepare(schedule, device_));
    std::vector<uint8_t> raw(16 * keys->schedules.size());
    for (size_t i = 0; i < keys->schedules.size(); i++) {
      std::memcpy(raw.data() + 16 * i, keys->schedules[i].encryption().word,
                  16);  // which begins with the key
    }
    keys->raw = DeviceBuffer(device_, raw.size());
    copy_to_device(keys->raw.data(), raw.data(), raw.size(), stream_.get());
    synchronize(stream_.get());
  }
  return *keys_.emplace_back(std::move(keys));
}

std::vector<Experiment> Laboratory::experiments(const std::vector<const Engine*>& engines) {
  std::vector<Experiment> made;
  const auto add = [&made](const std::string& subject, const uint8_t* raw_keys, const auto& call) {
    for (const uint64_t bytes : kSizes) {
      for (const Varied varied : {Varied::input, Varied::pattern, Varied::key}) {
        made.push_back({subject, bytes, varied, Role::product,
                        [=](size_t key, const uint8_t* iv, Stream stream) { call(bytes, key, iv, stream); },
                        raw_keys});
      }
    }
  };
  const Keys& control = keys_for(nullptr);
  made.push_back({"leaky key bits", 1024, Varied::key, Role::control,
                  [this, &control](size_t key, const uint8_t*, Stream stream) {
                    leaky_key_bits(control.schedules[key].encryption(), output_.data(), stream);
                  },
                  nullptr});
  for (const uint64_t bytes : kSizes) {
    made.push_back({"leaky T-tables", bytes, Varied::pattern, Role::control,
                    [this, &control, bytes](size_t key, const uint8_t*, Stream stream) {
                      leaky_t_tables(control.schedules[key].encryption(), 10, input_.data(), output_.data(),
                                     bytes, stream);
                    },
                    nullptr});
    made.push_back({"copy", bytes, Varied::pattern, Role::baseline,
                    [this, bytes](size_t, const uint8_t*, Stream stream) {
                      copy_blocks(input_.data(), output_.data(), bytes, stream);
                    },
                    nullptr});
  }
  for (const Engine* engine : engines) {
    const size_t workspace = workspace_bytes(*engine);
    if (workspace > workspace_.size()) workspace_ = DeviceBuffer(device_, workspace);
    const Keys& keys = keys_for(engine);
    for (const TimedMode& mode : timed_modes()) {
      if (!mode.is_in(*engine)) continue;
      add(full_name(*engine) + " " + mode.name, keys.raw.data(),
          [this, engine, &keys, &mode](uint64_t bytes, size_t key, const uint8_t* iv, Stream stream) {
            mode.call(
                *engine, *keys.prepared[key],
                {input_.data(), output_.data(), tags_.data(), reinterpret_cast<int32_t*>(statuses_.data()),
                 nonces_.data(), workspace_, device_, raw_key_.data()},
                bytes, iv, stream);
          });
    }
  }
  return made;
}

Comparison Laboratory::run(const Experiment& experiment, double seconds) {
  const DeviceScope scope(device_);
  std::deque<bench::Event> begun, ended;
  std::vector<Draw> draws(kLaunches);
  for (size_t i = 0; i < kLaunches; i++) {
    begun.emplace_back(device_);
    ended.emplace_back(device_);
  }
  std::mt19937_64 generator(std::random_device{}());
  std::vector<double> times[2];
  bool warm = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end && times[0].size() + times[1].size() < 2 * kEnough) {
    for (size_t i = 0; i < kLaunches; i++) {
      draws[i] = draw(generator, experiment.varied);
      write_input(input_.data(), experiment.bytes, draws[i].input, stream_.get());
      if (experiment.raw_keys != nullptr) {
        check(cudaMemcpyAsync(raw_key_.data(), experiment.raw_keys + 16 * draws[i].key, 16,
                              cudaMemcpyDeviceToDevice, stream_.get()),
              "copying a key");
      }
      begun[i].record(stream_.get());
      experiment.call(draws[i].key, draws[i].iv, stream_.get());
      ended[i].record(stream_.get());
    }
    synchronize(stream_.get());
    for (size_t i = 0; warm && i < kLaunches; i++) {
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begun[i].get(), ended[i].get()), "cudaEventElapsedTime");
      times[draws[i].second].push_back(1e6 * static_cast<double>(milliseconds));
    }
    warm = true;
  }
  return compare(times[0], times[1]);
}

void Laboratory::check_control() {
  const Keys& keys = keys_for(nullptr);
  const KeySchedule& schedule = keys.schedules.back();
  std::vector<uint8_t> input(kLargest), output(kLargest), expected(kLargest);
  write_input(input_.data(), kLargest, {1, false}, stream_.get());
  leaky_t_tables(schedule.encryption(), schedule.rounds(), input_.data(), output_.data(), kLargest,
                 stream_.get());
  copy_to_host(input.data(), input_.data(), kLargest, stream_.get());
  copy_to_host(output.data(), output_.data(), kLargest, stream_.get());
  synchronize(stream_.get());
  const auto key = portable_t_tables.prepare(schedule, 0);
  ecb(portable_t_tables, *key, WARPAES_ENCRYPT, {input.data(), expected.data(), kLargest}, nullptr);
  if (output != expected) throw Failure(WARPAES_ERROR_INTERNAL, "the leaky kernel does not compute AES");
}

}  // namespace warpaes::leakage
