// Wipes what a computation with a key leaves behind in the thread that did it.
#pragma once

#include <cstddef>

namespace warpaes::core {

/// How much of the stack below the caller is zeroed. Threads of the library have stacks of megabytes; a
/// caller's stack may have 16 KiB in all.
enum class StackDepth : size_t { own_thread = 32 << 10, callers_thread = 8 << 10 };

/// Zeroes the vector registers and the stack below the caller's frame. Code for AES keeps round keys in these
/// registers, and compilers spill them to the stack. Whoever saves registers, such as the dynamic linker when
/// it binds a symbol, or a signal, writes them to memory.
void wipe_residue(StackDepth depth) noexcept;

}  // namespace warpaes::core
