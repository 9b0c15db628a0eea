// One engine of the library, and a context that uses only this engine; or a context that chooses by itself.
#pragma once

#include <string>

#include "warpaes/context.hpp"

namespace warpaes::bench {

class MeasuredEngine {
 public:
  /// @param options with the name of an engine, or "auto" for the best that can run here, or "shared" for a
  ///        context that is not forced
  /// @param on_device only engines that work on device memory count; throws an
  ///        Error(WARPAES_ERROR_UNSUPPORTED) if there is none
  explicit MeasuredEngine(const warpaes::ContextOptions& options, bool on_device = false);

  const EngineInfo& info() const { return info_; }
  const warpaes::Context& context() const { return context_; }
  int32_t device() const { return device_; }
  bool on_gpu() const { return info_.on_device != 0; }
  bool is_shared() const;
  /// How many CPU threads it uses; 0 if it does not compute on the CPU.
  unsigned threads() const { return on_gpu() ? 0 : threads_; }

 private:
  MeasuredEngine(const EngineInfo& info, const warpaes::ContextOptions& options);

  EngineInfo info_;
  int32_t device_;
  unsigned threads_;
  warpaes::Context context_;
};

}  // namespace warpaes::bench
