#include "kernels/grid/ocb3.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::Ocb3<WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<grid::Ocb3<WARPAES_DIRECTION_DECRYPT>>;

}  // namespace warpaes::core::kernels
