// Does one message on host memory, in the modes that do not authenticate.
#include <array>
#include <cstring>
#include <vector>

#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "pipeline/block_mode_forms.hpp"
#include "pipeline/pieces.hpp"
#include "pipeline/span_job.hpp"
#include "pipeline/worker_threads.hpp"

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

namespace {

/// A mode that chains, of which only decryption can be cut in pieces.
using ChainMode = void (*)(const Engine& engine, const EngineKey& key, Direction direction,
                           const ChainRun& run, void* workspace, size_t workspace_bytes, Stream stream);

/// Each piece begins at a multiple of so many bytes.
constexpr uint64_t kUnchainedUnitBytes = 64 << 10;

/// The last block of ciphertext before each unit. In place, somebody else may have overwritten it, so it is
/// kept.
class UnitIvs {
 public:
  explicit UnitIvs(const ChainRun& run) : run_(run) {
    if (run.input != run.output) return;
    kept_.resize(divided_up(run.bytes, kUnchainedUnitBytes));
    for (uint64_t unit = 0; unit < kept_.size(); unit++) {
      std::memcpy(kept_[unit].data(), before(unit * kUnchainedUnitBytes), 16);
    }
  }

  const uint8_t* at(uint64_t offset) const {
    return kept_.empty() ? before(offset) : kept_[offset / kUnchainedUnitBytes].data();
  }

 private:
  const uint8_t* before(uint64_t offset) const { return offset == 0 ? run_.iv : run_.input + offset - 16; }

  const ChainRun& run_;
  std::vector<std::array<uint8_t, 16>> kept_;
};

Span span_of(const ChainRun& run) { return {run.input, run.output, run.bytes, kUnchainedUnitBytes}; }

SpanTask unchaining(const Key& key, ChainMode mode, const UnitIvs& ivs) {
  const auto work = [&key, mode, &ivs](const Engine& engine, const SpanPart& part) {
    const ChainRun run{ivs.at(part.at), part.input, part.output, part.bytes};
    mode(engine, key.prepared(engine, part.device), WARPAES_DIRECTION_DECRYPT, run, part.workspace,
         part.workspace_bytes, part.stream);
  };
  return {.work = work, .workspace = unchain_workspace_bytes};
}

struct ChainRow {
  warpaes_mode mode;
  ChainMode run;
  bool is_on_gpu;  // engines of GPUs have its decryption
};

constexpr ChainRow kChains[] = {{WARPAES_MODE_CBC, cbc, true},
                                {WARPAES_MODE_CFB, cfb, true},
                                {WARPAES_MODE_CFB8, cfb8, false},
                                {WARPAES_MODE_CFB1, cfb1, false}};

const ChainRow& chain_row(warpaes_mode mode) {
  for (const ChainRow& row : kChains) {
    if (row.mode == mode) return row;
  }
  throw Failure(WARPAES_ERROR_INTERNAL, "mode {} does not chain", mode);
}

}  // namespace

/// Encryption is the CPU's: where each block waits for the one before, a GPU would be slower than any CPU.
void chain_host(const Key& key, warpaes_mode mode, Direction direction, const ChainRun& run) {
  require_valid_message(mode, direction, run);
  const ChainRow& row = chain_row(mode);
  const Context& context = key.context();
  if (direction == WARPAES_DIRECTION_DECRYPT && row.is_on_gpu) {
    const UnitIvs ivs(run);
    return run_span(context, span_of(run), unchaining(key, row.run, ivs));
  }
  const Engine& cpu = context.state().cpu_engine();
  or_wipe(run.output, run.bytes, [&] {
    if (direction == WARPAES_DIRECTION_ENCRYPT) {
      return row.run(cpu, key.prepared(cpu), direction, run, nullptr, 0, nullptr);
    }
    const UnitIvs ivs(run);
    run_span_by({nullptr, &cpu, context.state().threads}, context, span_of(run),
                unchaining(key, row.run, ivs));
  });
}

void ofb_host(const Key& key, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_OFB, WARPAES_DIRECTION_ENCRYPT, run);
  const Engine& cpu = key.context().state().cpu_engine();
  or_wipe(run.output, run.bytes, [&] { ofb(cpu, key.prepared(cpu), run, nullptr); });
}

namespace {

CbcOfBlocks cbc_under(const Key& key) {
  return
      [&key](Direction direction, const ChainRun& run) { chain_host(key, WARPAES_MODE_CBC, direction, run); };
}

CbcOfBlocks blocks_under(const Key& key, PaddedBlocks mode) {
  if (mode == PaddedBlocks::cbc) return cbc_under(key);
  return [&key](Direction direction, const ChainRun& run) {
    ecb_host(key, direction, {run.input, run.output, run.bytes});
  };
}

}  // namespace

void pkcs7_encrypt_host(const Key& key, PaddedBlocks mode, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_ENCRYPT, run);
  or_wipe(run.output, mode_row(WARPAES_MODE_CBC_PKCS7).encrypt.output(run.bytes),
          [&] { cbc_pkcs7_encrypt(blocks_under(key, mode), run); });
}

uint64_t pkcs7_decrypt_host(const Key& key, PaddedBlocks mode, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_DECRYPT, run);
  return cbc_pkcs7_decrypt(blocks_under(key, mode), run);
}

void cbc_cts_host(const Key& key, Direction direction, Stealing variant, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC_CS1, direction, run);
  or_wipe(run.output, run.bytes, [&] { cbc_cts(cbc_under(key), direction, variant, run); });
}

void cfb1_bits_host(const Key& key, Direction direction, const BitRun& run) {
  const uint64_t whole = run.bits / 8, bits_left = run.bits % 8, bytes = whole + (bits_left != 0);
  require_valid_message(WARPAES_MODE_CFB1, direction, {run.iv, run.input, run.output, bytes});
  or_wipe(run.output, bytes, [&] {
    LastCiphertext last(run.iv);
    last.run(direction, run.input, run.output, whole,
             [&](const ChainRun& part) { chain_host(key, WARPAES_MODE_CFB1, direction, part); });
    if (bits_left == 0) return;
    const auto mask = static_cast<uint8_t>(0xff00u >> bits_left);
    SecretBlock end;
    end[0] = run.input[whole] & mask;
    chain_host(key, WARPAES_MODE_CFB1, direction, {last.data(), end.data(), end.data(), 1});
    end[0] &= mask;
    run.output[whole] = end[0];
  });
}

}  // namespace warpaes::core
