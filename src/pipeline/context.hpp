// A context chooses engines; a key is expanded once for each of them; the host forms of the modes
// bring host memory to whatever memory the chosen engine works on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace warpaes {

struct ContextOptions {
  std::string engine = "auto";
  int device = 0;
  TimingClass timing = WARPAES_TIMING_LEAKY;
  unsigned threads = 0;
};

/// The engines that calls may go to, best first, each checked by its self-test; a forced context has one.
class Context {
 public:
  explicit Context(const ContextOptions& options);
  ~Context();

  /// Best engine for host memory of that length: measured once, at the first large call (auto), or the
  /// forced one.
  const Engine& engine_for(uint64_t bytes) const;

  /// The engine that works on device memory; throws UNSUPPORTED, saying why there is none.
  const Engine& device_engine() const;

  bool has_device_engine() const;
  bool forced() const;
  int device() const;
  unsigned threads() const;
  std::span<const Engine* const> engines() const;

  struct State;
  State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

class Key {
 public:
  Key(Context& context, std::span<const uint8_t> key);
  ~Key();
  Key(Key&&) noexcept;

  Context& context() const { return *context_; }
  int key_bits() const { return schedule_.key_bits(); }
  /// The prepared key of one of the context's engines.
  const EngineKey& prepared(const Engine& engine) const;

 private:
  Context* context_;
  KeySchedule schedule_;
  std::vector<std::unique_ptr<EngineKey>> prepared_;  // in the order of context.engines()
};

// Host memory in, host memory out, synchronous. CPU engines share a batch between the context's
// threads; GPU engines stage it through device memory: one call a batch.
void ecb_host(const Key& key, Direction direction, const BlockRun& run);
void ctr_host(const Key& key, const CounterRun& run);
/// Wrong tags are in batch.statuses, as in gcm().
void gcm_host(const Key& key, const GcmBatch& batch);

/// Memory for bulk input and output: pinned if the context has a GPU engine, ordinary if not. Wiped.
class HostBuffer {
 public:
  HostBuffer(const Context& context, size_t bytes);
  ~HostBuffer();
  HostBuffer(HostBuffer&&) noexcept;
  HostBuffer& operator=(HostBuffer&&) noexcept;
  uint8_t* data() const;
  size_t size() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpaes
