#include "file_list.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <ranges>

#include "access_list.hpp"
#include "container_name.hpp"
#include "failure_report.hpp"
#include "file_descriptor.hpp"
#include "input_file.hpp"
#include "interrupt.hpp"
#include "name_on_disk.hpp"
#include "shown_name.hpp"
#include "standard_output.hpp"

namespace warpaes::cli {
namespace {

namespace fs = std::filesystem;

/// The name that a folder has in an output folder: none for "." and "..", which are no names.
fs::path name_of(const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  const fs::path name = normal.has_filename() ? normal.filename() : normal.parent_path().filename();
  return name == "." || name == ".." ? fs::path() : name;
}

/// The entries of one folder. It is closed before those below it are opened, however deep they lie.
std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
  const fs::directory_iterator entries(folder);
  return {begin(entries), end(entries)};
}

/// Adds what lies below `folder`. A folder that cannot be read is listed itself: opening it as a file says
/// why.
void list_below(const fs::path& root, const fs::path& folder, ListedNames which,
                std::vector<ListedFile>& files) {
  std::vector<fs::directory_entry> entries;
  try {
    entries = entries_of(folder);
  } catch (const fs::filesystem_error&) {
    files.push_back({folder.string(), folder.string()});
  }
  for (const fs::directory_entry& entry : entries) {
    throw_if_interrupted();
    std::error_code unknown;  // what is gone by now is neither a folder nor a file
    if (entry.is_symlink(unknown)) continue;
    if (entry.is_directory(unknown)) list_below(root, entry.path(), which, files);
    if (!entry.is_regular_file(unknown)) continue;
    const std::string path = entry.path().string();
    if (is_container_name(path) != (which == ListedNames::containers)) continue;
    files.push_back({path, (name_of(root) / entry.path().lexically_relative(root)).string()});
  }
}

void list_sorted_below(const fs::path& folder, ListedNames which, std::vector<ListedFile>& files) {
  const size_t before = files.size();
  list_below(folder, folder, which, files);
  std::sort(files.begin() + static_cast<ptrdiff_t>(before), files.end(),
            [](const ListedFile& a, const ListedFile& b) { return a.path < b.path; });
}

struct NewFolder {
  std::string path;
  mode_t mode;  // less the umask
};

/// The folders that the file's output needs and that are missing, the innermost first.
std::vector<NewFolder> missing_folders(const ListedFile& file, const fs::path& output_folder) {
  std::vector<NewFolder> missing;
  fs::path below = fs::path(file.below).parent_path(), source = fs::path(file.path).parent_path();
  std::error_code unknown;
  for (; !below.empty(); below = below.parent_path(), source = source.parent_path()) {
    const fs::path folder = output_folder / below;
    if (fs::is_directory(folder, unknown)) return missing;
    struct stat status = {};
    const mode_t mode = stat(source.c_str(), &status) == 0 ? status.st_mode : S_IRWXU;
    missing.push_back({folder.string(), mode_without_list(source.string(), mode)});
  }
  for (fs::path folder = output_folder; !folder.empty(); folder = folder.parent_path()) {
    if (fs::is_directory(folder, unknown)) break;
    missing.push_back({folder.string(), 0777});
  }
  return missing;
}

/// With all rights of the owner.
void make_folder(const NewFolder& folder) {
  if (mkdir(folder.path.c_str(), (folder.mode & 0777) | S_IRWXU) == 0) return;
  const int error = errno;
  if (error == EEXIST) {
    if (std::error_code unknown; fs::is_directory(folder.path, unknown)) return;
    throw Refusal(ExitCode::error, shown(folder.path) + " is not a folder",
                  "--output-folder names another place");
  }
  errno = error;
  throw_errno("making the folder " + shown(folder.path));
}

}  // namespace

void make_folders_for(const ListedFile& file, const std::string& output_folder, bool sync) {
  // What another thread makes is on disk before this one goes on.
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  for (const NewFolder& folder : missing_folders(file, output_folder) | std::views::reverse) {
    make_folder(folder);
    if (sync)
      bring_name_to_disk(folder.path, FileDescriptor(open(folder.path.c_str(), O_RDONLY | O_CLOEXEC)).get());
  }
}

std::optional<uint64_t> sum_of_sizes(const std::vector<ListedFile>& files,
                                     uint64_t (*counted)(uint64_t bytes)) {
  uint64_t sum = 0;
  for (const ListedFile& file : files) {
    std::error_code unknown;
    const uint64_t bytes = fs::file_size(file.path, unknown);
    if (unknown || is_standard_stream(file.path)) return std::nullopt;
    sum += counted(bytes);
  }
  return sum;
}

std::vector<ListedFile> named_files(const std::vector<std::string>& names) {
  std::vector<ListedFile> files;
  for (const std::string& name : names) files.push_back({name, fs::path(name).filename().string()});
  return files;
}

std::vector<ListedFile> listed_files(const std::vector<std::string>& names, ListedNames which) {
  std::vector<ListedFile> files;
  for (const ListedFile& file : named_files(names)) {
    std::error_code unknown;  // opening it says what is wrong
    if (fs::is_directory(file.path, unknown)) {
      list_sorted_below(file.path, which, files);
    } else {
      files.push_back(file);
    }
  }
  return files;
}

void leave_out_standard_output(std::vector<ListedFile>& files) {
  std::erase_if(files, [](const ListedFile& file) {
    if (!is_standard_output(file.path)) return false;
    print_warning(shown(file.path) + " is left out: standard output goes to it");
    return true;
  });
}

}  // namespace warpaes::cli
