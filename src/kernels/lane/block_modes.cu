#include "kernels/lane/block_modes.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<lane::BlockModes<CipherMode::ecb_encrypt, LaneKeys::one>>;
template struct Launcher<lane::BlockModes<CipherMode::ecb_decrypt, LaneKeys::one>>;
template struct Launcher<lane::BlockModes<CipherMode::cbc_decrypt, LaneKeys::one>>;
template struct Launcher<lane::BlockModes<CipherMode::cfb_decrypt, LaneKeys::one>>;
template struct Launcher<lane::BlockModes<CipherMode::ctr, LaneKeys::one>>;
template struct Launcher<lane::BlockModes<CipherMode::cbc_encrypt, LaneKeys::one>>;
template struct Launcher<lane::BlockModes<CipherMode::cfb_encrypt, LaneKeys::one>>;
template struct Launcher<lane::BlockModes<CipherMode::ofb, LaneKeys::one>>;
template struct Launcher<lane::BlockModes<CipherMode::cmac, LaneKeys::one>>;

}  // namespace warpaes::core::kernels
