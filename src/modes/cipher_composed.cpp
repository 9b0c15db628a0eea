// Batches composed message by message, from the functions for one message.
#include <algorithm>
#include <vector>

#include "failure.hpp"
#include "modes/cbc_endings.hpp"
#include "modes/chain.hpp"
#include "modes/composed_batches.hpp"
#include "modes/key_wrap.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

/// Decryption of CBC and CFB, with the workspace that the engine's own form needs in place.
template <class Mode>
void unchain(const Mode& mode, const Engine& engine, const EngineKey& key, const ChainRun& run) {
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  const size_t needed = run.input == run.output ? unchain_workspace_bytes(engine, run.bytes) : 0;
  std::vector<Block> workspace((needed + 15) / 16);
  mode(engine, key, WARPAES_DIRECTION_DECRYPT, run, workspace.data(), needed, nullptr);
}

/// One message of a batch.
struct Work {
  const Engine& engine;
  const EngineKey& key;
  const Batch& batch;
  const BatchMessage& message;

  ChainRun run() const {
    static constexpr uint8_t kNoIv[16] = {};
    return {message.nonce != nullptr ? message.nonce : kNoIv, message.input, message.output, message.bytes};
  }
  WrapRun wrap_run() const { return {message.input, message.output, message.bytes}; }
  Direction direction() const { return batch.direction; }
  bool encrypts() const { return direction() == WARPAES_DIRECTION_ENCRYPT; }
};

/// ECB or CBC of whole blocks, from which padding and ciphertext stealing are made.
CbcOfBlocks blocks_of(const Work& work) {
  const bool is_ecb = work.batch.mode == WARPAES_MODE_ECB_PKCS7;
  return [&engine = work.engine, &key = work.key, is_ecb](Direction direction, const ChainRun& run) {
    if (is_ecb) return ecb(engine, key, direction, {run.input, run.output, run.bytes}, nullptr);
    if (direction == WARPAES_DIRECTION_DECRYPT) return unchain(cbc, engine, key, run);
    cbc(engine, key, direction, run, nullptr, 0, nullptr);
  };
}

uint64_t ecb_message(const Work& work) {
  const BatchMessage& message = work.message;
  ecb(work.engine, work.key, work.direction(), {message.input, message.output, message.bytes}, nullptr);
  return work.message.output_bytes;
}

using ChainMode = decltype(cbc);

/// CBC and CFB.
template <ChainMode& kMode>
uint64_t chained_message(const Work& work) {
  if (work.encrypts()) {
    kMode(work.engine, work.key, work.direction(), work.run(), nullptr, 0, nullptr);
  } else {
    unchain(kMode, work.engine, work.key, work.run());
  }
  return work.message.output_bytes;
}

/// CFB-8 and CFB-1.
template <ChainMode& kMode>
uint64_t short_segments(const Work& work) {
  kMode(work.engine, work.key, work.direction(), work.run(), nullptr, 0, nullptr);
  return work.message.output_bytes;
}

uint64_t ofb_message(const Work& work) {
  ofb(work.engine, work.key, work.run(), nullptr);
  return work.message.output_bytes;
}

uint64_t ctr_message(const Work& work) {
  const BatchMessage& message = work.message;
  ctr(work.engine, work.key, {message.nonce, message.input, message.output, message.bytes}, nullptr);
  return work.message.output_bytes;
}

uint64_t padded_message(const Work& work) {
  const CbcOfBlocks blocks = blocks_of(work);
  if (!work.encrypts()) return cbc_pkcs7_decrypt(blocks, work.run());
  cbc_pkcs7_encrypt(blocks, work.run());
  return work.message.output_bytes;
}

template <Stealing kVariant>
uint64_t stealing_message(const Work& work) {
  cbc_cts(blocks_of(work), work.direction(), kVariant, work.run());
  return work.message.output_bytes;
}

uint64_t wrapped_key(const Work& work) {
  if (!work.encrypts()) return key_unwrap(work.engine, work.key, work.batch.mode, work.wrap_run());
  key_wrap(work.engine, work.key, work.batch.mode, work.wrap_run());
  return work.message.output_bytes;
}

struct MessageForm {
  warpaes_mode mode;
  uint64_t (*crypt)(const Work& work);  // returns the length of the output
};
constexpr MessageForm kForms[] = {
    {WARPAES_MODE_ECB, ecb_message},
    {WARPAES_MODE_ECB_PKCS7, padded_message},
    {WARPAES_MODE_CBC, chained_message<cbc>},
    {WARPAES_MODE_CBC_PKCS7, padded_message},
    {WARPAES_MODE_CBC_CS1, stealing_message<Stealing::cs1>},
    {WARPAES_MODE_CBC_CS2, stealing_message<Stealing::cs2>},
    {WARPAES_MODE_CBC_CS3, stealing_message<Stealing::cs3>},
    {WARPAES_MODE_CFB, chained_message<cfb>},
    {WARPAES_MODE_CFB8, short_segments<cfb8>},
    {WARPAES_MODE_CFB1, short_segments<cfb1>},
    {WARPAES_MODE_OFB, ofb_message},
    {WARPAES_MODE_CTR, ctr_message},
    {WARPAES_MODE_KW, wrapped_key},
    {WARPAES_MODE_KWP, wrapped_key},
};

/// Runs one message. If its data turns out to be wrong, that is the message's own status, and its output is
/// zeroed.
template <class Crypt>
Outcome outcome_of(const Crypt& crypt) {
  try {
    return {WARPAES_OK, crypt()};
  } catch (const Failure& failure) {
    const bool of_data =
        failure.status() == WARPAES_ERROR_AUTHENTICATION || failure.status() == WARPAES_ERROR_PADDING;
    if (!of_data) throw;
    return {failure.status(), 0};
  }
}

}  // namespace

void cipher_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  require_composable(engine, "batches of this mode");
  const auto* const form = std::find_if(std::begin(kForms), std::end(kForms),
                                        [&](const MessageForm& row) { return row.mode == batch.mode; });
  if (form == std::end(kForms)) {
    throw Failure(WARPAES_ERROR_INTERNAL, "a mode that does not encrypt under one key");
  }
  for_each_message(batch, [&](const BatchMessage& message) {
    return outcome_of([&] { return form->crypt({engine, key.prepared, batch, message}); });
  });
}

void xts_batch_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  for_each_message(batch, [&](const BatchMessage& message) -> Outcome {
    if (message.bytes != 0) {
      xts(engine, {key.prepared, *key.second, key.bits}, batch.direction,
          {message.nonce, message.bytes, message.input, message.output, message.bytes}, nullptr);
    }
    return {WARPAES_OK, message.bytes};
  });
}

}  // namespace warpaes::core
