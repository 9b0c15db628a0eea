#include "bounds.hpp"

#include <algorithm>
#include <array>

namespace warpaes::bench {
namespace {

constexpr double kBlockBytes = 16;

/// The 16 bytes that a block loads and the 16 that it stores pass through the same data path as the
/// look-ups, 4 bytes of each lane at a time.
constexpr double kLookupsWorthOfLoad = 4, kLookupsWorthOfStore = 4;

/// Kernels whose time is their look-ups. The same word names the kernel everywhere.
constexpr std::array kLookupKernels = {std::string_view("lane_private_tables")};

/// GB/s of data at most, from the limit's value; 0 if this limit has no say.
using AtMost = double(double value, const Engine& engine, const Workload& workload, std::string_view place);

double by_lookups(double value, const Engine& engine, const Workload& workload, std::string_view) {
  if (std::ranges::find(kLookupKernels, std::string_view(engine.kernel)) == kLookupKernels.end()) return 0;
  const int rounds = workload.key_bits / 32 + 6;  // FIPS 197 section 5, table 3
  const double lookups = workload.mode->lookups_per_block(rounds, workload.data_unit_bytes) +
                         kLookupsWorthOfLoad + (workload.mode->writes_output ? kLookupsWorthOfStore : 0);
  return value * kBlockBytes / lookups * 1e-9;
}

double by_device_memory(double value, const Engine&, const Workload& workload, std::string_view) {
  return workload.mode->writes_output ? value / 2 : value;  // it counts bytes read and bytes written
}

double by_pcie(double value, const Engine&, const Workload&, std::string_view place) {
  return place == "device" || place == "graph" ? 0 : value;
}

struct Rule {
  std::string_view limit;
  AtMost* at_most;
};

constexpr Rule kRules[] = {
    {"shared_lookups", by_lookups},
    {"device_copy", by_device_memory},
    {"pcie_both_ways", by_pcie},
};

}  // namespace

std::optional<Bound> lowest_bound(std::span<const MeasuredLimit> limits, const Engine& engine,
                                  const Workload& workload, std::string_view place) {
  std::optional<Bound> lowest;
  if (engine.memory != Memory::device) return lowest;
  for (const MeasuredLimit& measured : limits) {
    for (const Rule& rule : kRules) {
      if (rule.limit != measured.limit->name || !measured.value) continue;
      const double at_most = rule.at_most(*measured.value, engine, workload, place);
      if (at_most > 0 && (!lowest || at_most < lowest->gb_per_s)) lowest = {measured.limit->name, at_most};
    }
  }
  return lowest;
}

}  // namespace warpaes::bench
