#include "kernels/grid/xts.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::Xts<WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<grid::Xts<WARPAES_DIRECTION_DECRYPT>>;

}  // namespace warpaes::core::kernels
