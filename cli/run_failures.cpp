#include "run_failures.hpp"

#include <utility>

namespace warpaes::cli {

/// What fails for one file because of the machine or the user fails for all.
bool RunFailures::end_if_last(const Complaint& complaint) {
  const bool ends = files_ == 1 || complaint.ends_run || complaint.code == ExitCode::no_engine ||
                    complaint.code == ExitCode::interrupted;
  if (ends) over_ = true;
  return ends;
}

void RunFailures::add(Complaint complaint, const std::string& path) {
  if (end_if_last(complaint)) {
    if (!last_) last_ = {std::move(complaint), path};
    return;
  }
  print_complaint(complaint);
  if (json_) print_complaint_json(complaint, "file_error", path);
  told_++;
}

std::optional<ExitCode> RunFailures::tell_last() const {
  if (!last_) return {};
  print_complaint(last_->complaint);
  if (json_) print_complaint_json(last_->complaint, "error", last_->path);
  return last_->complaint.code;
}

}  // namespace warpaes::cli
