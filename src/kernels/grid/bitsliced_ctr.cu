#include "kernels/grid/bitsliced_ctr_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::BitslicedCtrGcm<Hashed::nothing>>;

}  // namespace warpaes::core::kernels
