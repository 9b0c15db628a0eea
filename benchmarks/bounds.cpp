#include "bounds.hpp"

#include <algorithm>

namespace warpaes::bench {
namespace {

/// What the hardware was measured to do; 0 for what was not measured.
struct Hardware {
  double shared_lookups, lop3, idp;                 // per second
  double device_copy, device_read, pcie_both_ways;  // GB/s
};

double value_of(std::span<const MeasuredLimit> limits, std::string_view name) {
  const auto found = std::ranges::find(limits, name, [](auto& measured) { return measured.limit->name; });
  return found == limits.end() ? 0 : found->value.value_or(0);
}

/// A block loads 16 bytes and stores 16, which pass through the same data path as look-ups do, 4 bytes for
/// each lane at a time.
constexpr double kLookupsWorthOfLoad = 4, kLookupsWorthOfStore = 4;

double lookups_worth_of_access(const BenchMode& mode) {
  return kLookupsWorthOfLoad + (mode.writes_output ? kLookupsWorthOfStore : 0);
}

int rounds_of(const Workload& workload) { return workload.key_bits / 32 + 6; }  // FIPS 197 section 5, table 3

double lookups_of(const Workload& workload) {
  const uint64_t unit = workload.mode->has_data_units ? workload.data_unit_bytes : workload.bytes;
  return workload.mode->lookups_per_block(rounds_of(workload), unit);
}

double lookups_a_block(const Workload& workload) {
  return lookups_of(workload) + lookups_worth_of_access(*workload.mode);
}

/// How many gates of logic a block by tables takes: two gates of three inputs add up four look-ups and a word
/// of the round key. The address of each look-up is a dot product, which another unit computes.
double logic_by_tables(const Workload& workload) { return lookups_of(workload) * 2 / 4; }
double dot_products_by_tables(const Workload& workload) { return lookups_of(workload); }

/// Does a block take calls of the cipher?
bool enciphers_blocks(const Workload& workload) { return lookups_of(workload) > 0; }

/// How many gates a block on bit planes takes, of which a thread has 8: the gates and rotations of the rounds
/// that blocks do not have in common, and the transpositions before and behind them
/// (docs/design/bitsliced.md).
double logic_on_bit_planes(const Workload& workload) {
  constexpr double kARound = 325 + 24, kTranspositions = 192 + 96 + 128, kBlocks = 8;
  return (kARound * (rounds_of(workload) - workload.mode->shared_rounds) + kTranspositions) / kBlocks;
}

constexpr double gigabytes(double blocks) { return blocks * 16 * 1e-9; }

/// The highest rate in GB/s of data that a limit allows; 0 if the limit does not apply, or was not measured.
using AtMost = double(const Hardware& hardware, const EngineInfo& engine, const Workload& workload,
                      std::string_view place);

/// Does the engine look up tables? Its kernel has the same name everywhere.
bool uses_tables(const EngineInfo& engine) {
  return engine.kernel == std::string_view("lane_private_tables");
}
bool uses_bit_planes(const EngineInfo& engine) { return engine.kernel == std::string_view("bitsliced"); }

/// Is this computed by the hybrid kernel, in which warps on bit planes work beside those with tables?
bool uses_both(const EngineInfo& engine, const Workload& workload) {
  return uses_tables(engine) && workload.mode->shared_rounds > 0 && workload.messages == 1;
}

double by_lookups(const Hardware& hardware, const EngineInfo& engine, const Workload& workload,
                  std::string_view) {
  if (!uses_tables(engine) || uses_both(engine, workload)) return 0;
  return gigabytes(hardware.shared_lookups / lookups_a_block(workload));
}

double by_logic(const Hardware& hardware, const EngineInfo& engine, const Workload& workload,
                std::string_view) {
  if (!uses_bit_planes(engine) || !enciphers_blocks(workload)) return 0;
  return gigabytes(hardware.lop3 / logic_on_bit_planes(workload));
}

/// The hybrid kernel uses three units at the same time: shared memory, logic and dot products. As many blocks
/// as shared memory and dot products allow are computed by tables. Bit planes compute further blocks with the
/// logic that is left; the loads and stores of these blocks take some of shared memory's time.
double by_three_units(const Hardware& hardware, const EngineInfo& engine, const Workload& workload,
                      std::string_view) {
  if (!uses_both(engine, workload) || hardware.shared_lookups == 0 || hardware.lop3 == 0) return 0;
  double most_by_tables = hardware.shared_lookups / lookups_a_block(workload);
  if (hardware.idp > 0) {
    most_by_tables = std::min(most_by_tables, hardware.idp / dot_products_by_tables(workload));
  }
  const double tables_for_planes = lookups_worth_of_access(*workload.mode) / lookups_a_block(workload);
  const double logic_left = hardware.lop3 - most_by_tables * logic_by_tables(workload);
  const double on_planes = std::max(logic_left, 0.0) /
                           (logic_on_bit_planes(workload) - tables_for_planes * logic_by_tables(workload));
  return gigabytes(most_by_tables + on_planes * (1 - tables_for_planes));
}

/// The limit counts bytes that are read and bytes that are written.
double by_device_copy(const Hardware& hardware, const EngineInfo&, const Workload& workload,
                      std::string_view) {
  return workload.mode->writes_output ? hardware.device_copy / 2 : 0;
}

double by_device_read(const Hardware& hardware, const EngineInfo&, const Workload& workload,
                      std::string_view) {
  return workload.mode->writes_output ? 0 : hardware.device_read;
}

double by_pcie(const Hardware& hardware, const EngineInfo&, const Workload&, std::string_view place) {
  return place == "device" || place == "graph" ? 0 : hardware.pcie_both_ways;
}

struct Rule {
  const char* limit;
  AtMost* at_most;
};

constexpr Rule kRules[] = {
    {"shared_lookups", by_lookups},       {"lop3", by_logic},
    {"lookups_lop3_idp", by_three_units}, {"device_copy", by_device_copy},
    {"device_read", by_device_read},      {"pcie_both_ways", by_pcie},
};

}  // namespace

std::optional<Bound> lowest_bound(std::span<const MeasuredLimit> limits, const EngineInfo& engine,
                                  const Workload& workload, std::string_view place) {
  std::optional<Bound> lowest;
  if (engine.on_device == 0) return lowest;
  const Hardware hardware{.shared_lookups = value_of(limits, "shared_lookups"),
                          .lop3 = value_of(limits, "lop3"),
                          .idp = value_of(limits, "idp"),
                          .device_copy = value_of(limits, "device_copy"),
                          .device_read = value_of(limits, "device_read"),
                          .pcie_both_ways = value_of(limits, "pcie_both_ways")};
  for (const Rule& rule : kRules) {
    const double at_most = rule.at_most(hardware, engine, workload, place);
    if (at_most > 0 && (!lowest || at_most < lowest->gb_per_s)) lowest = {rule.limit, at_most};
  }
  return lowest;
}

}  // namespace warpaes::bench
