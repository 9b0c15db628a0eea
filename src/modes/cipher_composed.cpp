// Batches composed message by message, from the functions for one message.
#include <algorithm>

#include "failure.hpp"
#include "modes/cbc_endings.hpp"
#include "modes/chain.hpp"
#include "modes/composed_batches.hpp"
#include "modes/key_wrap.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

/// What is needed to do one message of a batch.
struct Work {
  const Engine& engine;
  const BatchKey& keys;
  const Batch& batch;
  const BatchMessage& message;

  const EngineKey& key() const { return keys.prepared; }
  ChainRun run() const {
    static constexpr uint8_t kNoIv[16] = {};
    return {message.nonce != nullptr ? message.nonce : kNoIv, message.input, message.output, message.bytes};
  }
  BlockRun text() const { return {message.input, message.output, message.bytes}; }
  Direction direction() const { return batch.direction; }
  bool encrypts() const { return direction() == WARPAES_DIRECTION_ENCRYPT; }
};

/// ECB or CBC of whole blocks, from which padding and ciphertext stealing are made.
CbcOfBlocks blocks_of(const Work& work) {
  return [&engine = work.engine, &key = work.key(), mode = work.batch.mode](Direction direction,
                                                                            const ChainRun& run) {
    if (mode == WARPAES_MODE_ECB_PKCS7) {
      ecb(engine, key, direction, {run.input, run.output, run.bytes}, nullptr);
    } else {
      cbc(engine, key, direction, run, nullptr, 0, nullptr);
    }
  };
}

uint64_t ecb_message(const Work& work) {
  ecb(work.engine, work.key(), work.direction(), work.text(), nullptr);
  return work.message.output_bytes;
}

/// CBC and CFB. Engines on host memory need no workspace.
template <decltype(cbc)& kMode>
uint64_t chained_message(const Work& work) {
  kMode(work.engine, work.key(), work.direction(), work.run(), nullptr, 0, nullptr);
  return work.message.output_bytes;
}

uint64_t ofb_message(const Work& work) {
  ofb(work.engine, work.key(), work.run(), nullptr);
  return work.message.output_bytes;
}

uint64_t ctr_message(const Work& work) {
  const BatchMessage& message = work.message;
  ctr(work.engine, work.key(), {message.nonce, message.input, message.output, message.bytes}, nullptr);
  return work.message.output_bytes;
}

/// Each message is one data unit.
uint64_t xts_message(const Work& work) {
  const BatchMessage& message = work.message;
  if (message.bytes == 0) return 0;
  xts(work.engine, {work.key(), *work.keys.second, work.keys.bits}, work.direction(),
      {message.nonce, message.bytes, message.input, message.output, message.bytes}, nullptr);
  return message.bytes;
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
  if (!work.encrypts()) return key_unwrap(work.engine, work.key(), work.batch.mode, work.text());
  key_wrap(work.engine, work.key(), work.batch.mode, work.text());
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
    {WARPAES_MODE_CFB8, chained_message<cfb8>},
    {WARPAES_MODE_CFB1, chained_message<cfb1>},
    {WARPAES_MODE_OFB, ofb_message},
    {WARPAES_MODE_CTR, ctr_message},
    {WARPAES_MODE_XTS, xts_message},
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
  const auto* const form = std::ranges::find(kForms, batch.mode, &MessageForm::mode);
  if (form == std::end(kForms)) throw Failure(WARPAES_ERROR_INTERNAL, "a mode without a form of messages");
  for_each_message(batch, [&](const BatchMessage& message) {
    return outcome_of([&] { return form->crypt({engine, key, batch, message}); });
  });
}

}  // namespace warpaes::core
