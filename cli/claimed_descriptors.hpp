// What comes from descriptors that the caller opened: each gives one thing only, since whoever reads from it
// first leaves nothing for the others, and encrypting nothing would look like success.
#pragma once

#include <string>

namespace warpaes::cli {

/// Says what is going to be read from a descriptor, before it is. Throws a usage Refusal if something else is
/// to come from the same open file or pipe.
/// @param what "the key"
void claim_descriptor(int fd, const std::string& what);

/// The same for a descriptor that this process opened by a name, which may be that of a pipe it was given:
/// /dev/stdin.
void claim_opened(int fd, const std::string& name, const std::string& what);

/// claim_descriptor() of standard input if the path means that.
void claim_path(const std::string& path, const std::string& what);

}  // namespace warpaes::cli
