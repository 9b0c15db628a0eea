#include "kernels/launch.cuh"
#include "kernels/team/gcm_siv.hpp"

namespace warpaes::core::kernels {

template struct Launcher<team::GcmSiv<GcmSivBatch, WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<team::GcmSiv<GcmSivBatch, WARPAES_DIRECTION_DECRYPT>>;
template struct Launcher<team::GcmSiv<PerMessageKeysBatch, WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<team::GcmSiv<PerMessageKeysBatch, WARPAES_DIRECTION_DECRYPT>>;

}  // namespace warpaes::core::kernels
