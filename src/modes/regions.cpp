#include "modes/regions.hpp"

#include "failure.hpp"

namespace warpaes::core {
namespace {

bool is_empty(const Region& region) { return region.count == 0 || region.bytes == 0; }

uint64_t first_byte(const Region& region) { return reinterpret_cast<uintptr_t>(region.data); }

uint64_t length(const Region& region) { return (region.count - 1) * region.stride + region.bytes; }

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
  if (a.count == 1 || b.count == 1 || a.stride != b.stride) return false;

  // The calculation is modulo the common stride: the piece of a is [0, a.bytes), and the one of b starts at
  // `phase`.
  const uint64_t stride = a.stride;
  const uint64_t phase =
      b_begin >= a_begin ? (b_begin - a_begin) % stride : (stride - (a_begin - b_begin) % stride) % stride;
  return phase >= a.bytes && phase + b.bytes <= stride;
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
