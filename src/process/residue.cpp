#include "process/residue.hpp"

#include <cstdint>
#include <cstring>

namespace warpaes::core {
namespace {

#if defined(__x86_64__)

/// In the System V ABI no vector register belongs to the caller, so none has to be kept. The compiler does
/// not know zmm16 to zmm31 here, and uses none of them. (The assembler repeats a line for each n.)
void wipe_vector_registers() noexcept {
  if (__builtin_cpu_supports("avx512f")) {
    asm volatile(
        ".irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n\t"
        "vpxord %%zmm\\n, %%zmm\\n, %%zmm\\n\n\t"
        ".endr" ::
            : "memory");
  }
  if (__builtin_cpu_supports("avx")) {
    asm volatile("vzeroall" ::
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory");
    return;
  }
  asm volatile(
      ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n\t"
      "pxor %%xmm\\n, %%xmm\\n\n\t"
      ".endr" ::
          : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
            "xmm12", "xmm13", "xmm14", "xmm15", "memory");
}

#elif defined(__aarch64__)

/// The low halves of v8 to v15 belong to the caller (AAPCS64 section 6.1.2), so whoever used them has
/// restored them.
void wipe_vector_registers() noexcept {
  asm volatile(
      "movi v0.2d, #0\n\tmovi v1.2d, #0\n\tmovi v2.2d, #0\n\tmovi v3.2d, #0\n\t"
      "movi v4.2d, #0\n\tmovi v5.2d, #0\n\tmovi v6.2d, #0\n\tmovi v7.2d, #0\n\t"
      "movi v16.2d, #0\n\tmovi v17.2d, #0\n\tmovi v18.2d, #0\n\tmovi v19.2d, #0\n\t"
      "movi v20.2d, #0\n\tmovi v21.2d, #0\n\tmovi v22.2d, #0\n\tmovi v23.2d, #0\n\t"
      "movi v24.2d, #0\n\tmovi v25.2d, #0\n\tmovi v26.2d, #0\n\tmovi v27.2d, #0\n\t"
      "movi v28.2d, #0\n\tmovi v29.2d, #0\n\tmovi v30.2d, #0\n\tmovi v31.2d, #0" ::
          : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
            "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "memory");
}

#else

void wipe_vector_registers() noexcept {}

#endif

/// A stack frame that covers those of the calls before, and is zeroed. It is not inlined, or it would lie in
/// the caller's frame instead of below it.
template <StackDepth Depth>
[[gnu::noinline]] void wipe_stack() noexcept {
  uint8_t dead[static_cast<size_t>(Depth)];
  std::memset(dead, 0, sizeof dead);
  asm volatile("" ::"r"(dead) : "memory");  // somebody might read this memory, so the memset must stay
}

}  // namespace

void wipe_residue(StackDepth depth) noexcept {
  wipe_vector_registers();
  if (depth == StackDepth::own_thread) {
    wipe_stack<StackDepth::own_thread>();
  } else {
    wipe_stack<StackDepth::callers_thread>();
  }
}

}  // namespace warpaes::core
