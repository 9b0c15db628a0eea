// How an output is brought to disk, and its name.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>

#include <cerrno>

#include "interrupt.hpp"
#include "name_on_disk.hpp"
#include "output_file.hpp"

namespace warpaes::cli {

void OutputFile::sync() const {
  if (fsync(fd_.get()) != 0) throw_errno("writing " + shown(place_.path()) + " to disk");
}

void OutputFile::sync_file_system() const {
  if (syncfs(fd_.get()) != 0) throw_errno("writing " + shown(folder()) + " to disk");
}

/// Not where a server or another process has the data: syncfs(2) hands it over, and does not have it brought
/// to a disk there, as fsync(2) does (FUSE, SMB, 9P). Nor where it leaves the data in the disk's own cache
/// (FAT).
bool OutputFile::is_synced_with_file_system() const {
  constexpr unsigned long kBcachefs = 0xca451a4e, kZfs = 0x2fc12fc1;
  return is_on_file_system(fd_.get(), {BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, F2FS_SUPER_MAGIC, kBcachefs,
                                       OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC, XFS_SUPER_MAGIC, kZfs});
}

/// syncfs(2) tells of no failure before Linux 5.8, and later not of one before the first file of a group was
/// opened.
void OutputFile::require_written() const {
  if (sync_file_range(fd_.get(), 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE) == 0) return;
  if (errno == ENOSYS) return sync();
  throw_errno("writing " + shown(place_.path()) + " to disk");
}

/// What is written to a file of a server may fail when it is sent there, and close(2) tells of that, of each
/// descriptor of the file.
void OutputFile::hand_over() const {
  const int another = fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0);
  if (another < 0 || (close(another) != 0 && errno != EINTR)) throw_errno("writing " + shown(place_.path()));
}

dev_t OutputFile::device() const {
  struct stat status = {};
  if (fstat(fd_.get(), &status) != 0) throw_errno(shown(place_.path()));
  return status.st_dev;
}

void OutputFile::sync_folder() const { bring_name_to_disk(place_, fd_.get()); }

/// The disk writes what there is while more is made: sync() would otherwise wait for all of it. This only
/// asks, so what comes of it does not matter.
void OutputFile::begin_to_sync(uint64_t offset, uint64_t bytes) const {
  constexpr uint64_t kWorthIt = 256 << 10;  // shorter files are brought to disk together
  if (!syncs_ || bytes < kWorthIt) return;
  sync_file_range(fd_.get(), static_cast<off_t>(offset), static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE);
}

void OutputFile::publish() {
  OutputFile* const alone[] = {this};
  publish_together(alone);
}

void publish_together(std::span<OutputFile* const> files) {
  for (const OutputFile* const file : files) file->sync();
  throw_if_interrupted();
  size_t in_place = 0;
  try {
    for (; in_place + 1 < files.size(); in_place++) {
      files[in_place]->move_into_place(OutputFile::Replaced::kept);
    }
    files.back()->move_into_place();
  } catch (...) {
    for (OutputFile* const file : files.first(in_place)) file->move_back();
    throw;
  }
  for (OutputFile* const file : files) file->remove_temporary_name();
  for (const OutputFile* const file : files) file->sync_folder();
}

void OutputFile::publish_key() {
  constexpr mode_t kKeyFileMode = S_IRUSR | S_IWUSR;
  set_mode(kKeyFileMode);
  if (const mode_t given = permissions(); (given & ~kKeyFileMode) != 0) {
    throw Refusal(
        ExitCode::error,
        fmt::format(
            "{} could be used by other users (mode {:04o}): its file system lets nobody set permissions",
            shown(place_.path()), given),
        "-o names a file in another place");
  }
  publish();
}

}  // namespace warpaes::cli
