#include "output_group.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <map>

#include "file_report.hpp"
#include "interrupt.hpp"

namespace warpaes::core::cli {
namespace {

/// Each is an open file until then.
constexpr size_t kMostFiles = 400;

/// As many, or half of those that this process may still open beside what it always has open.
size_t most_files() {
  constexpr rlim_t kOthers = 16;
  rlimit files = {};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur <= kOthers) return 1;
  return std::clamp<size_t>((files.rlim_cur - kOthers) / 2, 1, kMostFiles);
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

}  // namespace

OutputGroup::OutputGroup(bool sync) : sync_(sync), most_files_(most_files()) {}

void OutputGroup::add(FinishedFile file) {
  std::vector<FinishedFile> full;
  {
    const std::scoped_lock lock(waiting_mutex_);
    waiting_bytes_ += file.bytes;
    waiting_.push_back(std::move(file));
    if (waiting_.size() < most_files_ && waiting_bytes_ < kMostBytes) return;
    full.swap(waiting_);
    waiting_bytes_ = 0;
  }
  publish(full);
}

void OutputGroup::flush() {
  std::vector<FinishedFile> rest;
  {
    const std::scoped_lock lock(waiting_mutex_);
    rest.swap(waiting_);
    waiting_bytes_ = 0;
  }
  publish(rest);
}

void OutputGroup::publish(std::vector<FinishedFile>& files) {
  const std::scoped_lock lock(publishing_mutex_);
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
    if (file.file && !file.failure) by_device[file.file->device()].push_back(&file);
  }
  for (auto& [device, together] : by_device) {
    if (together.size() > kFewFiles) {
      act_on(together, [](const OutputFile& file) { file.sync_file_system(); });
      continue;
    }
    for (FinishedFile* const file : together) {
      std::vector<FinishedFile*> alone = {file};
      act_on(alone, [](const OutputFile& output) { output.sync(); });
    }
  }
}

void OutputGroup::name(std::vector<FinishedFile>& files) {
  for (FinishedFile& file : files) {
    if (!file.file || file.failure) continue;
    std::vector<FinishedFile*> alone = {&file};
    act_on(alone, [](OutputFile& output) {
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
    act_on(together, [](const OutputFile& file) { sync_folder(file.folder(), file.path()); });
  }
}

}  // namespace warpaes::core::cli
