#pragma once

#include <sys/stat.h>

#include <functional>
#include <string>

namespace warpaes::cli {

/// A name's own file, and not what it leads to if it is a link. Throws if there is none.
struct stat status_of_name(const std::string& path);

/// Has `take` remove or replace a name if that has the file that was read, as it was then: what was written
/// to it since may not have been read. Threads do that one after the other.
/// @param take gets the file's status
/// @return false if it is another file or was changed; throws if there is none
bool take_name_of_same_version(const struct stat& read, const std::string& path,
                               const std::function<void(const struct stat& now)>& take);

}  // namespace warpaes::cli
