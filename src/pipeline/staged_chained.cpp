#include <algorithm>
#include <array>
#include <cstring>

#include "modes/modes.hpp"
#include "pipeline/chained_runs.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/staged_pieces.hpp"

namespace warpaes::core {
namespace {

/// A piece is decrypted in place on the device, its workspace behind it.
class UnchainJob {
 public:
  UnchainJob(const Engine& engine, const EngineKey& key, ChainMode mode, const ChainRun& run)
      : engine_(engine), key_(key), mode_(mode), run_(run) {
    std::memcpy(before_.data(), run.iv, 16);
  }

  uint64_t unit_bytes() const { return 16; }
  LaneNeed need(uint64_t blocks) const { return {16 * blocks + workspace_bytes(16 * blocks), 0}; }

  void enqueue(const StagingPool::Lease& lane, uint64_t first, uint64_t blocks) {
    const uint64_t at = 16 * first, piece = std::min(16 * blocks, run_.bytes - at);
    uint8_t* const device = lane.device();
    // Pieces are enqueued in their order. In place, the next one's vector has to be read before this
    // one's output comes.
    const std::array<uint8_t, 16> before = before_;
    if (piece == 16 * blocks) std::memcpy(before_.data(), run_.input + at + piece - 16, 16);
    copy_to_device(device, run_.input + at, piece, lane.stream());
    mode_(engine_, key_, WARPAES_DIRECTION_DECRYPT, {before.data(), device, device, piece},
          device + 16 * blocks, workspace_bytes(16 * blocks), lane.stream());
    copy_to_host(run_.output + at, device, piece, lane.stream());
  }
  void finish(const StagingPool::Lease&, uint64_t, uint64_t) const {}

 private:
  size_t workspace_bytes(uint64_t bytes) const { return unchain_workspace_bytes(engine_, bytes); }

  const Engine& engine_;
  const EngineKey& key_;
  const ChainMode mode_;
  const ChainRun& run_;
  std::array<uint8_t, 16> before_;
};

class XtsJob {
 public:
  XtsJob(const Engine& engine, const XtsKeys& keys, Direction direction, const XtsRun& run)
      : engine_(engine), keys_(keys), direction_(direction), run_(run) {}

  uint64_t unit_bytes() const { return run_.data_unit_bytes; }
  LaneNeed need(uint64_t units) const { return {std::min(units * unit_bytes(), run_.bytes), 0}; }

  void enqueue(const StagingPool::Lease& lane, uint64_t first, uint64_t count) const {
    const TweakAt tweak(run_.tweak, first);
    const XtsRun host = part_of(run_, first, count, tweak);
    XtsRun device = host;
    device.input = device.output = lane.device();
    copy_to_device(lane.device(), host.input, host.bytes, lane.stream());
    xts(engine_, keys_, direction_, device, lane.stream());
    copy_to_host(host.output, lane.device(), host.bytes, lane.stream());
  }
  void finish(const StagingPool::Lease&, uint64_t, uint64_t) const {}

 private:
  const Engine& engine_;
  const XtsKeys& keys_;
  const Direction direction_;
  const XtsRun& run_;
};

}  // namespace

void unchain_staged(const Engine& engine, const EngineKey& key, StagingPool& pool, ChainMode mode,
                    const ChainRun& run, StagedProgress& progress) {
  UnchainJob job(engine, key, mode, run);
  run_staged(pool, job, run.bytes / 16 + (run.bytes % 16 != 0), progress.output_touched);
}

void xts_staged(const Engine& engine, const XtsKeys& keys, StagingPool& pool, Direction direction,
                const XtsRun& run, StagedProgress& progress) {
  const uint64_t units = run.bytes / run.data_unit_bytes + (run.bytes % run.data_unit_bytes != 0);
  run_staged(pool, XtsJob(engine, keys, direction, run), units, progress.output_touched);
}

}  // namespace warpaes::core
