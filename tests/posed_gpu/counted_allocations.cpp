#include "counted_allocations.hpp"

#include <cstdlib>

#include "../allocation/replaced_operators.hpp"
#include "posing.hpp"

namespace warpaes::core::testing {
namespace {

thread_local uint64_t counted = 0;

}  // namespace

void* replaced::allocate(std::size_t bytes, std::size_t alignment) {
  if (!Posing::is_under_way()) counted++;
  return allocate_really(bytes, alignment);
}

void replaced::release(void* memory) { std::free(memory); }

uint64_t counted_allocations() { return counted; }

}  // namespace warpaes::core::testing
