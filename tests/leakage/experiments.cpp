#include "experiments.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <random>

#include "device/cuda_error.hpp"
#include "engines/portable/portable_engine.hpp"
#include "modes/modes.hpp"
#include "subjects.hpp"

namespace warpaes::core::leakage {

/// What one launch is given; drawn the same number of times whichever set it is of.
struct Draw {
  bool second;
  InputPattern input;
  size_t key;
  uint8_t iv[16];
  uint64_t nonces;      // fresh ones, of both sets
  uint32_t wrong_byte;  // of tags
  bool spoils_tags;
};

namespace {

constexpr uint64_t kControlSizes[] = {kSmall, kMedium};
constexpr Form kControls{128, false};
constexpr double kWeightOfLongest = 4;

/// Launches between two looks at the clock.
constexpr size_t launches_at_once(uint64_t bytes) { return bytes >= kLongest ? 64 : 512; }

constexpr size_t kEnough = 500'000;
constexpr uint64_t kFixedSeed = 0x5eed;

constexpr size_t kMostKeyBytes = 32;
// Where data begins at odd addresses, after one that is a multiple of 256: input and ciphertext, and output.
constexpr size_t kOddInput = 1, kOddOutput = 6, kRoomForOdd = 16;

std::vector<KeySchedule> schedules(int key_bits) {
  std::mt19937_64 generator(std::random_device{}());
  std::vector<KeySchedule> made;
  // Half of the fixed one is zeros: unlike a random one in its weight, too.
  std::array<uint64_t, kMostKeyBytes / 8> words{};
  const auto draw_words = [&](size_t from) {
    for (size_t i = from; i < words.size(); i++) words.at(i) = generator();
  };
  const size_t count = static_cast<size_t>(key_bits / 64);
  draw_words(count / 2);
  for (size_t i = 0; i < kKeys; i++) {
    if (i >= kKeys / 2) draw_words(0);
    std::array<uint8_t, kMostKeyBytes> key{};
    std::memcpy(key.data(), words.data(), key.size());
    made.emplace_back(std::span(key).first(8 * count));
  }
  return made;
}

Draw draw(std::mt19937_64& generator, Varied varied) {
  Draw made{};
  const uint64_t seed = generator(), which_key = generator(), words[2] = {generator(), generator()};
  const auto any_byte = static_cast<uint32_t>(generator() % 16);
  made.nonces = generator();
  made.second = generator() >> 63 != 0;
  const bool random_key = varied == Varied::key && made.second;
  const bool fixed_data = (varied == Varied::input || varied == Varied::pattern) && !made.second;
  made.input = {fixed_data ? kFixedSeed : seed, fixed_data && varied == Varied::pattern};
  made.spoils_tags = varied == Varied::tag;
  made.wrong_byte = made.second ? any_byte : 0;
  made.key = which_key % (kKeys / 2) + (random_key ? kKeys / 2 : 0);
  std::memset(made.iv, 0x42, sizeof made.iv);
  // A counter that a launch ends at would be another amount of work: its last words stay.
  if (random_key) std::memcpy(made.iv, words, 12);
  return made;
}

}  // namespace

double Experiment::weight() const { return bytes >= kLongest ? kWeightOfLongest : 1; }

Laboratory::Laboratory(int device)
    : device_(device),
      stream_(device),
      input_(device, kLongest + kRoomForOdd),
      output_(device, kLongest + kRoomForOdd),
      ciphertext_(device, kLongest + kRoomForOdd),
      tags_(device, kMedium / kMessageBytes * 16),
      statuses_(device, kMostMessages * sizeof(int32_t)),
      lengths_(device, kMostMessages * sizeof(uint64_t)),
      nonces_(device, kMostMessages * 16),
      readings_(device, 2 * launches_at_once(kLongest) * sizeof(ClockReading)),
      raw_key_(device, kMostKeyBytes) {
  std::mt19937_64 generator(kFixedSeed);
  std::vector<uint8_t> nonces(nonces_.size());
  for (uint8_t& byte : nonces) byte = static_cast<uint8_t>(generator());
  copy_to_device(nonces_.data(), nonces.data(), nonces.size(), stream_.get());
  synchronize(stream_.get());
}

const Laboratory::Keys& Laboratory::keys_for(const Engine* engine, int key_bits) {
  auto keys = std::make_unique<Keys>();
  keys->schedules = schedules(key_bits);
  if (engine != nullptr) {
    for (const KeySchedule& schedule : keys->schedules)
      keys->prepared.push_back(engine->prepare(schedule, device_));
    std::vector<uint8_t> raw;
    for (const KeySchedule& schedule : keys->schedules)
      raw.insert(raw.end(), schedule.key().begin(), schedule.key().end());
    keys->raw = DeviceBuffer(device_, raw.size());
    copy_to_device(keys->raw.data(), raw.data(), raw.size(), stream_.get());
    synchronize(stream_.get());
  }
  return *keys_.emplace_back(std::move(keys));
}

/// Their inputs are only patterns, and the copy's of every size that there is, as patterns are judged by it.
void Laboratory::add_controls(std::vector<Experiment>& made) {
  const Keys& control = keys_for(nullptr, kControls.key_bits);
  made.push_back({"leaky key bits", kControls, 1024, Varied::key, Role::control,
                  [this, &control](size_t key, const uint8_t*, Stream stream) {
                    leaky_key_bits(control.schedules[key].encryption(), output_.data(), stream);
                  }});
  for (const uint64_t bytes : kControlSizes) {
    made.push_back({"leaky T-tables", kControls, bytes, Varied::pattern, Role::control,
                    [this, &control, bytes](size_t key, const uint8_t*, Stream stream) {
                      leaky_t_tables(control.schedules[key].encryption(), 10, input_.data(), output_.data(),
                                     bytes, stream);
                    }});
  }
  for (const uint64_t bytes : kAllSizes) {
    made.push_back({"copy", kControls, bytes, Varied::pattern, Role::baseline,
                    [this, bytes](size_t, const uint8_t*, Stream stream) {
                      copy_blocks(input_.data(), output_.data(), bytes, stream);
                    }});
  }
}

void Laboratory::add_mode(std::vector<Experiment>& made, const Engine& engine, const Keys& keys,
                          const TimedMode& mode, Form form) {
  const auto call_of = [this, &engine, &keys, form](ModeCall call, uint64_t bytes) -> Call {
    if (call == nullptr) return nullptr;
    const size_t in = form.odd_addresses ? kOddInput : 0, out = form.odd_addresses ? kOddOutput : 0;
    return [this, &engine, &keys, call, bytes, form, in, out](size_t key, const uint8_t* iv, Stream stream) {
      call(engine, *keys.prepared[key],
           {form.key_bits, input_.data() + in, output_.data() + out, ciphertext_.data() + in, tags_.data(),
            reinterpret_cast<int32_t*>(statuses_.data()), reinterpret_cast<uint64_t*>(lengths_.data()),
            nonces_.data(), workspace_, device_, raw_key_.data()},
           bytes, iv, stream);
    };
  };
  constexpr Varied kOfMessages[] = {Varied::input, Varied::pattern, Varied::key}, kOfTags[] = {Varied::tag};
  const std::span<const Varied> all = mode.wrong_tags ? std::span<const Varied>(kOfTags) : kOfMessages;
  for (const uint64_t bytes : mode.sizes) {
    for (const Varied varied : all) {
      made.push_back({full_name(engine) + " " + mode.name, form, bytes, varied, Role::product,
                      call_of(mode.call, bytes), keys.raw.data(), call_of(mode.prepare, bytes),
                      mode.fresh_nonces});
    }
  }
}

std::vector<Experiment> Laboratory::experiments(const std::vector<const Engine*>& engines) {
  std::vector<Experiment> made;
  add_controls(made);
  for (const Engine* engine : engines) {
    const size_t workspace = workspace_bytes(*engine);
    if (workspace > workspace_.size()) workspace_ = DeviceBuffer(device_, workspace);
    const Keys &short_keys = keys_for(engine, 128), &long_keys = keys_for(engine, 256);
    for (const TimedMode& mode : timed_modes()) {
      if (!mode.is_in(*engine)) continue;
      for (const Form form : mode.forms())
        add_mode(made, *engine, form.key_bits == 128 ? short_keys : long_keys, mode, form);
    }
  }
  return made;
}

void Laboratory::enqueue(const Experiment& experiment, const Draw& drawn, const Clocks& clocks) {
  Stream stream = stream_.get();
  const uint64_t room = experiment.form.odd_addresses ? kRoomForOdd : 0;
  write_input(input_.data(), experiment.bytes + room, drawn.input, stream);
  uint8_t iv[sizeof drawn.iv];
  std::memcpy(iv, drawn.iv, sizeof iv);
  if (experiment.fresh_nonces) {
    write_input(nonces_.data(), nonces_.size(), {drawn.nonces, false}, stream);
    std::memcpy(iv, &drawn.nonces, sizeof drawn.nonces);
  }
  if (experiment.raw_keys != nullptr) {
    const size_t bytes = static_cast<size_t>(experiment.form.key_bits / 8);
    check(cudaMemcpyAsync(raw_key_.data(), experiment.raw_keys + bytes * drawn.key, bytes,
                          cudaMemcpyDeviceToDevice, stream),
          "copying a key");
  }
  if (experiment.prepare) experiment.prepare(drawn.key, iv, stream);
  if (drawn.spoils_tags) spoil_tags(tags_.data(), tags_.size() / 16, drawn.wrong_byte, stream);
  if (clocks.readings != nullptr) read_clock(&clocks.readings[0], stream);
  clocks.begun.record(stream);
  experiment.call(drawn.key, iv, stream);
  clocks.ended.record(stream);
  if (clocks.readings != nullptr) read_clock(&clocks.readings[1], stream);
}

/// Of what was prepared: were all of it refused by mistake, nothing but refusals would be timed in both sets.
void Laboratory::check_status(const Experiment& experiment) {
  int32_t status = 0;
  copy_to_host(&status, statuses_.data(), sizeof status, stream_.get());
  synchronize(stream_.get());
  const bool accepted = status == WARPAES_OK, has_wrong_tags = experiment.varied == Varied::tag;
  if (accepted == has_wrong_tags) {
    throw Failure(WARPAES_ERROR_INTERNAL,
                  experiment.subject + (accepted ? " accepts a wrong tag" : " refuses what was made for it"));
  }
}

Found Laboratory::run(const Experiment& experiment, double seconds) {
  const DeviceScope scope(device_);
  const size_t launches = launches_at_once(experiment.bytes);
  const bool counts_cycles = experiment.bytes >= kLongest;
  std::deque<Clocks> clocks;
  std::vector<Draw> draws(launches);
  std::vector<ClockReading> readings(counts_cycles ? 2 * launches : 0);
  for (size_t i = 0; i < launches; i++) {
    auto* const read = reinterpret_cast<ClockReading*>(readings_.data()) + 2 * i;
    clocks.emplace_back(device_, counts_cycles ? read : nullptr);
  }
  std::mt19937_64 generator(std::random_device{}());
  std::vector<double> times[2], cycles[2];
  bool warm = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  // At least some launches of each set, however little time there is.
  while ((std::chrono::steady_clock::now() < end || std::min(times[0].size(), times[1].size()) < 2) &&
         times[0].size() + times[1].size() < 2 * kEnough) {
    for (size_t i = 0; i < launches; i++) {
      draws[i] = draw(generator, experiment.varied);
      enqueue(experiment, draws[i], clocks[i]);
    }
    copy_to_host(readings.data(), readings_.data(), readings.size() * sizeof(ClockReading), stream_.get());
    synchronize(stream_.get());
    if (experiment.prepare) check_status(experiment);
    for (size_t i = 0; warm && i < launches; i++) {
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, clocks[i].begun.get(), clocks[i].ended.get()),
            "cudaEventElapsedTime");
      times[draws[i].second].push_back(1e6 * static_cast<double>(milliseconds));
      if (!counts_cycles || readings[2 * i].multiprocessor != readings[2 * i + 1].multiprocessor) continue;
      cycles[draws[i].second].push_back(
          static_cast<double>(readings[2 * i + 1].cycles - readings[2 * i].cycles));
    }
    warm = true;
  }
  Found found{compare(times[0], times[1]), {}};
  if (std::min(cycles[0].size(), cycles[1].size()) >= 2) found.cycles = compare(cycles[0], cycles[1]);
  return found;
}

void Laboratory::check_control() {
  const Keys& keys = keys_for(nullptr, kControls.key_bits);
  const KeySchedule& schedule = keys.schedules.back();
  std::vector<uint8_t> input(kMedium), output(kMedium), expected(kMedium);
  write_input(input_.data(), kMedium, {1, false}, stream_.get());
  leaky_t_tables(schedule.encryption(), schedule.rounds(), input_.data(), output_.data(), kMedium,
                 stream_.get());
  copy_to_host(input.data(), input_.data(), kMedium, stream_.get());
  copy_to_host(output.data(), output_.data(), kMedium, stream_.get());
  synchronize(stream_.get());
  const auto key = portable_t_tables.prepare(schedule, 0);
  ecb(portable_t_tables, *key, WARPAES_DIRECTION_ENCRYPT, {input.data(), expected.data(), kMedium}, nullptr);
  if (output != expected) throw Failure(WARPAES_ERROR_INTERNAL, "the leaky kernel does not compute AES");
}

}  // namespace warpaes::core::leakage
