#include "writers.hpp"

#include <fcntl.h>
#include <linux/magic.h>

#include <cerrno>
#include <csignal>

#include "file_descriptor.hpp"

namespace warpaes::cli {
namespace {

/// Does the first store to a page change the file's times, finely? Not in memory (tmpfs), where a page that
/// was read before is written to without the system. And of an overlay, the system does not know who has only
/// mapped a file.
bool has_times_of_stores(int file) {
  constexpr unsigned long kXfs = 0x58465342, kBcachefs = 0xca451a4e;
  return is_on_file_system(file, {EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, kXfs, kBcachefs});
}

}  // namespace

Writers writers_of(int file) {
  // Who opens the file in between has the system send a signal, which would end this process: SIGURG does
  // not.
  fcntl(file, F_SETSIG, SIGURG);
  if (fcntl(file, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? Writers::some : Writers::unknown;
  fcntl(file, F_SETLEASE, F_UNLCK);
  return has_times_of_stores(file) ? Writers::none : Writers::unknown;
}

}  // namespace warpaes::cli
