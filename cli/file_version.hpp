#pragma once

#include <sys/stat.h>

#include <functional>

#include "file_place.hpp"

namespace warpaes::cli {

bool same_time(const timespec& a, const timespec& b);
/// Are they of one file, whatever its names are?
bool same_file(const struct stat& a, const struct stat& b);

/// Is it the same file, with what was in it, as far as its length and the time of the last write tell?
bool holds_the_same(const struct stat& read, const struct stat& now);

/// A name's own file, and not what it leads to if it is a link. Throws if there is none.
struct stat status_of_name(const FilePlace& place);

// How the file that is read is called in messages: "is open for writing in another program".
extern const char* const kIsBeingWritten;
extern const char* const kWasChanged;

/// Has `take` remove or replace a name if that has the file that was read, as it was then, and nobody can
/// write to it: what was written to it since may not have been read. Threads do that one after the other.
/// @param take gets the file's status
/// @return null, or why not, for a message in which the file's name stands before it; throws if there is none
const char* take_name_of_same_version(const struct stat& read, const FilePlace& place,
                                      const std::function<void(const struct stat& now)>& take);

}  // namespace warpaes::cli
