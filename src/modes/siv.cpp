#include "modes/siv.hpp"

#include <algorithm>
#include <utility>

#include "modes/aead_messages.hpp"
#include "modes/chain.hpp"
#include "modes/composed_batches.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

void double_and_add(SecretBlock& sum, MacBlock&& with) {
  // The move wipes what it leaves: NOLINTNEXTLINE(performance-move-const-arg)
  const SecretBlock doubled(mac_doubled(sum)), added(std::move(with));
  xor_bytes(sum.data(), doubled.data(), added.data(), sum.size());
}

class Siv {
 public:
  Siv(const Engine& engine, const EngineKey& mac_key, const CtrOfKey& by_ctr, const Batch& batch)
      : s2v_(engine, mac_key), by_ctr_(by_ctr), batch_(batch) {}

  MacBlock seal(const BatchMessage& message) {
    const MacBlock tag = s2v_.tag_of(batch_, message, message.input);
    crypt(message, tag.data());
    return tag;
  }

  /// The tag is of the plaintext, so that is made first.
  MacBlock open(const BatchMessage& message) {
    crypt(message, message.tag);
    return s2v_.tag_of(batch_, message, message.output);
  }

 private:
  void crypt(const BatchMessage& message, const uint8_t* tag) const {
    const MacBlock counter = siv_counter(tag);
    by_ctr_({counter.data(), message.input, message.output, message.bytes});
  }

  S2v s2v_;
  const CtrOfKey& by_ctr_;
  const Batch& batch_;
};

}  // namespace

S2v::S2v(const Engine& engine, const EngineKey& mac_key)
    : cmac_(engine, mac_key), of_zeros_(cmac_.of(MacBlock{}.data(), sizeof(MacBlock))) {}

MacBlock S2v::tag_of(const Batch& batch, const BatchMessage& message, const uint8_t* plaintext) {
  SecretBlock sum, last;
  std::copy(of_zeros_.begin(), of_zeros_.end(), sum.begin());
  for (size_t string = 0; string < batch.aad_strings; string++) {
    const AadString aad = aad_of(batch, message.index, string);
    double_and_add(sum, cmac_.of(aad.data, aad.bytes));
  }
  if (message.nonce_bytes != 0) double_and_add(sum, cmac_.of(message.nonce, message.nonce_bytes));
  if (message.bytes >= last.size()) {  // T = plaintext xorend D
    const uint64_t before = message.bytes - last.size();
    xor_bytes(last.data(), plaintext + before, sum.data(), last.size());
    cmac_.start();
    cmac_.add(plaintext, before);
    cmac_.add(last.data(), last.size());
    return cmac_.finish();
  }
  std::copy_n(plaintext, message.bytes, last.begin());
  last[message.bytes] = 0x80;
  double_and_add(sum, std::move(last));
  return cmac_.of(sum.data(), sum.size());
}

MacBlock siv_counter(const uint8_t* tag) {
  MacBlock counter;
  std::copy_n(tag, counter.size(), counter.begin());
  counter[8] &= 0x7f;
  counter[12] &= 0x7f;
  return counter;
}

void siv_messages(const Engine& engine, const EngineKey& mac_key, const CtrOfKey& by_ctr,
                  const Batch& batch) {
  Siv siv(engine, mac_key, by_ctr, batch);
  run_messages(siv, batch);
}

void siv_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  require_composable(engine, "SIV");
  const auto by_engine = [&](const CounterRun& run) { ctr(engine, key.prepared, run, nullptr); };
  siv_messages(engine, *key.second, by_engine, batch);
}

}  // namespace warpaes::core
