// The contexts of the posed CUDA: which device is current in a thread, and which devices this process has a
// context on. As with CUDA, a call that works on the current device makes a context there.
#pragma once

#include <string>

namespace warpaes::core::posed {

/// The current device of this thread: that of its context, or 0.
int current_device();
/// The same, for a call that works on it: the thread has its context afterwards.
int use_current_device();
/// What cudaSetDevice does.
void set_current_device(int device);

/// The driver's functions of contexts. Null for a name that is none of them.
void* function_of_contexts(const std::string& name);

}  // namespace warpaes::core::posed
