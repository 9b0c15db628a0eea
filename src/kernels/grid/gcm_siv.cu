#include "kernels/grid/gcm_siv.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::GcmSiv<SivWork::hash>>;
template struct Launcher<grid::GcmSiv<SivWork::crypt>>;
template struct Launcher<grid::GcmSiv<SivWork::open>>;

}  // namespace warpaes::core::kernels
