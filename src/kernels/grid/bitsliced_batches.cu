#include "kernels/grid/bitsliced_batches.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::BitslicedBatches<CipherMode::ecb_encrypt>>;
template struct Launcher<grid::BitslicedBatches<CipherMode::ecb_decrypt>>;
template struct Launcher<grid::BitslicedBatches<CipherMode::cbc_decrypt>>;
template struct Launcher<grid::BitslicedBatches<CipherMode::cfb_decrypt>>;
template struct Launcher<grid::BitslicedBatches<CipherMode::ctr>>;

}  // namespace warpaes::core::kernels
