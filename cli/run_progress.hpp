#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "progress_bar.hpp"

namespace warpaes::cli {

/// One progress line for all files of a run, however many are worked on at the same time.
class RunProgress {
 public:
  /// @param bytes of plaintext in all files, if known
  RunProgress(bool wanted, size_t files, std::optional<uint64_t> bytes)
      : wanted_(wanted), files_(files), bytes_(bytes) {}

  /// A file begins.
  /// @param bytes of its plaintext, if known. They are those of the file that was opened, from where it is
  ///        read, so they are the whole of the bar if the run has no other file.
  void begin(const std::string& name, std::optional<uint64_t> bytes);
  void advance(uint64_t bytes);
  void end_file();
  /// Takes the line away, so that something else can be written.
  void clear();

 private:
  const bool wanted_;
  const size_t files_;
  const std::optional<uint64_t> bytes_;
  std::mutex mutex_;
  std::optional<ProgressBar> bar_;
  size_t ended_ = 0;
  uint64_t done_ = 0;
};

}  // namespace warpaes::cli
