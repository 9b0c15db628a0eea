// Copies a few bytes of host memory to device memory by a launch.
#pragma once

#include <algorithm>
#include <span>

#include "engines/cuda/wiped_arguments.hpp"
#include "engines/engine.hpp"
#include "failure.hpp"
#include "kernels/grid/store_parameters.hpp"

namespace warpaes::core {

/// @tparam Gpu what launches, see gpu_engines.hpp
/// @param bytes host memory, which is read before this function returns
template <class Gpu>
void store_parameters_on(int device, uint8_t* to, std::span<const uint8_t> bytes, Stream stream) {
  if (bytes.empty()) return;
  if (bytes.size() > StoreArguments::kMost) {
    throw Failure(WARPAES_ERROR_LENGTH, "more bytes than a launch has parameters for");
  }
  WipedArguments<StoreArguments> arguments{};
  arguments.to = to;
  arguments.bytes = bytes.size();
  std::copy(bytes.begin(), bytes.end(), arguments.contents);
  const kernels::DeviceShape shape = Gpu::shape(device);
  Gpu::run(kernels::grid::StoreParameters{}, {device, shape, 0}, arguments, {1}, stream);
}

}  // namespace warpaes::core
