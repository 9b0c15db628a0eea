// All forms of operator new and delete for a whole program, by the two functions that it defines. All, as the
// address sanitizer has its own of those that are left out.
#pragma once

#include <cstddef>

namespace warpaes::core::testing::replaced {

/// @return null if there is no memory, or is to be none
void* allocate(std::size_t bytes, std::size_t alignment);
/// @param memory of allocate(), or null
void release(void* memory);

/// For allocate(): from the system.
void* allocate_really(std::size_t bytes, std::size_t alignment);

}  // namespace warpaes::core::testing::replaced
