// Access lists (acl(5)), which outputs do not take over.
#pragma once

#include <sys/types.h>

#include <string>

namespace warpaes::cli {

/// The permissions that a new file may have of one that perhaps has an access list. With a list, the bits of
/// the group are the most that it gives to anybody, and those of others are also of people whom it denies
/// more: only the owner's are what they seem.
mode_t mode_without_list(int fd, mode_t mode);
mode_t mode_without_list(const std::string& path, mode_t mode);

/// Of a new file, which has got one if its folder has a list for such files.
/// @param name of the file, for the exception if it cannot be removed
void remove_list(int fd, const std::string& name);

}  // namespace warpaes::cli
