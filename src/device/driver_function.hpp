// CUDA's driver, for what the runtime has no call for. To be included only where CUDA is called.
#pragma once

#include <cuda.h>

namespace warpaes::core {

/// The address of a function of the driver, or null if there is no driver that has it. The library is not
/// linked with the driver, so that it can be loaded where there is none.
void* address_in_driver(const char* name) noexcept;

/// The same as a function. `Function` is the type of a pointer to it, decltype(&cuCtxGetCurrent) for example,
/// with a name that CUDA 12.0 knows.
template <class Function>
Function driver_function(const char* name) noexcept {
  return reinterpret_cast<Function>(address_in_driver(name));
}

}  // namespace warpaes::core
