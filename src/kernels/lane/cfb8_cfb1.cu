#include "kernels/lane/cfb8_cfb1.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<lane::Cfb8Cfb1<LaneKeys::one>>;
template struct Launcher<lane::Cfb8Cfb1<LaneKeys::each>>;

}  // namespace warpaes::core::kernels
