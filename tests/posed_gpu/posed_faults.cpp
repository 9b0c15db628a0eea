#include "posed_faults.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <string>

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

/// Where a program that is tried as a whole says how many calls it has made, so that one in the middle can be
/// let fail; -1: nobody asks. It is said after each, as a program may end without its last functions.
const int told_to = [] {
  const char* const file = std::getenv("WARPAES_POSED_CALLS");
  return file == nullptr ? -1 : open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
}();

void tell_calls() {
  if (told_to == -1) return;
  const std::string number = std::to_string(calls);
  (void)!pwrite(told_to, number.data(), number.size(), 0);
}

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
  tell_calls();
  if (number < faults.first || (number > faults.first && !faults.from_then_on)) return cudaSuccess;
  if (failed.empty()) failed = call;
  return faults.error;
}

}  // namespace warpaes::core::posed
