// A context chooses engines; a key is expanded once for each of them; the host forms of the modes
// bring host memory to whatever memory the chosen engine works on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace warpaes::core {

/// Of a context on the CPU: more is a mistake, and would use up what the system has for all.
constexpr unsigned kMostThreads = 4096;

struct ContextOptions {
  std::string engine = "auto";
  /// GPUs that share calls on host memory, no number twice. Calls on device memory are the first one's.
  std::vector<int> devices = {0};
  bool all_devices = false;  // instead: all that there are, and none is no mistake
  TimingClass timing = WARPAES_TIMING_LEAKY;
  unsigned threads = 0;
};

/// Kinds of work that CPUs and GPUs do at speeds of their own: what needs a pass over the data, GCM, and
/// messages of which each chains.
enum class WorkKind { stream, gcm, chained };
constexpr size_t kWorkKinds = 3;
WorkKind work_kind(warpaes_mode mode, Direction direction);

/// A call on host memory, as far as it decides which engine is the fastest.
struct HostWork {
  uint64_t bytes;
  uint64_t shares = UINT64_MAX;  // CPU threads that can work on it: a message that chains is one's
  bool pinned = false;           // it lies in a HostBuffer, or in other memory that CUDA has pinned
  WorkKind kind = WorkKind::stream;
};

/// The engines that calls may go to, best first, each checked by its self-test: one on the GPU and one
/// on the CPU under "auto", the one asked for in a forced context.
class Context {
 public:
  explicit Context(const ContextOptions& options);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// The forced engine; or the GPU's if it takes part in that work, beside the CPU's threads; else the CPU's.
  /// Short calls are the CPU's, and the first long one of a kind measures what is faster, which takes some
  /// hundredths of a second.
  const Engine& engine_for(const HostWork& work) const;
  const Engine& engine_for(uint64_t bytes) const { return engine_for(HostWork{bytes}); }

  /// The engine that works on device memory; throws UNSUPPORTED, saying why there is none.
  const Engine& device_engine() const;

  /// Has the self-test of each engine seen what the mode needs? It runs now if not. Throws SELF_TEST if an
  /// engine computes wrongly: the context is of no use then, and another one is made without that engine.
  void require_tested(warpaes_mode mode) const;

  bool has_device_engine() const;
  bool forced() const;
  /// The first one.
  int device() const { return devices().front(); }
  std::span<const int> devices() const;
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
  /// The prepared key of one of the context's engines, on its first device or on the one that is named. For a
  /// CPU's engine the device does not matter.
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

// Host memory in, host memory out, synchronous. CPU engines share a batch between the context's
// threads; GPU engines stage it through device memory: one call a batch.
void ecb_host(const Key& key, Direction direction, const BlockRun& run);
void ctr_host(const Key& key, const CounterRun& run);
/// Encryption chains and so belongs to one CPU thread: it throws UNSUPPORTED if the context has no CPU
/// engine. Decryption is shared and staged as ECB is, in CFB8 and CFB1 by CPU engines only: others throw
/// UNSUPPORTED.
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
/// The same of one message with a status, in a mode other than XTS. All lengths and its memory have been
/// checked: a short message takes less time than to look at everything twice.
void message_host(const Key& key, const Batch& message, const Key* second = nullptr);
/// The same of SIV's, whose MAC is made on a CPU engine, and its key stream where CTR goes. Throws
/// UNSUPPORTED if the context has no such engine.
void siv_host(const Key& key, const Batch& message, const Key* mac_key);
void batch_key_each_host(const Context& context, const KeyArray& keys, const Batch& batch);

/// Memory for bulk input and output: pinned if the context has a GPU engine; if not, secret memory
/// (process/secret_memory.hpp). Kept out of core dumps, wiped before it is freed, zero at first.
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
