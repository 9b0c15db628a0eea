// SIV over batches, from S2V and CTR: RFC 5297 sections 2.6 and 2.7.
#include <array>

#include "modes/aead_messages.hpp"
#include "modes/composed_batches.hpp"
#include "modes/modes.hpp"
#include "modes/siv.hpp"

namespace warpaes::core {
namespace {

class Siv {
 public:
  Siv(const Engine& engine, const EngineKey& mac_key, const EngineKey& key, const Batch& batch)
      : engine_(engine), s2v_(engine, mac_key), key_(key), batch_(batch) {}

  MacBlock seal(const BatchMessage& message) {
    MacBlock tag = tag_of(message, message.input);
    crypt(message, tag.data());
    return tag;
  }

  /// The tag is of the plaintext, so that is made first.
  MacBlock open(const BatchMessage& message) {
    crypt(message, message.tag);
    return tag_of(message, message.output);
  }

 private:
  /// S2V's strings: the additional data, the nonce behind it if there is one (section 3), the plaintext.
  MacBlock tag_of(const BatchMessage& message, const uint8_t* plaintext) {
    std::array<const uint8_t*, kSivMostAads> strings{};
    std::array<uint64_t, kSivMostAads> lengths{};
    SivRun run{};
    run.aads = strings.data();
    run.aad_lengths = lengths.data();
    const auto add = [&](AadString string) {
      strings.at(run.aad_count) = string.data;
      lengths.at(run.aad_count++) = string.bytes;
    };
    for (size_t string = 0; string < batch_.aad_strings; string++) add(aad_of(batch_, message.index, string));
    if (message.nonce_bytes != 0) add({message.nonce, message.nonce_bytes});
    run.bytes = message.bytes;
    return s2v_.tag_of(run, plaintext);
  }

  void crypt(const BatchMessage& message, const uint8_t* tag) const {
    const MacBlock counter = siv_counter(tag);
    ctr(engine_, key_, {counter.data(), message.input, message.output, message.bytes}, nullptr);
  }

  const Engine& engine_;
  S2v s2v_;
  const EngineKey& key_;
  const Batch& batch_;
};

}  // namespace

void siv_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  require_composable(engine, "SIV");
  Siv siv(engine, *key.second, key.prepared, batch);
  run_messages(siv, batch);
}

}  // namespace warpaes::core
