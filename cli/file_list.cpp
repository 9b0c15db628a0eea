#include "file_list.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <new>
#include <ranges>
#include <utility>

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

/// Adds what lies below a folder. One that cannot be read is listed itself.
void list_below(const std::string& named, ListedNames which, std::vector<ListedFile>& files) {
  const auto root = std::make_shared<const NamedFolder>(named);
  const fs::path own_name = name_of(named);
  std::vector<std::string> waiting = {
      ""};  // no recursion: a thread's stack is shorter than paths may be deep
  while (!waiting.empty()) {
    throw_if_interrupted();
    const auto folder = std::make_shared<ListedFolder>(root, std::move(waiting.back()));
    waiting.pop_back();
    const fs::path path = folder->path(), below = folder->below();
    try {
      folder->read([&](const std::string& name, EntryKind kind) {
        if (kind == EntryKind::folder) waiting.push_back((below / name).string());
        if (kind != EntryKind::file) return;
        if (is_container_name(name) != (which == ListedNames::containers)) return;
        files.push_back({(path / name).string(), (own_name / below / name).string(), folder, {}});
      });
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      files.push_back({path.string(), path.string(), {}, std::current_exception()});
    }
  }
}

void list_sorted_below(const std::string& folder, ListedNames which, std::vector<ListedFile>& files) {
  const size_t before = files.size();
  list_below(folder, which, files);
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

/// Makes a folder whose owner has all rights to it.
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

FilePlace place_of(const ListedFile& file) {
  if (file.failure) std::rethrow_exception(file.failure);
  return {file.path, file.folder ? file.folder->open() : nullptr};
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
  for (const std::string& name : names) files.push_back({name, fs::path(name).filename().string(), {}, {}});
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
