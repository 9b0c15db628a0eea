// Batches of modes message by message, with the modes for one message.
#include <algorithm>
#include <string>
#include <vector>

#include "modes/cbc_endings.hpp"
#include "modes/chain.hpp"
#include "modes/cipher_batch.hpp"
#include "modes/key_wrap.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

/// CMAC and CBC-MAC under one key.
class Mac {
 public:
  Mac(const Engine& engine, const EngineKey& key, CipherMode mode)
      : mode_(mode), chain_(engine, key), cmac_(engine, key) {}

  void tag(const CipherMessage& message, size_t tag_bytes) {
    const MacBlock sum = mode_ == CipherMode::cmac ? of(cmac_, message) : of(chain_, message);
    std::copy_n(sum.begin(), tag_bytes, message.tag);
  }

 private:
  static MacBlock of(Cmac& cmac, const CipherMessage& message) {
    cmac.start();
    cmac.add(message.input, message.bytes);
    return cmac.finish();
  }
  static MacBlock of(MacChain& chain, const CipherMessage& message) {
    chain.start();
    chain.add(message.input, message.bytes);
    return chain.finish({});
  }

  const CipherMode mode_;
  MacChain chain_;
  Cmac cmac_;
};

/// CBC and CFB, decrypting: with the workspace that the engine's own form needs in place.
template <class Mode>
void unchain(const Mode& mode, const Engine& engine, const EngineKey& key, const ChainRun& run) {
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  const size_t needed = run.input == run.output ? unchain_workspace_bytes(engine, run.bytes) : 0;
  std::vector<Block> workspace((needed + 15) / 16);
  mode(engine, key, WARPAES_DIRECTION_DECRYPT, run, workspace.data(), needed, nullptr);
}

/// CBC and ECB of whole blocks, as padding and stealing need them.
CbcOfBlocks blocks_of(const Engine& engine, const EngineKey& key, CipherMode mode) {
  const bool is_ecb = pads_in_ecb(mode);
  return [&engine, &key, is_ecb](Direction direction, const ChainRun& run) {
    if (is_ecb) return ecb(engine, key, direction, {run.input, run.output, run.bytes}, nullptr);
    if (direction == WARPAES_DIRECTION_DECRYPT) return unchain(cbc, engine, key, run);
    cbc(engine, key, direction, run, nullptr, 0, nullptr);
  };
}

/// One message of a batch.
struct Work {
  const Engine& engine;
  const EngineKey& key;
  CipherMode mode;
  Direction direction;
  const CipherMessage& message;

  ChainRun run() const {
    static constexpr uint8_t kNoIv[16] = {};
    return {has_iv(mode) ? message.iv : kNoIv, message.input, message.output, message.bytes};
  }
  WrapRun wrap_run() const { return {message.input, message.output, message.bytes}; }
  bool encrypts() const { return direction == WARPAES_DIRECTION_ENCRYPT; }
  uint64_t output_bytes() const { return warpaes::core::output_bytes(mode, message.bytes); }
};

uint64_t ecb_message(const Work& work) {
  const CipherMessage& message = work.message;
  ecb(work.engine, work.key, work.direction, {message.input, message.output, message.bytes}, nullptr);
  return work.output_bytes();
}

using ChainMode = decltype(cbc);

/// CBC and CFB.
template <ChainMode& kMode>
uint64_t chained_message(const Work& work) {
  if (work.encrypts()) {
    kMode(work.engine, work.key, work.direction, work.run(), nullptr, 0, nullptr);
  } else {
    unchain(kMode, work.engine, work.key, work.run());
  }
  return work.output_bytes();
}

/// CFB-8 and CFB-1.
template <ChainMode& kMode>
uint64_t short_segments(const Work& work) {
  kMode(work.engine, work.key, work.direction, work.run(), nullptr, 0, nullptr);
  return work.output_bytes();
}

uint64_t ofb_message(const Work& work) {
  ofb(work.engine, work.key, work.run(), nullptr);
  return work.output_bytes();
}

uint64_t ctr_message(const Work& work) {
  const CipherMessage& message = work.message;
  ctr(work.engine, work.key, {message.iv, message.input, message.output, message.bytes}, nullptr);
  return work.output_bytes();
}

uint64_t padded_message(const Work& work) {
  const CbcOfBlocks blocks = blocks_of(work.engine, work.key, work.mode);
  if (!work.encrypts()) return cbc_pkcs7_decrypt(blocks, work.run());
  cbc_pkcs7_encrypt(blocks, work.run());
  return work.output_bytes();
}

template <Stealing kVariant>
uint64_t stealing_message(const Work& work) {
  cbc_cts(blocks_of(work.engine, work.key, work.mode), work.direction, kVariant, work.run());
  return work.output_bytes();
}

