#include "kernels/grid/bitsliced_ecb.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::BitslicedEcb<WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<grid::BitslicedEcb<WARPAES_DIRECTION_DECRYPT>>;

}  // namespace warpaes::core::kernels
