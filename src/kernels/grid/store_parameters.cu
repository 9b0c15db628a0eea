#include "kernels/grid/store_parameters.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::StoreParameters>;

}  // namespace warpaes::core::kernels
