// Planted faults in the composed AEAD modes. Each is the right composed form with something wrong done before
// or after it.
#include <algorithm>
#include <string>
#include <vector>

#include "engines/openssl/openssl_engine.hpp"
#include "modes/composed_batches.hpp"
#include "planted_faults.hpp"

namespace warpaes::core::conformance {
namespace {

using Composed = void (*)(const Engine& engine, const BatchKey& key, const Batch& batch);
using Run = decltype(ModeSupport::run);

template <Composed kComposed>
void right(const BatchKey& key, const Batch& batch) {
  kComposed(openssl_evp, key, batch);
}

template <Composed kComposed>
void accepts_every_tag(const BatchKey& key, const Batch& batch, void*, Stream) {
  right<kComposed>(key, batch);
  if (batch.direction == WARPAES_DIRECTION_DECRYPT) std::fill_n(batch.statuses, batch.messages, WARPAES_OK);
}

template <Composed kComposed>
void leaves_bytes_of_forgeries(const BatchKey& key, const Batch& batch, void*, Stream) {
  right<kComposed>(key, batch);
  if (batch.direction == WARPAES_DIRECTION_ENCRYPT || batch.bytes == 0) return;
  for (uint64_t m = 0; m < batch.messages; m++) {
    if (batch.statuses[m] != WARPAES_OK) batch.output[m * batch.output_stride] = 0x5a;
  }
}

template <Composed kComposed>
void ignores_long_aad(const BatchKey& key, const Batch& batch, void*, Stream) {
  Batch shorter = batch;
  shorter.aad_bytes = std::min<uint64_t>(65'279, batch.aad_bytes);
  right<kComposed>(key, shorter);
}

template <Composed kComposed>
void cuts_the_nonce(const BatchKey& key, const Batch& batch, void*, Stream) {
  Batch shorter = batch;
  shorter.host_nonce_bytes = std::min<size_t>(12, batch.host_nonce_bytes);
  shorter.nonce_bytes = std::min<size_t>(12, batch.nonce_bytes);
  right<kComposed>(key, shorter);
}

template <Composed kComposed>
void tags_empty_messages_wrong(const BatchKey& key, const Batch& batch, void*, Stream) {
  right<kComposed>(key, batch);
  const bool wrong = batch.direction == WARPAES_DIRECTION_ENCRYPT && batch.bytes == 0 && batch.messages > 0;
  if (wrong) batch.tags[0] ^= 1;
}

/// Of each message the first one's nonce.
template <Composed kComposed>
void repeats_the_nonce(const BatchKey& key, const Batch& batch, void*, Stream) {
  Batch repeated = batch;
  const uint64_t stride = batch.nonces == nullptr ? 0 : batch.nonce_bytes;
  std::vector<uint8_t> nonces(stride * batch.messages);
  for (uint64_t m = 0; m < batch.messages && stride != 0; m++) {
    std::copy_n(batch.nonces, stride, nonces.data() + m * stride);
  }
  if (stride != 0) repeated.nonces = nonces.data();
  if (stride != 0) repeated.nonce_stride = stride;
  right<kComposed>(key, repeated);
}

Engine faulty(const char* what, warpaes_mode mode, Run run) {
  Engine engine = openssl_evp;
  engine.name = "faulty";
  engine.kernel = what;
  engine.modes[mode] = {.run = run};
  return engine;
}

template <Composed kComposed>
void add_faults(std::vector<PlantedFault>& faults, warpaes_mode mode, const char* name) {
  const std::string mode_and_key = std::string(name) + "-128 ";
  // The self-test has a batch for each mode, and before it a long message for those whose kernels for one
  // differ.
  const bool has_long = mode == WARPAES_MODE_GCM_SIV || mode == WARPAES_MODE_OCB3;
  const std::string opened = mode_and_key + (has_long ? "long" : "batch") + " decrypt with a wrong tag: ";
  const auto add = [&](const char* what, Run run, const std::string& self_test, const char* finding) {
    faults.push_back({faulty(what, mode, run), self_test, name, finding});
  };
  add("accepts-every-tag", accepts_every_tag<kComposed>, opened + "not refused", "a status differs");
  add("leaves-bytes-of-forgeries", leaves_bytes_of_forgeries<kComposed>, opened + "its output is not zeroed",
      "put differs at byte 0");
  add("ignores-long-aad", ignores_long_aad<kComposed>, "", "AAD of");
  add("tags-empty-messages-wrong", tags_empty_messages_wrong<kComposed>, "", "0 bytes");
  add("repeats-the-nonce", repeats_the_nonce<kComposed>,
      mode_and_key + "batch encrypt: ciphertext or tag differs", "messages");
}

}  // namespace

std::vector<PlantedFault> planted_aead_faults() {
  std::vector<PlantedFault> faults;
  add_faults<gcm_siv_composed>(faults, WARPAES_MODE_GCM_SIV, "gcm-siv");
  add_faults<ccm_composed>(faults, WARPAES_MODE_CCM, "ccm");
  add_faults<eax_composed>(faults, WARPAES_MODE_EAX, "eax");
  add_faults<ocb3_composed>(faults, WARPAES_MODE_OCB3, "ocb3");
  add_faults<siv_composed>(faults, WARPAES_MODE_SIV, "siv");
  const auto add_cut = [&](warpaes_mode mode, Run run, const char* name, const char* finding) {
    faults.push_back({faulty("cuts-the-nonce", mode, run), "", name, finding});
  };
  add_cut(WARPAES_MODE_CCM, cuts_the_nonce<ccm_composed>, "ccm", "nonce of 13");
  add_cut(WARPAES_MODE_EAX, cuts_the_nonce<eax_composed>, "eax", "bytes");
  add_cut(WARPAES_MODE_OCB3, cuts_the_nonce<ocb3_composed>, "ocb3", "nonce of 13");
  add_cut(WARPAES_MODE_SIV, cuts_the_nonce<siv_composed>, "siv", "nonce of 13");
  return faults;
}

}  // namespace warpaes::core::conformance
