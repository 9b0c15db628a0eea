#include "kernels/grid/listed_hybrid_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::ListedHybridGcm<Hashed::output>>;
template struct Launcher<grid::ListedHybridGcm<Hashed::input>>;

}  // namespace warpaes::core::kernels
