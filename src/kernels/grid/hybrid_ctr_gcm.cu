#include "kernels/grid/bitsliced_ctr_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::HybridCtrGcm<Hashed::nothing>>;
template struct Launcher<grid::HybridCtrGcm<Hashed::output>>;
template struct Launcher<grid::HybridCtrGcm<Hashed::input>>;

}  // namespace warpaes::core::kernels
