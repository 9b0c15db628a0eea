#include "kernels/grid/bitsliced_cbc_cfb_decrypt.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::BitslicedCbcCfbDecrypt<Unchaining::cbc>>;
template struct Launcher<grid::BitslicedCbcCfbDecrypt<Unchaining::cfb>>;

}  // namespace warpaes::core::kernels
