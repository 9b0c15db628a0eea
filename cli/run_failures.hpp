// What fails in a run of several files: most of it is a file's own matter, and some of it ends the run.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "failure_report.hpp"

namespace warpaes::cli {

class RunFailures {
 public:
  /// @param files of the run: the failure of an only file is the run's
  /// @param json tell of each in a line of JSON as well
  RunFailures(size_t files, bool json) : files_(files), json_(json) {}

  /// Does a failure end the run? If so, no other file is to be begun from now on. For any thread.
  bool end_if_last(const Complaint& complaint);
  bool over() const { return over_; }

  /// Tells of a file's failure, or keeps what ends the run for tell_last(). For one thread at a time.
  void add(Complaint complaint, const std::string& path);
  size_t told() const { return told_; }

  /// Tells what ended the run, behind all that was told of files. @return its exit code; nothing if none did
  std::optional<ExitCode> tell_last() const;

 private:
  struct Last {
    Complaint complaint;
    std::string path;
  };

  const size_t files_;
  const bool json_;
  std::atomic<bool> over_ = false;
  size_t told_ = 0;
  std::optional<Last> last_;
};

}  // namespace warpaes::cli
