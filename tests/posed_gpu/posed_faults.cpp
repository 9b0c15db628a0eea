#include "posed_faults.hpp"

#include <cstdlib>
#include <mutex>

namespace warpaes::core::posed {
namespace {

/// For programs that are tried as a whole: "7" lets call 7 fail, "7+" all from there on.
Faults of_environment() {
  const char* const wanted = std::getenv("WARPAES_POSED_FAULT");
  if (wanted == nullptr) return {};
  char* end = nullptr;
  const uint64_t first = std::strtoull(wanted, &end, 10);
  return {.first = first, .from_then_on = *end == '+'};
}

std::mutex mutex;  // calls on host memory have threads of their own
Faults faults = of_environment();
uint64_t calls = 0;
std::string failed;

}  // namespace

void begin_faults(const Faults& wanted) {
  const std::lock_guard lock(mutex);
  faults = wanted;
  calls = 0;
  failed.clear();
}

std::string end_faults() {
  const std::lock_guard lock(mutex);
  faults = {};
  return failed;
}

cudaError_t verdict_on(const char* call) {
  const std::lock_guard lock(mutex);
  const uint64_t number = calls++;
  if (number < faults.first || (number > faults.first && !faults.from_then_on)) return cudaSuccess;
  if (failed.empty()) failed = call;
  return faults.error;
}

}  // namespace warpaes::core::posed
