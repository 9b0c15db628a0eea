// Which bytes an operation reads and writes, so that overlaps can be refused before anything happens.
#pragma once

#include <cstdint>

namespace warpaes {

/// `count` pieces of `bytes` bytes, one every `stride`.
struct Region {
  const char* name;
  const void* data;
  uint64_t count;
  uint64_t stride;
  uint64_t bytes;
};

/// Throws NULL_POINTER for a null with bytes behind it, STRIDE if pieces overlap each other, and LENGTH
/// if the region does not fit into 64-bit addresses. After that, the arithmetic below cannot overflow.
void require_valid(const Region& region);

/// Do all bytes of one lie outside the other? Exact for pieces of equal stride that interleave, as a
/// file's chunks and their tags do; for other strides, the whole ranges are compared.
bool disjoint(const Region& a, const Region& b);

/// The same pieces at the same place: in-place operation.
bool same_place(const Region& a, const Region& b);

/// Throws OVERLAP, with the names of both.
void require_disjoint(const Region& a, const Region& b);
void require_disjoint_or_same_place(const Region& a, const Region& b);

}  // namespace warpaes
