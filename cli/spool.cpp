#include "spool.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

#include "failure_report.hpp"
#include "interrupt.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kHint = "TMPDIR names a folder with room for the message; with -o FILE none is needed";

/// For files that may be large: hier(7) has /var/tmp on a disk.
std::string folder_of_spools() {
  const char* const wanted = getenv("TMPDIR");
  return wanted && *wanted ? wanted : "/var/tmp";
}

}  // namespace

void Spool::write(std::span<const uint8_t> bytes) {
  if (!file_ && size_ + bytes.size() > kKeptInMemory) create_file();
  size_ += bytes.size();
  if (!file_) {
    memory_.insert(memory_.end(), bytes.begin(), bytes.end());
    return;
  }
  append(bytes);
}

void Spool::append(std::span<const uint8_t> bytes) {
  try {
    write_fully(file_.get(), bytes, "a temporary file");
  } catch (const std::system_error& error) {
    throw Refusal(ExitCode::error, error.what(), kHint);
  }
}

void Spool::create_file() {
  const std::string folder = folder_of_spools();
  file_ = FileDescriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600));
  if (!file_) {
    std::string name = folder + "/warpaes.XXXXXX";
    file_ = FileDescriptor(mkostemp(name.data(), O_CLOEXEC));
    if (file_) unlink(name.c_str());
  }
  if (!file_) {
    const std::string why = std::generic_category().message(errno);
    throw Refusal(ExitCode::error, "making a temporary file in " + shown(folder) + ": " + why, kHint);
  }
  append(memory_);
  memory_ = {};
}

void Spool::read_at(uint64_t offset, std::span<uint8_t> into) const {
  if (!file_) {
    if (into.size() > memory_.size() - std::min<uint64_t>(offset, memory_.size())) {
      throw std::out_of_range("reading behind the end of what was kept");
    }
    std::copy_n(memory_.begin() + static_cast<ptrdiff_t>(offset), into.size(), into.begin());
    return;
  }
  if (read_at_fully(file_.get(), offset, into, "a temporary file") < into.size()) {
    throw Refusal(ExitCode::error, "a temporary file became shorter");
  }
}

}  // namespace warpaes::cli
