// A CUDA runtime without a GPU, which takes cudart's place in the linker: its device memory is host memory
// that it keeps a list of, its streams do everything at once, and while one of them is captured it keeps
// what it was asked for, so that a graph can do it again. The library's own device layer runs on it as it
// stands. It refuses what CUDA refuses during a capture.
#pragma once

#include <functional>

#include "warpaes/context.h"

namespace warpaes::core::posed {

constexpr int kDevices = 2;

/// What a kernel's launch is here: `work`, at once or as a part of the graph that the stream is captured for.
void launch(int device, warpaes_stream stream, const std::function<void()>& work);

}  // namespace warpaes::core::posed
