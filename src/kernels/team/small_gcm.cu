#include "kernels/launch.cuh"
#include "kernels/team/small_gcm.hpp"

namespace warpaes::core::kernels {

template struct Launcher<team::SmallGcm<SmallWork::counter>>;
template struct Launcher<team::SmallGcm<SmallWork::encrypt>>;
template struct Launcher<team::SmallGcm<SmallWork::decrypt>>;
template struct Launcher<team::SmallGcm<SmallWork::encrypt, SmallCount::shared>>;
template struct Launcher<team::SmallGcm<SmallWork::decrypt, SmallCount::shared>>;
template struct Launcher<team::SmallGcm<SmallWork::encrypt, SmallCount::many>>;
template struct Launcher<team::SmallGcm<SmallWork::decrypt, SmallCount::many>>;

}  // namespace warpaes::core::kernels
