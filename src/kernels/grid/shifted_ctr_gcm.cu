#include "kernels/grid/shifted_ctr_gcm.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::ShiftedCtrGcm<Hashed::nothing>>;
template struct Launcher<grid::ShiftedCtrGcm<Hashed::output>>;
template struct Launcher<grid::ShiftedCtrGcm<Hashed::input>>;

}  // namespace warpaes::core::kernels
