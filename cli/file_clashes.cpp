#include "file_clashes.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "failure_report.hpp"
#include "output_file.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

namespace fs = std::filesystem;

/// Device and number: the same for all names of a file.
using Identity = std::pair<dev_t, ino_t>;

/// Of the file that a name leads to, if there is one.
std::optional<Identity> identity_of(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity(status.st_dev, status.st_ino);
}

/// The absolute name without "." and "..".
std::string full_path(const std::string& path) {
  std::error_code unknown;  // the current folder may be gone
  return std::filesystem::absolute(path, unknown).lexically_normal().string();
}

/// Names of one file by way of different folders, one of which is a link to the other, become one name.
class Places {
 public:
  std::string of(const std::string& path) {
    const fs::path full = full_path(path);
    const auto [folder, is_new] = folders_.try_emplace(full.parent_path());
    if (is_new) {
      std::error_code unknown;  // a folder that cannot be looked at
      folder->second = fs::weakly_canonical(folder->first, unknown);
      if (unknown) folder->second = folder->first;
    }
    return (folder->second / full.filename()).string();
  }

 private:
  std::map<fs::path, fs::path> folders_;
};

void require_different_outputs(std::span<const PlannedFile> files) {
  Places places;
  std::map<std::string, const std::string*> inputs;  // by output
  for (const PlannedFile& file : files) {
    const auto [other, is_new] = inputs.emplace(places.of(file.output), &file.input);
    if (is_new) continue;
    if (*other->second == file.input) {
      throw Refusal(ExitCode::usage, shown(file.input) + " is named twice", "name each file once");
    }
    throw Refusal(ExitCode::usage,
                  fmt::format("{} and {} would both become {}", shown(*other->second), shown(file.input),
                              shown(file.output)),
                  "with -r and their folders' names, --output-folder keeps files of one name apart");
  }
}

}  // namespace

bool are_one_place(const std::string& a, const std::string& b) {
  Places places;
  return places.of(a) == places.of(b);
}

void require_different_files(std::span<const PlannedFile> files) {
  require_different_outputs(files);
  std::map<Identity, const std::string*> inputs;
  for (const PlannedFile& file : files) {
    if (const auto identity = identity_of(file.input)) inputs.emplace(*identity, &file.input);
  }
  for (const PlannedFile& file : files) {
    const auto replaced = identity_of(file.output);
    // What an output does to its own input is looked at when the two are open.
    if (!replaced || replaced == identity_of(file.input)) continue;
    const auto other = inputs.find(*replaced);
    if (other == inputs.end()) continue;
    throw Refusal(ExitCode::usage,
                  fmt::format("{} would become {}, which is to be read as well", shown(file.input),
                              shown(*other->second)),
                  "name one of them only, or give the outputs another place with --output-folder");
  }
}

void require_no_secret_among(std::span<const ListedFile> inputs, const std::vector<SparedFile>& secrets) {
  std::map<Identity, const SparedFile*> spared;
  for (const SparedFile& secret : secrets) {
    if (const auto identity = identity_of(secret.path)) spared.emplace(*identity, &secret);
  }
  if (spared.empty()) return;
  for (const ListedFile& input : inputs) {
    const auto identity = identity_of(input.path);
    const auto found = identity ? spared.find(*identity) : spared.end();
    if (found == spared.end()) continue;
    throw Refusal(
        ExitCode::usage,
        fmt::format("{} holds {}, and --rm would remove it", shown(input.path), found->second->holds),
        "keep it in another folder: without it, nothing could be decrypted");
  }
}

}  // namespace warpaes::cli
