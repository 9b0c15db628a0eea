#include "kernels/lane/bitsliced_chains.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<lane::BitslicedChains<CipherMode::cbc_encrypt>>;
template struct Launcher<lane::BitslicedChains<CipherMode::cfb_encrypt>>;
template struct Launcher<lane::BitslicedChains<CipherMode::ofb>>;

}  // namespace warpaes::core::kernels
