#pragma once

#include <algorithm>
#include <mutex>
#include <optional>

#include "cpu_first.hpp"
#include "warpaes/container.hpp"

namespace warpaes::cli {

/// The contexts of a run; each is made when the first file needs it.
class ContainerEngines {
 public:
  explicit ContainerEngines(const EngineOptions& options) : options_(options), cpu_(options, 1) {}

  struct Choice {
    const warpaes::Context& context;
    bool on_device;  // if not: the context has one thread, as its callers are several
    double seconds;  // that the choice took, with the start of engines and the wait for another file's
  };
  /// What the work on a file goes to. @param plaintext_bytes if known
  Choice choose(std::optional<uint64_t> plaintext_bytes);

  /// CPU threads that were asked for, or that this process may use.
  unsigned threads() const { return std::min(options_.usable_threads(), kMostThreads); }
  double setup_seconds() const { return setup_seconds_; }

 private:
  const warpaes::Context& made(std::optional<warpaes::Context>& context,
                               const warpaes::ContextOptions& options);

  /// With --direct a thread has three workers, of less than 1 MiB each: so all of them stay below 512 MiB. No
  /// disk is as fast as that many threads are.
  static constexpr unsigned kMostThreads = 160;

  const EngineOptions& options_;
  std::mutex mutex_;
  CpuFirst cpu_;
  std::optional<warpaes::Context> whole_, single_;
  std::optional<Container> any_;  // of the whole context: what is asked about its plans
  double setup_seconds_ = 0;
};

}  // namespace warpaes::cli
