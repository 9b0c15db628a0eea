// What is told about the files that are done.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "report_options.hpp"

namespace warpaes::cli {

struct FileReport {
  std::string input, output;  // output "": none
  uint64_t plaintext_bytes = 0;
  double seconds = 0;       // from opening the input until the output is on disk
  double sync_seconds = 0;  // of these: waiting for the disk
  std::string engine;

  /// Speed of reading, working and writing, without the wait for the disk.
  double gb_per_s() const;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// One line about one file, on stderr or as JSON.
void print_file_report(const FileReport& report, const char* past_verb, const ReportOptions& options);

/// The last line of a run that went well.
void print_summary(const FileReport& total, const char* command, size_t files, const ReportOptions& options);

}  // namespace warpaes::cli
