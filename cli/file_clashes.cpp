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

/// Which file a name leads to, if there is one.
std::optional<Identity> identity_of(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity(status.st_dev, status.st_ino);
}

/// A folder that is there, and the name of a file below it.
using Place = std::pair<std::optional<Identity>, std::string>;

/// Where a folder is, or is going to be made. Names do not tell that: what x/.. is depends on
/// where x leads to if it is a link, and a folder may be mounted at a second place.
Place place_of_folder(const fs::path& path) {
  const fs::path folder = path.empty() ? "." : path;
  if (const auto identity = identity_of(folder)) return {identity, ""};
  std::error_code unknown;  // a folder that cannot be looked at, or the current one is gone
  fs::path there = fs::absolute(folder, unknown);
  if (!unknown) there = fs::weakly_canonical(there, unknown);
  if (unknown) return {std::nullopt, folder};
  fs::path below;
  while (there.has_relative_path() && !identity_of(there)) {
    below = below.empty() ? there.filename() : there.filename() / below;
    there = there.parent_path();
  }
  return {identity_of(there), below};
}

/// Each folder is looked at once.
class Places {
 public:
  Place of(const std::string& path) {
    const fs::path name(path);
    const auto [folder, is_new] = folders_.try_emplace(name.parent_path());
    if (is_new) folder->second = place_of_folder(folder->first);
    const auto& [there, below] = folder->second;
    return {there, fs::path(below) / name.filename()};
  }

 private:
  std::map<fs::path, Place> folders_;
};

void require_different_outputs(std::span<const PlannedFile> files) {
  Places places;
  std::map<Place, const std::string*> inputs;  // by output
  for (const PlannedFile& file : files) {
    const auto [other, is_new] = inputs.emplace(places.of(file.output), &file.input);
    if (is_new) continue;
    if (places.of(*other->second) == places.of(file.input)) {
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

void require_no_secret_among(std::span<const ListedFile> inputs, const SparedFiles& secrets) {
  std::map<Identity, const SparedFile*> spared;
  for (const SparedFile& secret : secrets) {
    spared.emplace(Identity(secret.status.st_dev, secret.status.st_ino), &secret);
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
