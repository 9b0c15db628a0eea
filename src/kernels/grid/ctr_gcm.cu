#include "kernels/grid/ctr_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::CtrGcm<Hashed::nothing>>;
template struct Launcher<grid::CtrGcm<Hashed::output>>;
template struct Launcher<grid::CtrGcm<Hashed::input>>;

}  // namespace warpaes::core::kernels
