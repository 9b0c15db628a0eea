#include "kernels/launch.cuh"
#include "kernels/team/gcm.hpp"

namespace warpaes::core::kernels {

template struct Launcher<team::Gcm<OneKeyBatch, WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<team::Gcm<OneKeyBatch, WARPAES_DIRECTION_DECRYPT>>;
template struct Launcher<team::Gcm<RaggedBatch, WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<team::Gcm<RaggedBatch, WARPAES_DIRECTION_DECRYPT>>;
template struct Launcher<team::Gcm<ShiftedBatch, WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<team::Gcm<ShiftedBatch, WARPAES_DIRECTION_DECRYPT>>;

}  // namespace warpaes::core::kernels
