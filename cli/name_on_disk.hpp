// A new name survives a power cut only when the folder that it is in is on disk.
#pragma once

#include <string>

#include "file_place.hpp"

namespace warpaes::cli {

/// The folder that a name is in: "." of a name alone.
std::string folder_of(const std::string& path);

/// Brings the folder that the place is in to disk.
/// @param open_file what has that name, or another file of its file system: all of that is brought to disk if
/// the folder may not be read
void bring_name_to_disk(const FilePlace& place, int open_file);

}  // namespace warpaes::cli
