#include "kernels/grid/bitsliced_xts.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::BitslicedXts<WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<grid::BitslicedXts<WARPAES_DIRECTION_DECRYPT>>;
template struct Launcher<grid::BitslicedXtsStealing<WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<grid::BitslicedXtsStealing<WARPAES_DIRECTION_DECRYPT>>;

}  // namespace warpaes::core::kernels
