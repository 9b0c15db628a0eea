#include "kernels/launch.cuh"
#include "kernels/team/ocb3.hpp"
#include "kernels/team/ocb3_per_message_keys.hpp"

namespace warpaes::core::kernels {

template struct Launcher<team::Ocb3<WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<team::Ocb3<WARPAES_DIRECTION_DECRYPT>>;
template struct Launcher<team::Ocb3PerMessageKeys<WARPAES_DIRECTION_ENCRYPT>>;
template struct Launcher<team::Ocb3PerMessageKeys<WARPAES_DIRECTION_DECRYPT>>;

}  // namespace warpaes::core::kernels
