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

/// CBC and ECB of whole blocks, as padding and stealing need them.
CbcOfBlocks blocks_of(const Engine& engine, const EngineKey& key, CipherMode mode) {
  const bool is_ecb = mode == CipherMode::ecb_pkcs7_encrypt || mode == CipherMode::ecb_pkcs7_decrypt;
  return [&engine, &key, is_ecb](Direction direction, const ChainRun& run) {
    if (is_ecb) return ecb(engine, key, direction, {run.input, run.output, run.bytes}, nullptr);
    if (direction == WARPAES_DECRYPT) return unchain(cbc, engine, key, run);
    cbc(engine, key, direction, run, nullptr, 0, nullptr);
  };
}

/// @return bytes of output
uint64_t crypt(const Engine& engine, const EngineKey& key, CipherMode mode, const CipherMessage& message) {
  using enum CipherMode;
  static constexpr uint8_t kNoIv[16] = {};
  const auto& [input, output, bytes, iv, tag, status] = message;
  const ChainRun run{has_iv(mode) ? iv : kNoIv, input, output, bytes};
  const WrapRun wrap{input, output, bytes};
  const auto stealing = [&](Direction direction, Stealing variant) {
    cbc_cts(blocks_of(engine, key, mode), direction, variant, run);
  };
  switch (mode) {
    case ecb_encrypt:
      ecb(engine, key, WARPAES_ENCRYPT, {input, output, bytes}, nullptr);
      break;
    case ecb_decrypt:
      ecb(engine, key, WARPAES_DECRYPT, {input, output, bytes}, nullptr);
      break;
    case cbc_encrypt:
      cbc(engine, key, WARPAES_ENCRYPT, run, nullptr, 0, nullptr);
      break;
    case cbc_decrypt:
      unchain(cbc, engine, key, run);
      break;
    case cfb_encrypt:
      cfb(engine, key, WARPAES_ENCRYPT, run, nullptr, 0, nullptr);
      break;
    case cfb_decrypt:
      unchain(cfb, engine, key, run);
      break;
    case ofb:
      warpaes::ofb(engine, key, run, nullptr);
      break;
    case ctr:
      warpaes::ctr(engine, key, {iv, input, output, bytes}, nullptr);
      break;
    case kw_wrap:
      key_wrap(engine, key, Wrapping::kw, wrap);
      break;
    case kwp_wrap:
      key_wrap(engine, key, Wrapping::kwp, wrap);
      break;
    case kw_unwrap:
      return key_unwrap(engine, key, Wrapping::kw, wrap);
    case kwp_unwrap:
      return key_unwrap(engine, key, Wrapping::kwp, wrap);
    case ecb_pkcs7_encrypt:
    case cbc_pkcs7_encrypt:
      warpaes::cbc_pkcs7_encrypt(blocks_of(engine, key, mode), run);
      break;
    case ecb_pkcs7_decrypt:
    case cbc_pkcs7_decrypt:
      return warpaes::cbc_pkcs7_decrypt(blocks_of(engine, key, mode), run);
    case cbc_cs1_encrypt:
      stealing(WARPAES_ENCRYPT, Stealing::cs1);
      break;
    case cbc_cs1_decrypt:
      stealing(WARPAES_DECRYPT, Stealing::cs1);
      break;
    case cbc_cs2_encrypt:
      stealing(WARPAES_ENCRYPT, Stealing::cs2);
      break;
    case cbc_cs2_decrypt:
      stealing(WARPAES_DECRYPT, Stealing::cs2);
      break;
    case cbc_cs3_encrypt:
      stealing(WARPAES_ENCRYPT, Stealing::cs3);
      break;
    case cbc_cs3_decrypt:
      stealing(WARPAES_DECRYPT, Stealing::cs3);
      break;
    case cfb8_encrypt:
    case cfb8_decrypt:
      cfb8(engine, key, mode == cfb8_encrypt ? WARPAES_ENCRYPT : WARPAES_DECRYPT, run, nullptr, 0, nullptr);
      break;
    case cfb1_encrypt:
    case cfb1_decrypt:
      cfb1(engine, key, mode == cfb1_encrypt ? WARPAES_ENCRYPT : WARPAES_DECRYPT, run, nullptr, 0, nullptr);
      break;
    default:  // those with tags, and those with two keys
      throw Failure(WARPAES_ERROR_INTERNAL, "a mode that does not encrypt under one key");
  }
  return output_bytes(mode, bytes);
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
  const Direction direction = batch.mode == CipherMode::xts_encrypt ? WARPAES_ENCRYPT : WARPAES_DECRYPT;
  for_each_right_message(batch, [&](const CipherMessage& message) {
    if (message.bytes != 0) {
      xts(engine, keys, direction, {message.iv, message.bytes, message.input, message.output, message.bytes},
          nullptr);
    }
    return message.bytes;
  });
}

}  // namespace warpaes
