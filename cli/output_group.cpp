#include "output_group.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <map>

#include "file_report.hpp"
#include "interrupt.hpp"

namespace warpaes::cli {
namespace {

/// Each is an open file until then.
constexpr size_t kMostFiles = 400;

/// What a thread has open, what a file that waits has, with the folder that it is in, and what there always
/// is.
constexpr rlim_t kOfThread = 5, kOfFile = 2, kOthers = 16;

/// How many files this process may open, beside those that there always are.
rlim_t open_files() {
  rlimit files = {};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur <= kOthers) return 0;
  return files.rlim_cur - kOthers;
}

/// So many threads that a group of one file that waits and one that is published can be open as well.
unsigned most_threads(unsigned threads) {
  return static_cast<unsigned>(std::clamp<rlim_t>(
      (std::max<rlim_t>(open_files(), 2 * kOfFile) - 2 * kOfFile) / kOfThread, 1, threads));
}

/// How many files a group may have: kMostFiles, or fewer, so that this process may open them all: a group
/// that waits, one that is published, and what each thread works on.
size_t most_files(unsigned threads) {
  const rlim_t of_threads = threads * kOfThread, all = std::max(open_files(), of_threads);
  return std::clamp<size_t>((all - of_threads) / 2 / kOfFile, 1, kMostFiles);
}

constexpr uint64_t kMostBytes = 256 << 20;
/// Up to here, each file is asked for by itself: syncfs(2) waits for what other programs have written, too.
constexpr size_t kFewFiles = 4;

template <class Act>
void act_on(std::vector<FinishedFile*>& files, const Act& act) {
  try {
    act(*files.front()->file);
  } catch (...) {
    for (FinishedFile* file : files) file->failure = std::current_exception();
  }
}

template <class Act>
void act_on_one(FinishedFile& file, const Act& act) {
  std::vector<FinishedFile*> alone = {&file};
  act_on(alone, act);
}

}  // namespace

OutputGroup::OutputGroup(bool sync, unsigned threads)
    : sync_(sync), threads_(most_threads(threads)), most_files_(most_files(threads_)) {}

void OutputGroup::add(FinishedFile file) {
  {
    const std::scoped_lock lock(waiting_mutex_);
    waiting_bytes_ += file.bytes;
    waiting_.push_back(std::move(file));
    if (!is_full()) return;
  }
  publish_what_waits(/*only_if_full=*/true);
}

void OutputGroup::flush() { publish_what_waits(/*only_if_full=*/false); }

bool OutputGroup::is_full() const { return waiting_.size() >= most_files_ || waiting_bytes_ >= kMostBytes; }

/// While a group is published, the next one is no more than full: a slow disk would otherwise let all threads
/// fill one each, of more files than may be open.
void OutputGroup::publish_what_waits(bool only_if_full) {
  const std::scoped_lock publishing(publishing_mutex_);
  std::vector<FinishedFile> files;
  {
    const std::scoped_lock lock(waiting_mutex_);
    if (only_if_full && !is_full()) return;  // another thread has published it
    files.swap(waiting_);
    waiting_bytes_ = 0;
  }
  publish(files);
}

void OutputGroup::publish(std::vector<FinishedFile>& files) {
  std::ranges::sort(files, {}, &FinishedFile::index);
  if (sync_) {
    const Stopwatch disk;
    bring_to_disk(files);
    sync_seconds_ += disk.seconds();
  }
  name(files);
  if (sync_) {
    const Stopwatch disk;
    sync_folders(files);
    sync_seconds_ += disk.seconds();
  }
  for (FinishedFile& file : files) {
    file.file.reset();
    file.tell(file.failure);
  }
}

void OutputGroup::bring_to_disk(std::vector<FinishedFile>& files) {
  std::map<dev_t, std::vector<FinishedFile*>> by_device;
  for (FinishedFile& file : files) {
    if (!file.file || file.failure) continue;
    act_on_one(file, [&](const OutputFile& output) { by_device[output.device()].push_back(&file); });
  }
  for (auto& [device, together] : by_device) {
    if (together.size() > kFewFiles && together.front()->file->is_synced_with_file_system()) {
      bring_to_disk_together(together);
      continue;
    }
    for (FinishedFile* const file : together) {
      act_on_one(*file, [](const OutputFile& output) { output.sync(); });
    }
  }
}

void OutputGroup::bring_to_disk_together(std::vector<FinishedFile*>& files) {
  act_on(files, [](const OutputFile& file) { file.sync_file_system(); });
  for (FinishedFile* const file : files) {
    if (!file->failure) act_on_one(*file, [](const OutputFile& output) { output.require_written(); });
  }
}

void OutputGroup::name(std::vector<FinishedFile>& files) {
  for (FinishedFile& file : files) {
    if (!file.file || file.failure) continue;
    act_on_one(file, [this](OutputFile& output) {
      if (!sync_) output.hand_over();
      throw_if_interrupted();
      output.move_into_place();
    });
  }
}

void OutputGroup::sync_folders(std::vector<FinishedFile>& files) {
  std::map<std::string, std::vector<FinishedFile*>> by_folder;
  for (FinishedFile& file : files) {
    if (file.file && !file.failure) by_folder[file.file->folder()].push_back(&file);
  }
  for (auto& [folder, together] : by_folder) {
    act_on(together, [](const OutputFile& file) { file.sync_folder(); });
  }
}

}  // namespace warpaes::cli
