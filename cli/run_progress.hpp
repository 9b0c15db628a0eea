#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "progress_bar.hpp"

namespace warpaes::core::cli {

/// One progress line for all files of a run, however many are worked on at the same time.
class RunProgress {
 public:
  RunProgress(bool wanted, size_t files) : wanted_(wanted), files_(files) {}

  /// A file begins. @param bytes of plaintext, if known; what the bar is a part of if there is one file
  void begin(const std::string& name, std::optional<uint64_t> bytes);
  void advance(uint64_t bytes);
  void end_file();
  /// Takes the line away, so that something else can be written.
  void clear();

 private:
  const bool wanted_;
  const size_t files_;
  std::mutex mutex_;
  std::optional<ProgressBar> bar_;
  size_t ended_ = 0;
  uint64_t done_ = 0;
};

}  // namespace warpaes::core::cli
