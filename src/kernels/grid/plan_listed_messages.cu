#include "kernels/grid/listed_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::PlanListedMessages>;

}  // namespace warpaes::core::kernels
