// Who else may write to a file that is read here.
#pragma once

namespace warpaes::cli {

enum class Writers {
  none,  // and whoever writes from now on has to open it first, and changes its times by that
  some,  // it is open for writing, or mapped into memory that is written to: stores may leave its times alone
  unknown  // a file of another user, or a file system that cannot tell: the times are all that there is
};

/// Asks for a lease (fcntl(2)) and gives it back at once, as whoever opens the file would have to wait for
/// it.
/// @param file open for reading only
Writers writers_of(int file);

}  // namespace warpaes::cli
