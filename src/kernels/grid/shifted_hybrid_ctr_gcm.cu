#include "kernels/grid/shifted_hybrid_ctr_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::ShiftedHybridCtrGcm<Hashed::nothing>>;
template struct Launcher<grid::ShiftedHybridCtrGcm<Hashed::output>>;
template struct Launcher<grid::ShiftedHybridCtrGcm<Hashed::input>>;

}  // namespace warpaes::core::kernels
