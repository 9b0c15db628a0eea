#include "pipeline/speed_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <random>
#include <system_error>

#include "device/device.hpp"
#include "failure.hpp"
#include "pipeline/context_state.hpp"
#include "warpaes/warpaes.h"

namespace warpaes::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstLine =
    "warpaes speeds, bytes a second, of calls from so many bytes on: one thread, all threads, with GPU "
    "(pageable, pinned)";
/// No machine is slower or faster than this at what it can do at all, so a file that says so is damaged.
constexpr double kSlowest = 1e5, kFastest = 1e13;
constexpr size_t kLongestFile = 16384;

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 1);
  }
  return "unknown CPU";
}

/// A line that tells machines apart, as far as it matters for speed.
std::string identity(const Context& context) {
  std::string line = fmt::format("{}.{}.{};{}; {} threads", WARPAES_VERSION_MAJOR, WARPAES_VERSION_MINOR,
                                 WARPAES_VERSION_PATCH, cpu_model(), context.threads());
  for (const Engine* const engine : context.engines()) line += "; " + full_name(*engine);
  if (!context.has_device_engine()) return line;
  for (const int device : context.devices()) {
    const warpaes_device_info info = device_info(device);
    line += fmt::format("; {} with driver {}", info.name, info.driver_version);
  }
  return line;
}

/// FNV-1a, so that machines that share a home have a file each.
uint64_t hash_of(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char each : text) hash = (hash ^ static_cast<uint8_t>(each)) * 0x100000001b3;
  return hash;
}

fs::path cache_folder() {
  if (const char* const cache = secure_getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return cache;
  const char* const home = secure_getenv("HOME");
  return home != nullptr && *home == '/' ? fs::path(home) / ".cache" : fs::path();
}

bool is_speed(double value) { return value >= kSlowest && value <= kFastest; }

bool is_possible(const HostSpeed& speed) {
  const auto none_or_speed = [](double value) { return value == 0 || is_speed(value); };
  return is_speed(speed.one_thread) && is_speed(speed.all_threads) &&
         none_or_speed(speed.with_gpu_pageable) && none_or_speed(speed.with_gpu_pinned);
}

/// Reads a line, which must begin with this kind and this shortest length of a call.
std::optional<HostSpeed> parsed_line(std::istream& file, WorkKind wanted_kind, uint64_t wanted_bytes) {
  std::string name;
  uint64_t bytes = 0;
  HostSpeed speed;
  file >> name >> bytes >> speed.one_thread >> speed.all_threads >> speed.with_gpu_pageable >>
      speed.with_gpu_pinned;
  if (!file || name != name_of(wanted_kind) || bytes != wanted_bytes || !is_possible(speed)) return {};
  return speed;
}

std::optional<AllHostSpeeds> parsed(std::istream& file, const TransferSizes& sizes,
                                    const std::string& wanted_identity) {
  std::string first, second, rest;
  if (!std::getline(file, first) || first != kFirstLine) return {};
  if (!std::getline(file, second) || second != wanted_identity) return {};
  AllHostSpeeds speeds;
  for (size_t kind = 0; kind < kWorkKinds; kind++) {
    for (CallSize size = 0; size < kCallSizes; size++) {
      const auto speed = parsed_line(file, static_cast<WorkKind>(kind), least_bytes(sizes, size));
      if (!speed) return {};
      speeds[kind][size] = *speed;
    }
  }
  if (file >> rest) return {};
  return speeds;
}

void write_speeds(const fs::path& path, const Context& context, const AllHostSpeeds& speeds) {
  std::ofstream file(path);
  file << kFirstLine << '\n' << identity(context) << '\n';
  for (size_t kind = 0; kind < kWorkKinds; kind++) {
    for (CallSize size = 0; size < kCallSizes; size++) {
      const HostSpeed& speed = speeds[kind][size];
      file << fmt::format("{} {} {} {} {} {}\n", name_of(static_cast<WorkKind>(kind)),
                          least_bytes(context.state().sizes, size), speed.one_thread, speed.all_threads,
                          speed.with_gpu_pageable, speed.with_gpu_pinned);
    }
  }
  file.close();
  if (!file) throw std::system_error(errno, std::generic_category());
}

}  // namespace

const char* name_of(WorkKind kind) {
  static constexpr const char* kNames[kWorkKinds] = {"stream", "gcm", "chained"};
  return kNames[static_cast<size_t>(kind)];
}

fs::path speed_file(const Context& context) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return {};
  return folder / "warpaes" / fmt::format("speeds-{:016x}.txt", hash_of(identity(context)));
}

std::optional<AllHostSpeeds> load_speeds(const Context& context) {
  const fs::path path = speed_file(context);
  std::error_code error;
  if (path.empty() || !fs::is_regular_file(path, error) || fs::file_size(path, error) > kLongestFile)
    return {};
  std::ifstream file(path);
  file.imbue(std::locale::classic());
  return parsed(file, context.state().sizes, identity(context));
}

void store_speeds(const Context& context, const AllHostSpeeds& speeds) {
  const fs::path path = speed_file(context);
  if (path.empty()) throw Failure(WARPAES_ERROR_FILE, "neither $XDG_CACHE_HOME nor $HOME names a folder");
  // Another thread, or a container whose processes are numbered alike, may be calibrating at the same time.
  const fs::path unfinished = path.string() + fmt::format(".{}-{:08x}", getpid(), std::random_device{}());
  try {
    fs::create_directories(path.parent_path());
    write_speeds(unfinished, context, speeds);
    fs::rename(unfinished, path);
  } catch (const std::system_error& error) {
    std::error_code unknown;  // it may not even have been made
    fs::remove(unfinished, unknown);
    throw Failure(WARPAES_ERROR_FILE, "the speeds cannot be stored in {}: {}", path.string(),
                  error.code().message());
  }
}

}  // namespace warpaes::core
