#include "run_progress.hpp"

#include <fmt/format.h>

namespace warpaes::cli {

void RunProgress::begin(const std::string& name, std::optional<uint64_t> bytes) {
  const std::scoped_lock lock(mutex_);
  if (!bar_) bar_.emplace(wanted_, name, files_ == 1 ? bytes : bytes_);
}

void RunProgress::advance(uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  done_ += bytes;
  if (!bar_) return;
  if (files_ > 1) bar_->rename(fmt::format("{} of {} files", ended_, files_));
  bar_->update(done_);
}

void RunProgress::end_file() {
  const std::scoped_lock lock(mutex_);
  ended_++;
}

void RunProgress::clear() {
  const std::scoped_lock lock(mutex_);
  if (bar_) bar_->clear();
}

}  // namespace warpaes::cli
