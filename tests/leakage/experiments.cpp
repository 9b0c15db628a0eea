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
#include "modes/aead_table.hpp"
#include "modes/modes.hpp"
#include "subjects.hpp"

namespace warpaes::leakage {
namespace {

constexpr uint64_t kSizes[] = {4096, 256 << 10};  // one warp's work or two; all multiprocessors'
constexpr uint64_t kLargest = 256 << 10;
constexpr uint64_t kMessageBytes = 1024;  // of a batch, which has as many messages as make that size
constexpr uint64_t kWrappedBytes = 32;    // or that are wrapped keys
constexpr size_t kLaunches = 512;         // between two looks at the clock
constexpr size_t kEnough = 500'000;
constexpr uint64_t kFixedSeed = 0x5eed;

struct Buffers {
  const uint8_t* input;
  uint8_t* output;
  uint8_t* tags;
  int32_t* statuses;
  const uint8_t* nonces;  // of a batch: always the same ones
  DeviceBuffer& workspace;
  int device;
  const uint8_t* raw_key;  // in device memory
};

/// What is timed of each mode, of engines that have it.
struct TimedMode {
  const char* name;
  bool (*is_in)(const Engine& engine);
  void (*call)(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
               const uint8_t* iv, Stream stream);
};

template <Direction Way>
void ecb_blocks(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t*,
                Stream stream) {
  ecb(engine, key, Way, {at.input, at.output, bytes}, stream);
}

void ctr_bytes(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
               const uint8_t* iv, Stream stream) {
  ctr(engine, key, {iv, at.input, at.output, bytes}, stream);
}

void gcm_message(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                 const uint8_t* iv, Stream stream) {
  AeadBatch batch{};
  batch.direction = WARPAES_ENCRYPT;
  batch.messages = 1;
  batch.bytes = bytes;
  batch.input = at.input;
  batch.output = at.output;
  batch.host_nonce = iv;
  batch.host_nonce_bytes = 12;
  batch.tags = at.tags;
  batch.tag_bytes = 16;
  gcm(engine, key, batch, at.workspace.data(), at.workspace.size(), stream);
}

template <Aead Mode>
bool has_batches(const Engine& engine) {
  return aead_row(Mode).fused(engine).run != nullptr;
}

AeadBatch batch_of(Aead mode, const Buffers& at, uint64_t bytes) {
  AeadBatch batch{};
  batch.mode = mode;
  batch.direction = WARPAES_ENCRYPT;
  batch.messages = bytes / kMessageBytes;
  batch.bytes = kMessageBytes;
  batch.input = at.input;
  batch.input_stride = kMessageBytes;
  batch.output = at.output;
  batch.output_stride = kMessageBytes;
  batch.nonces = at.nonces;
  batch.nonce_stride = batch.nonce_bytes = 12;
  batch.tags = at.tags;
  batch.tag_stride = batch.tag_bytes = 16;
  return batch;
}

template <Aead Mode>
void aead_batch(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t*,
                Stream stream) {
  AeadBatch batch = batch_of(Mode, at, bytes);
  if (Mode == WARPAES_AEAD_SIV) batch.mac_key = &key;
  aead(engine, {key, 128}, batch, at.workspace.data(), at.workspace.size(), stream);
}

template <Aead Mode>
bool has_key_each(const Engine& engine) {
  return aead_row(Mode).fused(engine).key_each != nullptr;
}

/// The same key for each message, which the kernel does not know.
template <Aead Mode>
void aead_key_each(const Engine& engine, const EngineKey&, const Buffers& at, uint64_t bytes, const uint8_t*,
                   Stream stream) {
  aead_row(Mode).fused(engine).key_each(at.device, {at.raw_key, 0, 16}, batch_of(Mode, at, bytes), stream);
}

/// Nothing that is drawn is a wrapped key: all that is unwrapped is refused, in both sets.
template <CipherMode Mode>
CipherBatch cipher_batch_of(const Buffers& at, uint64_t bytes) {
  const uint64_t each = wraps_keys(Mode) ? kWrappedBytes : kMessageBytes;
  CipherBatch batch{};
  batch.mode = Mode;
  batch.messages = bytes / each;
  batch.bytes = batch.input_stride = each;
  batch.input = at.input;
  batch.output = at.output;
  batch.output_stride = each + (wraps_keys(Mode) ? 8 : 0);
  batch.ivs = at.nonces;
  batch.iv_stride = 16;
  batch.statuses = at.statuses;
  return batch;
}

bool has_cipher_batches(const Engine& engine) { return engine.cipher_batch != nullptr; }
bool has_data_units(const Engine& engine) { return engine.xts_batch != nullptr; }
bool has_cipher_key_each(const Engine& engine) { return engine.cipher_key_each != nullptr; }

template <CipherMode Mode>
void cipher_batch(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                  const uint8_t*, Stream stream) {
  engine.cipher_batch(key, cipher_batch_of<Mode>(at, bytes), stream);
}

template <CipherMode Mode>
void data_units(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t*,
                Stream stream) {
  engine.xts_batch({key, key, 128}, cipher_batch_of<Mode>(at, bytes), stream);
}

template <CipherMode Mode>
void cipher_key_each(const Engine& engine, const EngineKey&, const Buffers& at, uint64_t bytes,
                     const uint8_t*, Stream stream) {
  engine.cipher_key_each(at.device, {at.raw_key, 0, 16}, cipher_batch_of<Mode>(at, bytes), stream);
}

template <auto Decrypt>
void unchain(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t* iv,
             Stream stream) {
  (engine.*Decrypt)(key, {iv, at.input, at.output, bytes}, at.workspace.data(), stream);
}

void xts_data_unit(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                   const uint8_t* iv, Stream stream) {
  engine.xts({key, key, 128}, WARPAES_ENCRYPT, {iv, bytes, at.input, at.output, bytes}, stream);
}

constexpr TimedMode kModes[] = {
    {"ecb encrypt", [](const Engine&) { return true; }, ecb_blocks<WARPAES_ENCRYPT>},
    {"ecb decrypt", [](const Engine&) { return true; }, ecb_blocks<WARPAES_DECRYPT>},
    {"ctr", [](const Engine& engine) { return engine.counter != nullptr; }, ctr_bytes},
    {"gcm encrypt", [](const Engine& engine) { return engine.gcm != nullptr; }, gcm_message},
    {"cbc decrypt", [](const Engine& engine) { return engine.cbc_decrypt != nullptr; },
     unchain<&Engine::cbc_decrypt>},
    {"cfb decrypt", [](const Engine& engine) { return engine.cfb_decrypt != nullptr; },
     unchain<&Engine::cfb_decrypt>},
    {"xts encrypt", [](const Engine& engine) { return engine.xts != nullptr; }, xts_data_unit},
    // Not GCM-SIV: where its counters begin, and so a little of its work, is told by the tag, which is
    // public.
    {"gcm batch", has_batches<WARPAES_AEAD_GCM>, aead_batch<WARPAES_AEAD_GCM>},
    {"ccm batch", has_batches<WARPAES_AEAD_CCM>, aead_batch<WARPAES_AEAD_CCM>},
    {"eax batch", has_batches<WARPAES_AEAD_EAX>, aead_batch<WARPAES_AEAD_EAX>},
    {"ocb3 batch", has_batches<WARPAES_AEAD_OCB3>, aead_batch<WARPAES_AEAD_OCB3>},
    // Its counters begin at the tag too, but with a bit cleared that keeps them from carrying.
    {"siv batch", has_batches<WARPAES_AEAD_SIV>, aead_batch<WARPAES_AEAD_SIV>},
    {"gcm key each", has_key_each<WARPAES_AEAD_GCM>, aead_key_each<WARPAES_AEAD_GCM>},
    {"ccm key each", has_key_each<WARPAES_AEAD_CCM>, aead_key_each<WARPAES_AEAD_CCM>},
    {"eax key each", has_key_each<WARPAES_AEAD_EAX>, aead_key_each<WARPAES_AEAD_EAX>},
    {"ocb3 key each", has_key_each<WARPAES_AEAD_OCB3>, aead_key_each<WARPAES_AEAD_OCB3>},
    {"kw wrap batch", has_cipher_batches, cipher_batch<CipherMode::kw_wrap>},
    {"kw unwrap batch", has_cipher_batches, cipher_batch<CipherMode::kw_unwrap>},
    {"xts encrypt batch", has_data_units, data_units<CipherMode::xts_encrypt>},
    {"xts decrypt batch", has_data_units, data_units<CipherMode::xts_decrypt>},
    {"cbc encrypt key each", has_cipher_key_each, cipher_key_each<CipherMode::cbc_encrypt>},
    {"cbc decrypt key each", has_cipher_key_each, cipher_key_each<CipherMode::cbc_decrypt>},
    {"kw unwrap key each", has_cipher_key_each, cipher_key_each<CipherMode::kw_unwrap>},
};

/// Of any call in kModes.
size_t workspace_bytes(const Engine& engine) {
  size_t most = std::max(gcm_workspace_bytes(engine, 1, kLargest), unchain_workspace_bytes(engine, kLargest));
  for (const Aead mode : {WARPAES_AEAD_GCM, WARPAES_AEAD_CCM, WARPAES_AEAD_EAX, WARPAES_AEAD_OCB3}) {
    if (aead_row(mode).fused(engine).run == nullptr) continue;
    most = std::max(most, aead_workspace_bytes(engine, mode, kLargest / kMessageBytes, kMessageBytes));
  }
  return most;
}

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
    for (const TimedMode& mode : kModes) {
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
