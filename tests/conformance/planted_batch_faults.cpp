// Planted faults in batches: per-message keys that are confused, data units that share a tweak, wrapped keys
// that are not checked.
#include <algorithm>
#include <string>

#include "engines/openssl/openssl_engine.hpp"
#include "modes/batch.hpp"
#include "modes/composed_batches.hpp"
#include "planted_faults.hpp"

namespace warpaes::core::conformance {
namespace {

/// The keys as an engine might take them by mistake.
using Mistake = void (*)(std::vector<uint8_t>& keys, size_t key_bytes, uint64_t messages);

void takes_a_neighbours(std::vector<uint8_t>& keys, size_t key_bytes, uint64_t messages) {
  const auto step = static_cast<ptrdiff_t>(key_bytes);
  if (messages > 1) std::rotate(keys.begin(), keys.begin() + step, keys.end());
}

void takes_the_first(std::vector<uint8_t>& keys, size_t key_bytes, uint64_t messages) {
  for (uint64_t m = 1; m < messages; m++) {
    std::copy_n(keys.begin(), key_bytes, keys.begin() + static_cast<ptrdiff_t>(m * key_bytes));
  }
}

void loses_a_bit_of_the_last(std::vector<uint8_t>& keys, size_t, uint64_t) { keys.back() ^= 1; }

void swaps_the_halves(std::vector<uint8_t>& keys, size_t key_bytes, uint64_t messages) {
  for (uint64_t m = 0; m < messages; m++) {
    const auto key = keys.begin() + static_cast<ptrdiff_t>(m * key_bytes);
    std::swap_ranges(key, key + static_cast<ptrdiff_t>(key_bytes / 2),
                     key + static_cast<ptrdiff_t>(key_bytes / 2));
  }
}

template <Mistake kMistake>
std::vector<uint8_t> mistaken(const KeyArray& keys, uint64_t messages) {
  std::vector<uint8_t> made;
  for (uint64_t m = 0; m < messages; m++) {
    const uint8_t* const key = keys.keys + m * keys.stride;
    made.insert(made.end(), key, key + keys.bytes);
  }
  if (messages != 0) kMistake(made, keys.bytes, messages);
  return made;
}

template <Mistake kMistake>
void with_mistake(int device, const KeyArray& keys, const Batch& batch, Stream stream) {
  const std::vector<uint8_t> others = mistaken<kMistake>(keys, batch.messages);
  run_batch_key_each(openssl_evp, device, {others.data(), keys.bytes, keys.bytes}, batch, stream);
}

void right(const BatchKey& key, const Batch& batch, void*, Stream) {
  run_batch(openssl_evp, key, batch, nullptr, 0, nullptr);
}

void accepts_every_wrapped_key(const BatchKey& key, const Batch& batch, void*, Stream) {
  cipher_composed(openssl_evp, key, batch);
  if (batch.direction == WARPAES_DIRECTION_DECRYPT) std::fill_n(batch.statuses, batch.messages, WARPAES_OK);
}

void accepts_every_mac(const BatchKey& key, const Batch& batch, void*, Stream) {
  cmac_composed(openssl_evp, key, batch);
  if (batch.direction == WARPAES_DIRECTION_DECRYPT) std::fill_n(batch.statuses, batch.messages, WARPAES_OK);
}

void tells_the_padded_length(const BatchKey& key, const Batch& batch, void*, Stream) {
  cipher_composed(openssl_evp, key, batch);
  if (batch.direction == WARPAES_DIRECTION_ENCRYPT) return;
  for (uint64_t m = 0; m < batch.messages; m++) {
    uint64_t& bytes = batch.output_lengths[m];
    bytes = (bytes + 7) / 8 * 8;
  }
}

void shares_a_tweak(const BatchKey& key, const Batch& batch, void*, Stream) {
  Batch one_tweak = batch;
  one_tweak.nonce_stride = 0;
  cipher_composed(openssl_evp, key, one_tweak);
}

/// Does another mode's work, which takes the same arguments.
template <warpaes_mode kOther>
void confuses_modes(const BatchKey& key, const Batch& batch, void*, Stream) {
  Batch other = batch;
  other.mode = kOther;
  run_batch(openssl_evp, key, other, nullptr, 0, nullptr);
}

void keeps_the_padding(const BatchKey& key, const Batch& batch, void*, Stream) {
  run_batch(openssl_evp, key, batch, nullptr, 0, nullptr);
  if (batch.direction == WARPAES_DIRECTION_ENCRYPT) return;
  for (uint64_t m = 0; m < batch.messages; m++) {
    batch.output_lengths[m] = batch.lengths == nullptr ? batch.bytes : batch.lengths[m];
  }
}

/// Modes whose batches the self-test looks at together.
void give_lanes(Engine& engine, decltype(ModeSupport::run_key_each) run_key_each) {
  for (warpaes_mode mode = WARPAES_MODE_ECB; mode <= WARPAES_MODE_KWP; mode++) {
    // The self-test asks CFB-1 for Batch::unused_bits, which OpenSSL's engine does not know.
    if (mode == WARPAES_MODE_XTS || mode == WARPAES_MODE_GMAC || mode == WARPAES_MODE_CFB1) continue;
    engine.modes[mode] = {.run = right, .run_key_each = run_key_each};
  }
}

Engine row(const char* what) {
  Engine engine = openssl_evp;
  engine.name = "faulty";
  engine.kernel = what;
  return engine;
}

/// The self-test has the same key for each message, and so finds what is wrong with one of them alone.
template <Mistake kMistake>
void add_mistake(std::vector<PlantedFault>& faults, const char* what, const char* cipher_row,
                 const std::string& of_cipher, const std::string& of_gcm) {
  Engine cipher = row(what), gcm = cipher, siv = cipher;
  give_lanes(cipher, with_mistake<kMistake>);
  gcm.modes[WARPAES_MODE_GCM].run_key_each = with_mistake<kMistake>;
  siv.modes[WARPAES_MODE_SIV].run_key_each = with_mistake<kMistake>;
  faults.push_back({cipher, of_cipher, cipher_row, "differs"});
  faults.push_back({gcm, of_gcm, "gcm-key-each", "memory differs"});
  faults.push_back({siv, "", "siv-key-each", "memory differs"});
}

}  // namespace

std::vector<PlantedFault> planted_batch_faults() {
  std::vector<PlantedFault> faults;
  add_mistake<takes_a_neighbours>(faults, "takes-a-neighbours-key", "ctr-key-each", "", "");
  add_mistake<takes_the_first>(faults, "takes-the-first-key", "cbc-key-each", "", "");
  add_mistake<loses_a_bit_of_the_last>(faults, "loses-a-bit-of-the-last-key", "cmac-key-each",
                                       "ecb encrypt-128 batch with a key each: output differs",
                                       "gcm-128 batch with a key each encrypt: ciphertext or tag differs");
  Engine halves = row("swaps-the-halves");
  halves.modes[WARPAES_MODE_XTS].run_key_each = with_mistake<swaps_the_halves>;
  faults.push_back({halves, "", "xts-key-each", "output differs"});
  Engine accepting = row("accepts-every-wrapped-key"), padded = row("tells-the-padded-length");
  give_lanes(accepting, nullptr);
  give_lanes(padded, nullptr);
  accepting.modes[WARPAES_MODE_KW].run = accepts_every_wrapped_key;
  padded.modes[WARPAES_MODE_KWP].run = tells_the_padded_length;
  faults.push_back({accepting, "kw unwrap-128 batch: output differs", "kw-batch", "status differs"});
  faults.push_back({padded, "kwp unwrap-128 batch: output differs", "kwp-batch", "output length differs"});
  Engine unchecking = row("accepts-every-mac");
  give_lanes(unchecking, nullptr);
  unchecking.modes[WARPAES_MODE_CMAC].run = accepts_every_mac;
  faults.push_back({unchecking, "cmac check-128 batch: output differs", "cmac-batch", "status differs"});
  Engine stealing = row("steals-by-another-variant"), shifting = row("shifts-by-a-byte"),
         keeping = row("keeps-the-padding");
  for (Engine* const engine : {&stealing, &shifting, &keeping}) give_lanes(*engine, nullptr);
  stealing.modes[WARPAES_MODE_CBC_CS2].run = confuses_modes<WARPAES_MODE_CBC_CS3>;
  shifting.modes[WARPAES_MODE_CFB1].run = confuses_modes<WARPAES_MODE_CFB8>;
  keeping.modes[WARPAES_MODE_CBC_PKCS7].run = keeps_the_padding;
  faults.push_back(
      {stealing, "cbc-cs2 encrypt-128 batch: output differs", "cbc-cs2-batch", "output differs"});
  faults.push_back({shifting, "cfb1 encrypt-128 batch: output differs", "cfb1-batch", "output differs"});
  faults.push_back(
      {keeping, "cbc-pkcs7 decrypt-128 batch: output differs", "cbc-pkcs7-batch", "length differs"});
  Engine sharing = row("shares-a-tweak");
  sharing.modes[WARPAES_MODE_XTS].run = shares_a_tweak;
  faults.push_back({sharing, "xts encrypt-128 batch: output differs", "xts-batch", "output differs"});
  return faults;
}

}  // namespace warpaes::core::conformance
