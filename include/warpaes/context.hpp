// Engines, devices and contexts for C++20: engines.h and context.h. A part of warpaes.hpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warpaes/context.h"
#include "warpaes/memory.hpp"

namespace warpaes {
inline namespace v0 {

using Timing = warpaes_timing;

struct Options {
  std::string engine = "auto";
  int device = 0;
  Timing timing = WARPAES_TIMING_LEAKY;
  unsigned threads = 0;
};

class Context {
 public:
  explicit Context(const Options& options = {}) {
    warpaes_context_options plain = {};
    plain.size = sizeof plain;
    plain.engine = options.engine.c_str();
    plain.device = options.device;
    plain.timing = options.timing;
    plain.threads = options.threads;
    warpaes_context* made = nullptr;
    detail::require(warpaes_context_create(&plain, &made));
    handle_.reset(made);
  }

  /// Name of the engine that host calls of `bytes` bytes go to.
  std::string_view engine(uint64_t bytes) const { return warpaes_context_engine(handle_.get(), bytes); }
  warpaes_context* get() const { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(warpaes_context* context) const { warpaes_context_destroy(context); }
  };
  std::unique_ptr<warpaes_context, Destroy> handle_;
};

/// All engines, best first, each after its self-test.
inline std::vector<warpaes_engine_info> engines() {
  std::vector<warpaes_engine_info> all(warpaes_engine_count());
  for (size_t i = 0; i < all.size(); i++) detail::require(warpaes_engine_get(i, &all[i]));
  return all;
}

/// All CUDA devices; none without a driver.
inline std::vector<warpaes_device_info> devices() {
  std::vector<warpaes_device_info> all(static_cast<size_t>(warpaes_device_count()));
  for (size_t i = 0; i < all.size(); i++) detail::require(warpaes_device_get(static_cast<int>(i), &all[i]));
  return all;
}

}  // namespace v0
}  // namespace warpaes
