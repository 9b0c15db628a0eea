#include "kernels/grid/bitsliced_ctr_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::HybridCtrGcm<Hashed::output>>;

}  // namespace warpaes::core::kernels
