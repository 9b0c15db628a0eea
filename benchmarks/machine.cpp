#include "machine.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <utility>

#include "warpaes/context.hpp"

namespace warpaes::bench {
namespace {

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2000-01-01T00:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// A file that the installation has written for this program, share/warpaes/NAME beside bin/.
std::ifstream build_record(const char* name) {
  std::error_code no_link;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", no_link);
  return std::ifstream(program.parent_path().parent_path() / "share" / "warpaes" / name);
}

std::optional<std::string> recorded_sources() {
  std::string hash;
  if (auto file = build_record("sources.sha256"); file >> hash) return hash;
  return std::nullopt;
}

std::optional<std::string> recorded_commit() {
  auto file = build_record("build.json");
  const auto record = nlohmann::json::parse(file, nullptr, false);
  if (!record.is_object() || !record.contains("commit")) return std::nullopt;
  return record["commit"].get<std::string>();
}

/// Reads "model name" from /proc/cpuinfo, and counts its pairs of "physical id" and "core id".
void describe_cpu(Machine& machine) {
  machine.threads = std::max(1u, std::thread::hardware_concurrency());
  machine.cpu = "unknown";
  std::set<std::pair<std::string, std::string>> cores;
  std::string package;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string name = line.substr(0, line.find_first_of("\t:")), value = line.substr(colon + 2);
    if (name == "model name") machine.cpu = value;
    if (name == "physical id") package = value;
    if (name == "core id") cores.emplace(package, value);
  }
  machine.cores = cores.empty() ? machine.threads : static_cast<unsigned>(cores.size());
}

std::string describe_system() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

}  // namespace

Machine describe_machine(int device, const Nvml& nvml) {
  Machine machine{};
  machine.date = now_in_utc();
  machine.version =
      fmt::format("{}.{}.{}", WARPAES_VERSION_MAJOR, WARPAES_VERSION_MINOR, WARPAES_VERSION_PATCH);
  machine.commit = recorded_commit();
  machine.sources_sha256 = recorded_sources();
  if (device_count() > 0) machine.gpu = device_info(static_cast<uint32_t>(device));
  machine.driver = nvml.driver_version();
  machine.highest_clock_mhz = nvml.highest_clock_mhz();
  machine.highest_memory_clock_mhz = nvml.highest_memory_clock_mhz();
  machine.power_limit_watts = nvml.power_limit_watts();
  describe_cpu(machine);
  machine.openssl = OpenSSL_version(OPENSSL_VERSION);
  machine.system = describe_system();
  return machine;
}

}  // namespace warpaes::bench
