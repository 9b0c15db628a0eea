// What is told about the files that are done.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "report_options.hpp"

namespace warpaes::cli {

struct Figures {
  uint64_t plaintext_bytes = 0;
  double seconds = 0;       // of reading, working and writing; until the output is on disk, but for a group's
  double sync_seconds = 0;  // of these: waiting for the disk
  std::string engine;

  /// Without the wait for the disk.
  double gb_per_s() const;
};

struct FileReport : Figures {
  std::string input, output;  // output "": none
};

/// The files that are done.
struct RunReport : Figures {
  size_t files = 0;
  double setup_seconds = 0;  // before `seconds`: starting the engines and checking them

  void add(const FileReport& file);
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
void print_summary(const RunReport& run, const char* command, const ReportOptions& options);

}  // namespace warpaes::cli
