#include "smaps.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpaes::core::testing {
namespace {

/// "7f0c8a400000-7f0c8a421000 rw-p 00000000 00:00 0   [heap]"; other lines are "Name: value".
bool read_first_line(const std::string& line, Mapping& mapping) {
  std::istringstream words(line);
  char dash = 0;
  std::string offset, device, inode;
  if (!(words >> std::hex >> mapping.begin >> dash >> mapping.end) || dash != '-') return false;
  words >> mapping.permissions >> offset >> device >> inode;
  std::getline(words >> std::ws, mapping.name);
  return true;
}

}  // namespace

std::vector<Mapping> mappings() {
  std::ifstream smaps("/proc/self/smaps");
  std::vector<Mapping> all;
  const std::string flags = "VmFlags:";
  for (std::string line; std::getline(smaps, line);) {
    Mapping mapping{};
    if (line.starts_with(flags)) {
      all.back().flags = line.substr(flags.size()) + " ";
    } else if (read_first_line(line, mapping)) {
      all.push_back(mapping);
    }
  }
  return all;
}

Mapping mapping_of(const void* address) {
  const std::vector<Mapping> all = mappings();
  const auto found =
      std::ranges::find_if(all, [address](const Mapping& mapping) { return mapping.holds(address); });
  if (found == all.end()) throw std::logic_error("an address that is not mapped");
  return *found;
}

bool may_lock(uint64_t bytes) {
  rlimit limit{};
  return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur >= bytes;
}

}  // namespace warpaes::core::testing
