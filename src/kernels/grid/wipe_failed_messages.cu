#include "kernels/grid/wipe_failed_messages.hpp"
#include "kernels/launch.cuh"

namespace warpaes::core::kernels {

template struct Launcher<grid::WipeFailedMessages>;

}  // namespace warpaes::core::kernels
