// Reads what the kernel says about this process's memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpaes::core::testing {

/// A mapping of /proc/self/smaps.
struct Mapping {
  uintptr_t begin, end;
  std::string permissions;  // "rw-p"
  std::string name;         // a path, "[heap]", "[stack]", or empty
  std::string flags;        // " rd wr mr mw me dd ac "; proc(5): dd: not in core dumps, lo: locked

  bool holds(const void* address) const {
    const auto at = reinterpret_cast<uintptr_t>(address);
    return at >= begin && at < end;
  }
  bool has_flag(const char* flag) const {
    return flags.find(std::string(" ") + flag + " ") != std::string::npos;
  }
};

std::vector<Mapping> mappings();

/// The one that holds this address. Throws if there is none.
Mapping mapping_of(const void* address);

/// May this process lock so many more bytes into RAM?
bool may_lock(uint64_t bytes);

}  // namespace warpaes::core::testing
