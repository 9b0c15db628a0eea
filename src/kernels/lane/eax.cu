#include "kernels/lane/ccm_eax.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<lane::CcmEax<CcmOrEax::eax, WARPAES_DIRECTION_ENCRYPT, LaneKeys::one>>;
template struct Launcher<lane::CcmEax<CcmOrEax::eax, WARPAES_DIRECTION_DECRYPT, LaneKeys::one>>;
template struct Launcher<lane::CcmEax<CcmOrEax::eax, WARPAES_DIRECTION_ENCRYPT, LaneKeys::each>>;
template struct Launcher<lane::CcmEax<CcmOrEax::eax, WARPAES_DIRECTION_DECRYPT, LaneKeys::each>>;

}  // namespace warpaes::core::kernels
