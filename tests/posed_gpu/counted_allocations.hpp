// An operator new for the whole process that counts what the library asks for.
#pragma once

#include <cstdint>

namespace warpaes::core::testing {

/// How many allocations this thread has made that are no work of a posed GPU's.
uint64_t counted_allocations();

}  // namespace warpaes::core::testing