template <Wrapping kMode>
uint64_t wrapped_key(const Work& work) {
  if (!work.encrypts()) return key_unwrap(work.engine, work.key, kMode, work.wrap_run());
  key_wrap(work.engine, work.key, kMode, work.wrap_run());
  return work.output_bytes();
}

struct MessageForm {
  CipherMode encrypt, decrypt;
  uint64_t (*crypt)(const Work& work);  // returns bytes of output
};

/// Modes that neither make tags nor have two keys.
constexpr MessageForm kForms[] = {
    {CipherMode::ecb_encrypt, CipherMode::ecb_decrypt, ecb_message},
    {CipherMode::cbc_encrypt, CipherMode::cbc_decrypt, chained_message<cbc>},
    {CipherMode::cfb_encrypt, CipherMode::cfb_decrypt, chained_message<cfb>},
    {CipherMode::ofb, CipherMode::ofb, ofb_message},
    {CipherMode::ctr, CipherMode::ctr, ctr_message},
    {CipherMode::kw_wrap, CipherMode::kw_unwrap, wrapped_key<Wrapping::kw>},
    {CipherMode::kwp_wrap, CipherMode::kwp_unwrap, wrapped_key<Wrapping::kwp>},
    {CipherMode::ecb_pkcs7_encrypt, CipherMode::ecb_pkcs7_decrypt, padded_message},
    {CipherMode::cbc_pkcs7_encrypt, CipherMode::cbc_pkcs7_decrypt, padded_message},
    {CipherMode::cbc_cs1_encrypt, CipherMode::cbc_cs1_decrypt, stealing_message<Stealing::cs1>},
    {CipherMode::cbc_cs2_encrypt, CipherMode::cbc_cs2_decrypt, stealing_message<Stealing::cs2>},
    {CipherMode::cbc_cs3_encrypt, CipherMode::cbc_cs3_decrypt, stealing_message<Stealing::cs3>},
    {CipherMode::cfb8_encrypt, CipherMode::cfb8_decrypt, short_segments<cfb8>},
    {CipherMode::cfb1_encrypt, CipherMode::cfb1_decrypt, short_segments<cfb1>},
};

/// @return bytes of output
uint64_t crypt(const Engine& engine, const EngineKey& key, CipherMode mode, const CipherMessage& message) {
  const auto* const form = std::find_if(std::begin(kForms), std::end(kForms), [mode](const MessageForm& row) {
    return row.encrypt == mode || row.decrypt == mode;
  });
  if (form == std::end(kForms)) {
    throw Failure(WARPAES_ERROR_INTERNAL, "a mode that does not encrypt under one key");
  }
  const Direction direction = form->encrypt == mode ? WARPAES_DIRECTION_ENCRYPT : WARPAES_DIRECTION_DECRYPT;
  return form->crypt({engine, key, mode, direction, message});
}

/// What is wrong with the data is the message's own failure, and its output is then zero.
struct Outcome {
  Status status;
  uint64_t bytes;
};

template <class Work>
Outcome outcome_of(const Work& work) {
  try {
    return {WARPAES_OK, work()};
  } catch (const Failure& failure) {
    const bool of_data =
        failure.status() == WARPAES_ERROR_AUTHENTICATION || failure.status() == WARPAES_ERROR_PADDING;
    if (!of_data) throw;
    return {failure.status(), 0};
  }
}

/// Calls work(message), which returns the bytes of its output, for each message that is not wrong.
template <class Work>
void for_each_right_message(const CipherBatch& batch, const Work& work) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const CipherMessage message = message_of(batch, index);
    const Outcome outcome =
        message.status != WARPAES_OK ? Outcome{message.status, 0} : outcome_of([&] { return work(message); });
    if (batch.statuses != nullptr) batch.statuses[index] = outcome.status;
    if (batch.output_lengths != nullptr) batch.output_lengths[index] = outcome.bytes;
  }
}

}  // namespace

void cipher_batch_composed(const Engine& engine, const EngineKey& key, const CipherBatch& batch) {
  require_composable(engine, "batches of this mode");
  if (makes_tags(batch.mode)) {
    Mac mac(engine, key, batch.mode);
    for_each_right_message(batch, [&](const CipherMessage& message) {
      mac.tag(message, batch.tag_bytes);
      return uint64_t{0};
    });
  } else {
    for_each_right_message(
        batch, [&](const CipherMessage& message) { return crypt(engine, key, batch.mode, message); });
  }
}

void xts_batch_composed(const Engine& engine, const XtsKeys& keys, const CipherBatch& batch) {
  const Direction direction =
      batch.mode == CipherMode::xts_encrypt ? WARPAES_DIRECTION_ENCRYPT : WARPAES_DIRECTION_DECRYPT;
  for_each_right_message(batch, [&](const CipherMessage& message) {
    if (message.bytes != 0) {
      xts(engine, keys, direction, {message.iv, message.bytes, message.input, message.output, message.bytes},
          nullptr);
    }
    return message.bytes;
  });
}

}  // namespace warpaes::core
