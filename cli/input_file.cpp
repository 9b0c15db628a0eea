#include "input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <utility>

#include "access_list.hpp"
#include "claimed_descriptors.hpp"
#include "direct_io.hpp"
#include "failure_report.hpp"
#include "file_version.hpp"
#include "interrupt.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {

namespace {

/// open(2) of a pipe waits for a program that writes to it, and a signal would wake one of the threads that
/// wait so. Opened without waiting, it is the first read that waits, where every thread is woken.
FileDescriptor open_to_read(const FilePlace& place) {
  struct stat status = {};
  const bool is_pipe = place.status(status) && S_ISFIFO(status.st_mode);
  return place.open(O_RDONLY | O_NOCTTY | (is_pipe ? O_NONBLOCK : 0));
}

/// Whatever has come to that name: neither a link nor a pipe. Without waiting, a file that another program
/// has a lease of is refused until that has given it back, as it is asked to.
FileDescriptor open_regular(const FilePlace& place) {
  constexpr std::chrono::milliseconds kBetweenTries{10};
  for (;;) {
    FileDescriptor file = place.open(O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (file || errno != EWOULDBLOCK) return file;
    pause_for(kBetweenTries);
  }
}

Refusal refuse_other_kind(const FilePlace& place) {
  return Refusal(ExitCode::error,
                 shown(place.path()) + " is no regular file any more, as it was in the folder",
                 "-r takes regular files only");
}

std::chrono::nanoseconds age_of(const timespec& time) {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::chrono::seconds(now.tv_sec - time.tv_sec) +
         std::chrono::nanoseconds(now.tv_nsec - time.tv_nsec);
}

}  // namespace

bool is_standard_stream(const std::string& path) { return path == "-"; }

InputFile::InputFile(FilePlace place, bool direct)
    : place_(std::move(place)), name_(is_standard_stream(place_.path()) ? "standard input" : place_.path()) {
  if (!is_standard_stream(place_.path())) open();
  require_open_to(fd(), Way::in, shown(name_));
  if (fstat(fd(), &status_) != 0) throw_errno(shown(name_));
  if (S_ISDIR(status_.st_mode)) {
    throw Refusal(ExitCode::error, shown(name_) + " is a folder", "name the files in it");
  }
  if (place_.is_held() && !S_ISREG(status_.st_mode)) throw refuse_other_kind(place_);
  if (S_ISFIFO(status_.st_mode)) {
    if (owned_) claim_opened(fd(), shown(name_), "the data");
    widen_pipe(fd());
  }
  if (S_ISREG(status_.st_mode)) take_size();
  if (direct) bypass_cache();
}

void InputFile::open() {
  owned_ = place_.is_held() ? open_regular(place_) : open_to_read(place_);
  if (owned_) return;
  if (place_.is_held() && errno == ELOOP) throw refuse_other_kind(place_);
  throw_errno(shown(name_));
}

Writers InputFile::watch() {
  constexpr std::chrono::milliseconds kTicks{20};  // two of the longest
  constexpr int kMostWaits = 10;                   // a file that is always written to is noticed afterwards
  if (!S_ISREG(status_.st_mode)) return Writers::unknown;
  const Writers writers = writers_of(fd());
  for (int waits = 0; writers != Writers::some; waits++) {
    if (fstat(fd(), &status_) != 0) throw_errno(shown(name_));
    take_size();
    const std::chrono::nanoseconds age = age_of(status_.st_ctim);
    const bool is_of_another_clock = age.count() < 0;
    if (age >= kTicks || waits == kMostWaits || (is_of_another_clock && waits != 0)) break;
    pause_for(kTicks);
  }
  return writers;
}

struct stat InputFile::model() const {
  struct stat model = status_;
  model.st_mode = mode_without_list(fd(), model.st_mode);
  return model;
}

void InputFile::take_size() {
  const off_t position = std::max<off_t>(lseek(fd(), 0, SEEK_CUR), 0);
  begin_ = static_cast<uint64_t>(position);
  size_ = static_cast<uint64_t>(std::max<off_t>(status_.st_size - position, 0));
  posix_fadvise(fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
}

/// Pipes have no cache. A standard stream's flags are not changed: other programs share them.
void InputFile::bypass_cache() {
  if (!S_ISREG(status_.st_mode) && !S_ISBLK(status_.st_mode)) return;
  if (is_standard_input()) {
    throw Refusal(ExitCode::usage, "standard input is a file, which --direct would have to open itself",
                  "name the file in place of -");
  }
  block_ = bypass_page_cache(fd(), shown(name_));
}

/// The end is asked for once: a terminal goes on behind an end of file that was typed, and a named pipe when
/// another program opens it.
size_t InputFile::read_next(std::span<uint8_t> into) {
  if (ended_) return 0;
  const size_t got = block_ == 0 ? read_fully(fd(), into, shown(name_))
                                 : read_at_directly(fd(), block_, next_, into, shown(name_));
  next_ += got;
  ended_ = got < into.size();
  return got;
}

size_t InputFile::read(std::span<uint8_t> into) {
  const size_t from_peeked = std::min(peeked_.size(), into.size());
  std::copy_n(peeked_.begin(), from_peeked, into.begin());
  peeked_.erase(peeked_.begin(), peeked_.begin() + static_cast<ptrdiff_t>(from_peeked));
  const size_t got = from_peeked + read_next(into.subspan(from_peeked));
  read_ += got;
  if (got < into.size()) require_whole(read_);
  return got;
}

std::span<const uint8_t> InputFile::peek(size_t bytes) {
  if (const size_t had = peeked_.size(); had < bytes) {
    peeked_.resize(bytes);
    peeked_.resize(had + read_next(std::span(peeked_).subspan(had)));
  }
  return std::span(peeked_).first(std::min(bytes, peeked_.size()));
}

void InputFile::skip(size_t bytes) {
  peeked_.erase(peeked_.begin(), peeked_.begin() + static_cast<ptrdiff_t>(bytes));
  begin_ += bytes;
  if (size_) *size_ -= std::min<uint64_t>(bytes, *size_);
}

size_t InputFile::read_at(uint64_t offset, std::span<uint8_t> into) const {
  const uint64_t place = begin_ + offset;
  const size_t done = block_ == 0 ? read_at_fully(fd(), place, into, shown(name_))
                                  : read_at_directly(fd(), block_, place, into, shown(name_));
  if (done < into.size()) require_whole(offset + done);
  return done;
}

void InputFile::read_all_at(uint64_t offset, std::span<uint8_t> into) const {
  if (const size_t got = read_at(offset, into); got < into.size()) {
    throw Refusal(ExitCode::truncated, fmt::format("{} ends at byte {}, and its length is {}", shown(name_),
                                                   offset + got, *size_));
  }
}

void InputFile::require_unchanged() const {
  struct stat now = {};
  if (fstat(fd(), &now) != 0) throw_errno(shown(name_));
  if (now.st_size == status_.st_size && same_time(now.st_mtim, status_.st_mtim) &&
      same_time(now.st_ctim, status_.st_ctim)) {
    return;
  }
  throw Refusal(ExitCode::error, shown(name_) + " was changed while it was read",
                "try again when nothing changes it any more");
}

/// The file has ended: was there as much as it promised? Asked again, because the files of /sys promise more
/// than they hold.
void InputFile::require_whole(uint64_t end) const {
  struct stat now = {};
  if (!size_ || end >= *size_ || fstat(fd(), &now) != 0 || now.st_size >= status_.st_size) return;
  throw Refusal(ExitCode::error,
                fmt::format("{} became shorter while it was read: {} bytes at first, {} now", shown(name_),
                            status_.st_size, now.st_size),
                "try again when nothing changes it any more");
}

}  // namespace warpaes::cli
