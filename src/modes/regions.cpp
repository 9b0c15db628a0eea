#include "modes/regions.hpp"

#include <algorithm>
#include <utility>

#include "failure.hpp"

namespace warpaes::core {
namespace {

bool is_empty(const Region& region) { return region.count == 0 || region.bytes == 0; }

uint64_t first_byte(const Region& region) { return reinterpret_cast<uintptr_t>(region.data); }

uint64_t length(const Region& region) { return (region.count - 1) * region.stride + region.bytes; }

/// Of numbers that may go over 2^64: 2^57 pieces, 2^57 bytes apart.
__extension__ using Wide = unsigned __int128;

/// The sum of floor((first + i * step) / divisor) for all i < count, modulo 2^128. Like Euclid's algorithm,
/// it goes on with the remainder as the divisor, so the time grows as the logarithm of the numbers.
Wide sum_of_quotients(Wide count, Wide first, Wide step, Wide divisor) {
  Wide sum = 0;
  for (;;) {
    sum += count * (count - 1) / 2 * (step / divisor) + count * (first / divisor);
    step %= divisor;
    first %= divisor;
    const Wide last = first + step * count;
    if (last < divisor) return sum;
    count = last / divisor;
    first = last % divisor;
    std::swap(step, divisor);
  }
}

uint64_t stride_of(const Region& region) { return region.count == 1 ? region.bytes : region.stride; }

/// Does a piece of a begin inside a piece of b? Only those that begin within b's whole range count. How far
/// behind the begin of a piece of b one of them begins is its remainder by b's stride; the quotients of a
/// number and of the number less b.bytes differ by one more where that is less than b.bytes.
bool begins_inside(const Region& a, const Region& b) {
  const uint64_t a_begin = first_byte(a), b_begin = first_byte(b), step = stride_of(a), stride = stride_of(b);
  const auto begin_before = [&](uint64_t end) {
    return end <= a_begin ? 0 : std::min(a.count, (end - a_begin - 1) / step + 1);
  };
  const uint64_t skipped = begin_before(b_begin), count = begin_before(b_begin + length(b)) - skipped;
  if (count == 0) return false;
  const uint64_t first = a_begin + skipped * step - b_begin;
  return sum_of_quotients(count, first + stride, step, stride) !=
         sum_of_quotients(count, first + stride - b.bytes, step, stride);
}

[[noreturn]] void refuse(Status status, const char* what, const Region& region) {
  throw Failure(status, "{} for {}", what, region.name);
}

}  // namespace

void require_valid(const Region& region) {
  if (is_empty(region)) return;
  if (region.data == nullptr) refuse(WARPAES_ERROR_NULL_POINTER, "a null pointer", region);
  if (region.count > 1 && region.stride < region.bytes) {
    refuse(WARPAES_ERROR_STRIDE, "a stride shorter than what it strides over", region);
  }
  uint64_t span = 0, end = 0;
  if (__builtin_mul_overflow(region.count - 1, region.stride, &span) ||
      __builtin_add_overflow(span, region.bytes, &span) ||
      __builtin_add_overflow(first_byte(region), span, &end) || span > kAddressSpace) {
    refuse(WARPAES_ERROR_LENGTH, "a length beyond the address space", region);
  }
}

bool disjoint(const Region& a, const Region& b) {
  if (is_empty(a) || is_empty(b)) return true;
  const uint64_t a_begin = first_byte(a), b_begin = first_byte(b);
  if (a_begin + length(a) <= b_begin || b_begin + length(b) <= a_begin) return true;
  return !begins_inside(a, b) && !begins_inside(b, a);
}

void refuse_overlap(const char* a, const char* b) {
  throw Failure(WARPAES_ERROR_OVERLAP, "{} and {} overlap", a, b);
}

void require_disjoint(const Region& a, const Region& b) {
  if (!disjoint(a, b)) refuse_overlap(a.name, b.name);
}

bool apart_from_unchecked(const uint64_t* number, const void* data, uint64_t bytes) {
  const bool is_memory = bytes <= kAddressSpace && reinterpret_cast<uintptr_t>(data) <= UINT64_MAX - bytes;
  return data == nullptr || !is_memory ||
         disjoint({"", number, 1, 0, sizeof *number}, {"", data, 1, 0, bytes});
}

void require_valid_text(const void* input, uint64_t bytes, const void* output, uint64_t output_bytes) {
  const MemoryRange read = checked_range("the input", input, bytes),
                    written = checked_range("the output", output, output_bytes);
  if (input != output) require_apart(written, read);
}

void require_aligned(const Region& array) {
  if (is_empty(array) || first_byte(array) % array.bytes == 0) return;
  throw Failure(WARPAES_ERROR_OPTION, "{} are not aligned to {} bytes", array.name, array.bytes);
}

}  // namespace warpaes::core
