#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "listed_folder.hpp"

namespace warpaes::cli {

/// One of the inputs of a run.
struct ListedFile {
  std::string path;
  std::string below;  // its path below the folder that was named, with that folder's name; its name if it was
                      // named itself
  std::shared_ptr<ListedFolder> folder;  // in which it was found; null if it was named itself
  std::exception_ptr failure;            // why it, a folder, could not be read; or null
};

/// Where it is: in the folder that it was found in, or where its path leads. Throws why a folder could not be
/// read.
FilePlace place_of(const ListedFile& file);

enum class ListedNames {
  all_but_containers,  // what there is to encrypt
  containers           // names that end in .wa
};

/// The files that were named and, in place of a folder, all regular files below it, sorted, no matter how
/// deep. Symbolic links in folders are left out. A folder that cannot be read is listed itself, with its
/// failure.
std::vector<ListedFile> listed_files(const std::vector<std::string>& names, ListedNames which);

/// Makes the folders that the file's output needs in an output folder. Those of a folder that was named have
/// its permissions, less the umask, so that whoever could not enter one of them cannot enter the other.
/// @param sync are their names brought to disk?
void make_folders_for(const ListedFile& file, const std::string& output_folder, bool sync);

/// How much work files are, as far as their lengths say: of each file, what `counted` makes of its length.
/// None if one of them has no length, as a pipe, or cannot be looked at.
std::optional<uint64_t> sum_of_sizes(const std::vector<ListedFile>& files,
                                     uint64_t (*counted)(uint64_t bytes));

/// Without going into folders.
std::vector<ListedFile> named_files(const std::vector<std::string>& names);

/// Leaves out the file that standard output goes to, and warns of that.
void leave_out_standard_output(std::vector<ListedFile>& files);

}  // namespace warpaes::cli
