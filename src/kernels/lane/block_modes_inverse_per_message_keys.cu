#include "kernels/lane/block_modes.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<lane::BlockModes<CipherMode::ecb_decrypt, LaneKeys::each>>;
template struct Launcher<lane::BlockModes<CipherMode::cbc_decrypt, LaneKeys::each>>;

}  // namespace warpaes::core::kernels
