#include <array>
#include <cstring>
#include <vector>

#include "modes/modes.hpp"
#include "pipeline/chained_runs.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/share.hpp"

namespace warpaes::core {

void unchain_on_cpu(const Engine& engine, const EngineKey& key, WorkerThreads& threads, ChainMode mode,
                    const ChainRun& run) {
  const uint64_t blocks = divided_up(run.bytes, 16);
  const uint64_t per_piece = units_per_piece(blocks, 16, threads.threads());
  // What each piece needs of the one before, which in place another thread may overwrite.
  std::vector<std::array<uint8_t, 16>> before(divided_up(blocks, per_piece));
  std::memcpy(before.front().data(), run.iv, 16);
  for (uint64_t piece = 1; piece < before.size(); piece++) {
    std::memcpy(before[piece].data(), run.input + 16 * (piece * per_piece - 1), 16);
  }
  threads.share(before.size(), [&](uint64_t piece) {
    const uint64_t at = 16 * piece * per_piece;
    const ChainRun part{before[piece].data(), run.input + at, run.output + at,
                        std::min(16 * per_piece, run.bytes - at)};
    mode(engine, key, WARPAES_DIRECTION_DECRYPT, part, nullptr, 0, nullptr);
  });
}

void xts_on_cpu(const Engine& engine, const XtsKeys& keys, WorkerThreads& threads, Direction direction,
                const XtsRun& run) {
  share(threads, divided_up(run.bytes, run.data_unit_bytes), run.data_unit_bytes,
        [&](uint64_t first, uint64_t count) {
          const TweakAt tweak(run.tweak, first);
          xts(engine, keys, direction, part_of(run, first, count, tweak), nullptr);
        });
}

}  // namespace warpaes::core
