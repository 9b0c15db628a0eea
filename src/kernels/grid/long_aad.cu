#include "kernels/grid/long_aad.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::LongAad>;

}  // namespace warpaes::core::kernels
