#pragma once

#include <string>
#include <vector>

namespace warpaes::core::cli {

/// One of the inputs of a run.
struct ListedFile {
  std::string path;
  std::string below;  // its path below the folder that was named, with that folder's name; its name if it was
                      // named itself
};

enum class ListedNames {
  all_but_containers,  // what there is to encrypt
  containers           // names that end in .wa
};

/// The files that were named and, in place of a folder, all regular files below it, sorted, no matter how
/// deep. Symbolic links in folders are left out. Throws std::filesystem::filesystem_error for a folder that
/// cannot be read.
std::vector<ListedFile> listed_files(const std::vector<std::string>& names, ListedNames which);

/// Without going into folders.
std::vector<ListedFile> named_files(const std::vector<std::string>& names);

}  // namespace warpaes::core::cli
