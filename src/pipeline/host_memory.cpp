// ECB, CTR and XTS on host memory.
#include "modes/modes.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/share.hpp"
#include "pipeline/span_job.hpp"

namespace warpaes::core {

void ecb_host(const Key& key, Direction direction, const BlockRun& blocks) {
  require_valid_message(WARPAES_MODE_ECB, direction, {nullptr, blocks.input, blocks.output, blocks.bytes});
  const auto work = [&](const Engine& engine, const SpanPart& part) {
    ecb(engine, key.prepared(engine, part.device), direction, {part.input, part.output, part.bytes},
        part.stream);
  };
  run_span(key.context(), {blocks.input, blocks.output, blocks.bytes, 16}, {.work = work});
}

void ctr_host(const Key& key, const CounterRun& run) {
  require_valid_message(WARPAES_MODE_CTR, WARPAES_DIRECTION_ENCRYPT,
                        {run.counter, run.input, run.output, run.bytes});
  const auto work = [&](const Engine& engine, const SpanPart& part) {
    const CounterAt counter(run.counter, part.at);
    ctr(engine, key.prepared(engine, part.device), {counter.block, part.input, part.output, part.bytes},
        part.stream);
  };
  run_span(key.context(), {run.input, run.output, run.bytes, 16}, {.work = work});
}

void require_valid_xts_keys(const Key& key, const Key& tweak_key) {
  if (&key.context() != &tweak_key.context()) {
    throw Failure(WARPAES_ERROR_XTS_KEYS, "XTS' two keys are of one context, these of two");
  }
  require_valid_xts_keys(key.schedule(), tweak_key.schedule());
}

void xts_host(const Key& key, const Key& tweak_key, Direction direction, const XtsRun& run) {
  require_valid_xts_keys(key, tweak_key);
  require_valid_xts(run);
  const auto work = [&](const Engine& engine, const SpanPart& part) {
    const XtsKeys keys{key.prepared(engine, part.device), tweak_key.prepared(engine, part.device),
                       key.key_bits()};
    const TweakAt tweak(run.tweak, part.at / run.data_unit_bytes);
    xts(engine, keys, direction, {tweak.block, run.data_unit_bytes, part.input, part.output, part.bytes},
        part.stream);
  };
  run_span(key.context(), {run.input, run.output, run.bytes, run.data_unit_bytes},
           {.work = work, .shares = divided_up(run.bytes, run.data_unit_bytes)});
}

}  // namespace warpaes::core
