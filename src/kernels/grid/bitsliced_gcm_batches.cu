#include "kernels/grid/bitsliced_gcm_batches.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::BitslicedGcmBatches<Hashed::output>>;
template struct Launcher<grid::BitslicedGcmBatches<Hashed::input>>;

}  // namespace warpaes::core::kernels
