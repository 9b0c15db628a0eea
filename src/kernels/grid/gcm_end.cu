#include "kernels/grid/gcm_end.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::GcmEnd<Ciphertext::output>>;
template struct Launcher<grid::GcmEnd<Ciphertext::input>>;

}  // namespace warpaes::core::kernels
