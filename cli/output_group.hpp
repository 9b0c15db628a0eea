// Outputs that are brought to disk together: a disk needs hardly longer for a hundred small files than for
// one, if it is asked once.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "output_file.hpp"

namespace warpaes::cli {

/// A file that is done, but for its name.
struct FinishedFile {
  size_t index;                      // in the order in which users named them
  std::unique_ptr<OutputFile> file;  // null: there is none
  uint64_t bytes = 0;
  std::exception_ptr failure = {};  // of what came before
  /// Called when the file has its name, or never will have it: then the failure is not null.
  std::function<void(std::exception_ptr failure)> tell = {};
};

class OutputGroup {
 public:
  /// @param sync false: names are given without waiting for the disk
  /// @param threads that are there to add files
  OutputGroup(bool sync, unsigned threads);

  /// As many of them as may have files open at the same time (RLIMIT_NOFILE).
  unsigned threads() const { return threads_; }

  /// Publishes the group if it has become large, and waits then while another one is being published. May be
  /// called by several threads; `tell` is called by one at a time.
  void add(FinishedFile file);
  /// Publishes what there is.
  void flush();
  /// How long the disk was waited for.
  double sync_seconds() const { return sync_seconds_; }

 private:
  bool is_full() const;
  void publish_what_waits(bool only_if_full);
  void publish(std::vector<FinishedFile>& files);
  static void bring_to_disk(std::vector<FinishedFile>& files);
  static void bring_to_disk_together(std::vector<FinishedFile*>& files);
  void name(std::vector<FinishedFile>& files);
  static void sync_folders(std::vector<FinishedFile>& files);

  const bool sync_;
  const unsigned threads_;
  const size_t most_files_;
  std::mutex waiting_mutex_, publishing_mutex_;
  std::vector<FinishedFile> waiting_;
  uint64_t waiting_bytes_ = 0;
  double sync_seconds_ = 0;
};

}  // namespace warpaes::cli
