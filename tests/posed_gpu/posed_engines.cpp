// The GPU engines by the names they have in the engine table, which the linker takes from here in place of
// CUDA's: the production kernels on the emulated GPU, launched through the posed CUDA, so that graphs keep
// them.
#include "emulated_engines.hpp"
#include "emulated_machine.hpp"
#include "engines/cuda/cuda_engine.hpp"
#include "posed_cuda.hpp"

namespace warpaes::core {
namespace {

Engine posing(const Engine& emulated, const char* kernel, TimingClass timing) {
  emulated_launch = posed::launch;
  Engine engine = emulated;
  engine.name = "cuda";
  engine.kernel = kernel;
  engine.timing = timing;
  engine.memory = Memory::device;
  return engine;
}

}  // namespace

const Engine cuda_lane_private_tables =
    posing(emulated_four_tables, "lane_private_tables", WARPAES_TIMING_CONFLICT_FREE);
const Engine cuda_bitsliced = posing(emulated_bitsliced, "bitsliced", WARPAES_TIMING_STRICT);

}  // namespace warpaes::core
