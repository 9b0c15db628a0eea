#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "pipeline/context.hpp"

namespace warpaes::cli {

/// --engine, --device, --threads.
class EngineOptions {
 public:
  void add_to(CLI::App& command);

  /// Throws if the device that was named does not exist.
  ContextOptions context_options() const;
  const std::string& engine() const { return engine_; }
  bool forced() const { return engine_ != "auto"; }
  int device() const { return device_; }

 private:
  std::string engine_ = "auto";
  int device_ = 0;
  unsigned threads_ = 0;
  const CLI::Option* device_option_ = nullptr;
};

/// "openssl/aes_ni": an engine's name and its implementation.
std::string full_name(const Engine& engine);

const char* timing_name(TimingClass timing);

}  // namespace warpaes::cli
