// Kernels are made known to the CUDA runtime when somebody wants a GPU, and not before main().
//
// The compiler has each .cu file register its kernels when the program or library is loaded. That takes time
// of every program, and the CUDA runtime crashes where memory is short. cmake/KernelRegistration.cmake moves
// the functions that do it out of the array that the loader calls, into one that is called here.
#pragma once

#include <mutex>

// The linker's names of the section's ends. Each program and each library has a section of its own, or none.
extern "C" {
extern void (*const __start_warpaes_registration[])() __attribute__((weak, visibility("hidden")));
extern void (*const __stop_warpaes_registration[])() __attribute__((weak, visibility("hidden")));
}

namespace warpaes::core::kernels {

/// Registers the kernels of the program or library that this is linked into; to be called before the first of
/// them is used. The function is hidden, so that each program and each library has one flag of its own.
__attribute__((visibility("hidden"))) inline void register_kernels() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (auto* each = __start_warpaes_registration; each != __stop_warpaes_registration; each++) (*each)();
  });
}

}  // namespace warpaes::core::kernels
