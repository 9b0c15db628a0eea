// Batches of the chained modes message by message, with the modes for one message.
#include <algorithm>
#include <string>

#include "modes/chain.hpp"
#include "modes/chained_batch.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"

namespace warpaes {
namespace {

/// CMAC and CBC-MAC under one key.
class Mac {
 public:
  Mac(const Engine& engine, const EngineKey& key, Chaining chaining)
      : chaining_(chaining), chain_(engine, key), cmac_(engine, key) {}

  void tag(const ChainedMessage& message, size_t tag_bytes) {
    const MacBlock sum = chaining_ == Chaining::cmac ? of(cmac_, message) : of(chain_, message);
    std::copy_n(sum.begin(), tag_bytes, message.tag);
  }

 private:
  static MacBlock of(Cmac& cmac, const ChainedMessage& message) {
    cmac.start();
    cmac.add(message.input, message.bytes);
    return cmac.finish();
  }
  static MacBlock of(MacChain& chain, const ChainedMessage& message) {
    chain.start();
    chain.add(message.input, message.bytes);
    return chain.finish({});
  }

  const Chaining chaining_;
  MacChain chain_;
  Cmac cmac_;
};

void crypt(const Engine& engine, const EngineKey& key, Chaining chaining, const ChainedMessage& message) {
  const ChainRun run{message.iv, message.input, message.output, message.bytes};
  if (chaining == Chaining::cbc_encrypt) {
    cbc(engine, key, WARPAES_ENCRYPT, run, nullptr, 0, nullptr);
  } else if (chaining == Chaining::cfb_encrypt) {
    cfb(engine, key, WARPAES_ENCRYPT, run, nullptr, 0, nullptr);
  } else {
    ofb(engine, key, run, nullptr);
  }
}

}  // namespace

void chained_batch_composed(const Engine& engine, const EngineKey& key, const ChainedBatch& batch) {
  require_composable(engine, "batches of modes that chain");
  Mac mac(engine, key, batch.chaining);
  for (uint64_t index = 0; index < batch.messages; index++) {
    const ChainedMessage message = message_of(batch, index);
    if (batch.statuses != nullptr) batch.statuses[index] = message.status;
    if (message.status != WARPAES_OK) continue;
    if (makes_tags(batch.chaining)) {
      mac.tag(message, batch.tag_bytes);
    } else {
      crypt(engine, key, batch.chaining, message);
    }
  }
}

}  // namespace warpaes
