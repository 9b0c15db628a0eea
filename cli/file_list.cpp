#include "file_list.hpp"

#include <algorithm>
#include <filesystem>

#include "container_command.hpp"
#include "interrupt.hpp"

namespace warpaes::core::cli {
namespace {

namespace fs = std::filesystem;

/// The name that a folder has in an output folder: none for "." and "..", which are no names.
fs::path name_of(const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  const fs::path name = normal.has_filename() ? normal.filename() : normal.parent_path().filename();
  return name == "." || name == ".." ? fs::path() : name;
}

void list_below(const fs::path& folder, ListedNames which, std::vector<ListedFile>& files) {
  const size_t before = files.size();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    throw_if_interrupted();
    const std::string path = entry.path().string();
    if (entry.is_symlink() || !entry.is_regular_file()) continue;
    if (path.ends_with(kSuffix) != (which == ListedNames::containers)) continue;
    files.push_back({path, (name_of(folder) / entry.path().lexically_relative(folder)).string()});
  }
  std::sort(files.begin() + static_cast<ptrdiff_t>(before), files.end(),
            [](const ListedFile& a, const ListedFile& b) { return a.path < b.path; });
}

}  // namespace

std::vector<ListedFile> named_files(const std::vector<std::string>& names) {
  std::vector<ListedFile> files;
  for (const std::string& name : names) files.push_back({name, fs::path(name).filename().string()});
  return files;
}

std::vector<ListedFile> listed_files(const std::vector<std::string>& names, ListedNames which) {
  std::vector<ListedFile> files;
  for (const ListedFile& file : named_files(names)) {
    if (fs::is_directory(file.path)) {
      list_below(file.path, which, files);
    } else {
      files.push_back(file);
    }
  }
  return files;
}

}  // namespace warpaes::core::cli
