#include "kernels/grid/cbc_cfb_decrypt.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::CbcCfbDecrypt<Unchaining::cbc>>;
template struct Launcher<grid::CbcCfbDecrypt<Unchaining::cfb>>;
template struct Launcher<grid::SaveBlocksBeforeRuns>;

}  // namespace warpaes::core::kernels
