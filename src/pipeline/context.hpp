// A context chooses engines, and a key is prepared for each of them. The functions `…_host` do a mode's work
// on host memory by the engine that suits the call, and bring the data to its memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace warpaes::core {

/// The most threads that a context may have on the CPU. More would be a mistake, and would use up what the
/// system has for everybody.
constexpr unsigned kMostThreads = 4096;

struct ContextOptions {
  std::string engine = "auto";
  /// The GPUs that share calls on host memory, each named once. Calls on device memory go to the first one.
  std::vector<int> devices = {0};
  bool all_devices = false;  // take all GPUs that there are, of which there may be none
  TimingClass timing = WARPAES_TIMING_LEAKY;
  unsigned threads = 0;  // 0: as many as the process may use CPUs
};

/// Kinds of work that CPUs and GPUs do at speeds of their own: one pass over the data, GCM, and messages in
/// each of which every block waits for the one before.
enum class WorkKind { stream, gcm, chained };
constexpr size_t kWorkKinds = 3;
WorkKind work_kind(warpaes_mode mode, Direction direction);

/// What of a call on host memory decides which engine is the fastest.
struct HostWork {
  uint64_t bytes;
  uint64_t shares = UINT64_MAX;  // how many CPU threads can share it; a message that chains is work for one
  bool pinned = false;           // it lies in a HostBuffer, or in other memory that CUDA has pinned
  WorkKind kind = WorkKind::stream;
};

/// Has the engines that calls may go to, the best one first, each checked by its self-test. Under "auto"
/// these are one on the GPU and one on the CPU; a forced context has the one that was asked for.
class Context {
 public:
  explicit Context(const ContextOptions& options);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// The forced engine, or else the GPU's if the GPU takes part in that work beside the CPU's threads, or
  /// else the CPU's. Short calls are the CPU's. The first long call of a kind and size measures what is
  /// faster, which takes some hundredths of a second (host_speed.hpp).
  const Engine& engine_for(const HostWork& work) const;
  const Engine& engine_for(uint64_t bytes) const { return engine_for(HostWork{bytes}); }

  /// The engine that works on device memory. Throws UNSUPPORTED, which says why there is none.
  const Engine& device_engine() const;

  /// Lets each engine's self-test run, if it has not yet, with what the mode needs. Throws SELF_TEST if an
  /// engine computes wrongly: this context is of no use then, and a new one is made without that engine.
  void require_tested(warpaes_mode mode) const;

  bool has_device_engine() const;
  bool forced() const;
  /// The first of its GPUs.
  int device() const { return devices().front(); }
  std::span<const int> devices() const;
  /// Those for which the engine has to be tested and a key prepared: one is enough for an engine of the CPU.
  std::span<const int> devices_of(const Engine& engine) const;
  unsigned threads() const;
  std::span<const Engine* const> engines() const;

  struct State;
  State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

class Key {
 public:
  Key(const Context& context, std::span<const uint8_t> key);
  ~Key();
  Key(Key&&) noexcept;
  Key& operator=(Key&&) = delete;

  const Context& context() const { return *context_; }
  int key_bits() const { return schedule().key_bits(); }
  const KeySchedule& schedule() const { return schedule_->held; }
  /// The key as it was prepared for one of the context's engines, on the context's first device or on the one
  /// that is named. For an engine of the CPU the device does not matter.
  const EngineKey& prepared(const Engine& engine) const { return prepared(engine, context_->device()); }
  const EngineKey& prepared(const Engine& engine, int device) const;

 private:
  const Context* context_;
  std::unique_ptr<const SecretHolder<KeySchedule>> schedule_;
  struct Prepared {
    const Engine* engine;
    int device;
    std::unique_ptr<EngineKey> key;
  };
  std::vector<Prepared> prepared_;
};

// These functions read and write host memory, and return when the work is done. CPU engines share it between
// the context's threads; GPU engines bring it through device memory in pieces. If one fails in the middle,
// its output is made zero.
void ecb_host(const Key& key, Direction direction, const BlockRun& run);
void ctr_host(const Key& key, const CounterRun& run);
/// Encryption chains, so it is the work of one CPU thread. Decryption is shared as ECB is; in CFB8 and CFB1
/// only CPU engines have it. Throws UNSUPPORTED if this takes a CPU engine and the context has none.
/// @param mode CBC, CFB, CFB8 or CFB1
void chain_host(const Key& key, warpaes_mode mode, Direction direction, const ChainRun& run);
void ofb_host(const Key& key, const ChainRun& run);
void xts_host(const Key& key, const Key& tweak_key, Direction direction, const XtsRun& run);

/// Throws XTS_KEYS unless the two are of one context and fit each other.
void require_valid_xts_keys(const Key& key, const Key& tweak_key);
/// What is wrong with a message is in batch.statuses. A GPU engine that does not have the batch leaves it to
/// the CPU's; if it was forced, UNSUPPORTED is thrown.
/// @param second XTS' tweak key, or SIV's MAC key; else null
void batch_host(const Key& key, const Batch& batch, const Key* second = nullptr);
/// The same for a batch of one message with a status, in a mode other than XTS, whose lengths and memory have
/// been checked: to check everything twice would take longer than a short message does.
void message_host(const Key& key, const Batch& message, const Key* second = nullptr);
/// The same for SIV. A CPU engine makes its MAC, and its key stream is made as CTR's is. Throws UNSUPPORTED
/// if the context has no CPU engine.
void siv_host(const Key& key, const Batch& message, const Key* mac_key);
void batch_key_each_host(const Context& context, const KeyArray& keys, const Batch& batch);

/// Memory for long inputs and outputs, which is zero at first, kept out of core dumps, and wiped before it is
/// freed. It is pinned if the context has a GPU engine, and secret memory (process/secret_memory.hpp) if not.
class HostBuffer {
 public:
  HostBuffer(const Context& context, size_t bytes);
  HostBuffer(HostBuffer&&) noexcept = default;
  HostBuffer& operator=(HostBuffer&&) noexcept = default;
  uint8_t* data() const { return memory_.get(); }
  size_t size() const { return size_; }

 private:
  std::shared_ptr<uint8_t> memory_;  // which knows how it is to be freed; null if there are no bytes
  size_t size_;
};

}  // namespace warpaes::core
