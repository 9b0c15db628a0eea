#include "kernels/grid/listed_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::ListedGcm<Hashed::output>>;
template struct Launcher<grid::ListedGcm<Hashed::input>>;

}  // namespace warpaes::core::kernels
