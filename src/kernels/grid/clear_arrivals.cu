#include "kernels/grid/clear_arrivals.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::ClearArrivals>;

}  // namespace warpaes::core::kernels
