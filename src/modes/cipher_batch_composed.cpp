// Batches of modes message by message, with the modes for one message.
#include <algorithm>
#include <string>
#include <vector>

#include "modes/chain.hpp"
#include "modes/cipher_batch.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"

namespace warpaes {
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
  mode(engine, key, WARPAES_DECRYPT, run, workspace.data(), needed, nullptr);
}

void crypt(const Engine& engine, const EngineKey& key, CipherMode mode, const CipherMessage& message) {
  const auto& [input, output, bytes, iv, tag, status] = message;
  const ChainRun run{iv, input, output, bytes};
  switch (mode) {
    case CipherMode::ecb_encrypt:
      return ecb(engine, key, WARPAES_ENCRYPT, {input, output, bytes}, nullptr);
    case CipherMode::ecb_decrypt:
      return ecb(engine, key, WARPAES_DECRYPT, {input, output, bytes}, nullptr);
    case CipherMode::cbc_encrypt:
      return cbc(engine, key, WARPAES_ENCRYPT, run, nullptr, 0, nullptr);
    case CipherMode::cbc_decrypt:
      return unchain(cbc, engine, key, run);
    case CipherMode::cfb_encrypt:
      return cfb(engine, key, WARPAES_ENCRYPT, run, nullptr, 0, nullptr);
    case CipherMode::cfb_decrypt:
      return unchain(cfb, engine, key, run);
    case CipherMode::ofb:
      return ofb(engine, key, run, nullptr);
    case CipherMode::ctr:
      return ctr(engine, key, {iv, input, output, bytes}, nullptr);
    default:  // those with tags, and those with two keys
      throw Failure(WARPAES_ERROR_INTERNAL, "a mode that does not encrypt under one key");
  }
}

/// Calls work(message) for each message that is not wrong.
template <class Work>
void for_each_right_message(const CipherBatch& batch, const Work& work) {
  for (uint64_t index = 0; index < batch.messages; index++) {
    const CipherMessage message = message_of(batch, index);
    if (batch.statuses != nullptr) batch.statuses[index] = message.status;
    if (message.status == WARPAES_OK) work(message);
  }
}

}  // namespace

void cipher_batch_composed(const Engine& engine, const EngineKey& key, const CipherBatch& batch) {
  require_composable(engine, "batches of this mode");
  if (makes_tags(batch.mode)) {
    Mac mac(engine, key, batch.mode);
    for_each_right_message(batch, [&](const CipherMessage& message) { mac.tag(message, batch.tag_bytes); });
  } else {
    for_each_right_message(batch,
                           [&](const CipherMessage& message) { crypt(engine, key, batch.mode, message); });
  }
}

void xts_batch_composed(const Engine& engine, const XtsKeys& keys, const CipherBatch& batch) {
  const Direction direction = batch.mode == CipherMode::xts_encrypt ? WARPAES_ENCRYPT : WARPAES_DECRYPT;
  for_each_right_message(batch, [&](const CipherMessage& message) {
    if (message.bytes == 0) return;
    xts(engine, keys, direction, {message.iv, message.bytes, message.input, message.output, message.bytes},
        nullptr);
  });
}

}  // namespace warpaes
