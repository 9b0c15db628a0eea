#pragma once

#include <sys/stat.h>

#include <string>

namespace warpaes::cli {

/// A name's own file, and not what it leads to if it is a link. Throws if there is none.
struct stat status_of_name(const std::string& path);

/// Is it the file that it was before, and as it was then? What was written to it since may not have been
/// read.
bool is_same_version(const struct stat& before, const struct stat& now);

}  // namespace warpaes::cli
