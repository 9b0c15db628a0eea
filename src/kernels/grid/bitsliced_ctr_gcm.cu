#include "kernels/grid/bitsliced_ctr_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::BitslicedCtrGcm<Hashed::nothing>>;
template struct Launcher<grid::BitslicedCtrGcm<Hashed::output>>;
template struct Launcher<grid::BitslicedCtrGcm<Hashed::input>>;

}  // namespace warpaes::core::kernels
