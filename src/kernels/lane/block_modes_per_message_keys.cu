#include "kernels/lane/block_modes.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<lane::BlockModes<CipherMode::ecb_encrypt, LaneKeys::each>>;
template struct Launcher<lane::BlockModes<CipherMode::cbc_encrypt, LaneKeys::each>>;
template struct Launcher<lane::BlockModes<CipherMode::cfb_encrypt, LaneKeys::each>>;
template struct Launcher<lane::BlockModes<CipherMode::cfb_decrypt, LaneKeys::each>>;
template struct Launcher<lane::BlockModes<CipherMode::ofb, LaneKeys::each>>;
template struct Launcher<lane::BlockModes<CipherMode::ctr, LaneKeys::each>>;
template struct Launcher<lane::BlockModes<CipherMode::cmac, LaneKeys::each>>;

}  // namespace warpaes::core::kernels
