// Which bytes a call reads and writes, so that overlaps can be refused before anything happens.
#pragma once

#include <cstdint>

#include "engines/engine.hpp"

namespace warpaes::core {

/// Processors of 64 bits have addresses of at most 57 bits today. A length beyond that is a mistake, such as
/// a negative number that was taken for a length.
constexpr uint64_t kAddressSpace = uint64_t{1} << 57;

/// `count` pieces of `bytes` bytes each, one every `stride` bytes.
struct Region {
  const char* name;
  const void* data;
  uint64_t count;
  uint64_t stride;
  uint64_t bytes;
};

/// What every message reads at data + m * stride. With stride 0 all messages share one piece.
inline Region source_region(const char* name, const void* data, uint64_t messages, uint64_t stride,
                            uint64_t bytes) {
  return {name, data, stride == 0 && messages != 0 ? 1 : messages, stride, bytes};
}

/// Throws NULL_POINTER for a null pointer to one byte or more, STRIDE if pieces overlap each other, and
/// LENGTH if the region does not fit into the address space. After that, the arithmetic below cannot
/// overflow.
void require_valid(const Region& region);

/// Does no byte belong to both valid regions? The answer is exact: pieces of one may lie between those of the
/// other, as a file's chunks and their tags do, and additional data of all messages in a gap of the output.
bool disjoint(const Region& a, const Region& b);

/// Throws OVERLAP, with the names of both regions.
void require_disjoint(const Region& a, const Region& b);

/// Does a number lie apart from memory whose length nobody has checked? A length that no address space has is
/// of no memory, and is refused as such elsewhere.
bool apart_from_unchecked(const uint64_t* number, const void* data, uint64_t bytes);

/// Of one message: both are valid, and the output begins where the input does or is apart from it.
void require_valid_text(const void* input, uint64_t bytes, const void* output, uint64_t output_bytes);

/// One piece of memory that is valid, by its addresses: to compare two of them takes some instructions, and a
/// short message less time than to compare regions.
struct MemoryRange {
  const char* name;
  uint64_t begin = 0, end = 0;  // both 0 if it is empty
};

/// Throws what require_valid() throws.
inline MemoryRange checked_range(const char* name, const void* data, uint64_t bytes) {
  if (bytes == 0) return {name};
  const auto begin = reinterpret_cast<uintptr_t>(data);
  if (data == nullptr || bytes > kAddressSpace || begin > UINT64_MAX - bytes) {
    require_valid({name, data, 1, 0, bytes});
  }
  return {name, begin, begin + bytes};
}

/// Throws OVERLAP, with both names.
[[noreturn]] void refuse_overlap(const char* a, const char* b);
inline void require_apart(const MemoryRange& a, const MemoryRange& b) {
  if (a.begin < b.end && b.begin < a.end) refuse_overlap(a.name, b.name);
}

/// Throws OPTION if an array, whose entries have `bytes` bytes, is not aligned to that.
void require_aligned(const Region& array);

}  // namespace warpaes::core
