// How structures of the C ABI are read and written, whichever version of the header the caller was compiled
// with. warpaes/types.h has the rule.
#pragma once

#include <algorithm>
#include <cstring>

#include "c_api/handles.hpp"

namespace warpaes::core::c_api {

/// Throws OPTION unless a structure of `given` bytes can stand for one of `known` bytes.
void require_size(const void* structure, size_t given, size_t known, const char* name);

/// A copy of a caller's structure, with zeros for what an older one lacks.
template <class Structure>
Structure read_structure(const Structure* given, const char* name) {
  require(given, name);
  if (given->size == sizeof(Structure)) return *given;
  require_size(given, given->size, sizeof(Structure), name);
  Structure known{};
  std::memcpy(&known, given, std::min(given->size, sizeof known));
  known.size = sizeof known;
  return known;
}

/// Fills in a caller's structure as far as it reaches. Its size stays as it is.
template <class Structure>
void write_structure(Structure* to, Structure known) {
  known.size = to->size;
  std::memcpy(to, &known, std::min(known.size, sizeof known));
}

/// Throws OPTION if a reserved member is not 0.
void require_reserved(uint64_t reserved, const char* name);

/// Throws OPTION unless a member that stands for yes or no is 1 or 0.
void require_flag(uint32_t flag, const char* member);

/// Of structures that can say that plaintext is in device memory.
void require_device_members(uint32_t on_device, warpaes_stream stream, const char* name);

}  // namespace warpaes::core::c_api
