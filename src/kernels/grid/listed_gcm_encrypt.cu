#include "kernels/grid/listed_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::ListedGcm<Hashed::output>>;

}  // namespace warpaes::core::kernels
