#include "lab/shape.hpp"

namespace warpaes::core::lab {
namespace {

constexpr Axis kAll[] = {kThreads, kBlocksPerThread, kTableCopies, kKeysIn, kTablesIn};

}  // namespace

std::span<const Axis> all_axes() { return kAll; }

std::string value_name(const Axis& axis, uint32_t value) {
  return axis.value_names.empty() ? std::to_string(value) : std::string(axis.value_names[value]);
}

std::string value_names(const Axis& axis) {
  std::string names;
  for (const uint32_t value : axis.values) names += (names.empty() ? "" : ", ") + value_name(axis, value);
  return names;
}

}  // namespace warpaes::core::lab
