#include "planted_faults.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "engines/openssl/openssl_engine.hpp"
#include "failure.hpp"
#include "primitives/counter_block.hpp"
#include "primitives/gf128.hpp"

namespace warpaes::core::conformance {
namespace {

// Each fault is openssl_evp with something done before or after it. Those that leave the given memory are
// in decrypt_blocks, which no mode calls on memory of its own.

void wrong_from_64_kib(const EngineKey& key, const BlockRun& run, Stream stream) {
  openssl_evp.encrypt_blocks(key, run, stream);
  if (run.bytes > 65536) run.output[65536] ^= 1;
}

void decrypts_by_encrypting(const EngineKey& key, const BlockRun& run, Stream stream) {
  openssl_evp.encrypt_blocks(key, run, stream);
}

void writes_before_output(const EngineKey& key, const BlockRun& run, Stream stream) {
  openssl_evp.decrypt_blocks(key, run, stream);
  if (run.input != run.output) run.output[-1] ^= 1;
}

void clears_output_first(const EngineKey& key, const BlockRun& run, Stream stream) {
  std::fill_n(run.output, run.bytes, 0);
  openssl_evp.decrypt_blocks(key, run, stream);
}

void rounds_input_down(const EngineKey& key, const BlockRun& run, Stream stream) {
  const auto misaligned = reinterpret_cast<uintptr_t>(run.input) % 16;
  openssl_evp.decrypt_blocks(key, {run.input - misaligned, run.output, run.bytes}, stream);
}

void throws_failure(const EngineKey&, const BlockRun&, Stream) {
  throw Failure(WARPAES_ERROR_CUDA, "planted: an illegal memory access");
}

std::unique_ptr<EngineKey> changes_192_bit_keys(const KeySchedule& schedule, int device) {
  std::vector<uint8_t> key(schedule.key().begin(), schedule.key().end());
  if (key.size() == 24) key.back() ^= 1;
  return openssl_evp.prepare(KeySchedule(key), device);
}

void loses_the_tail(const EngineKey& key, const CounterRun& run, Stream stream) {
  openssl_evp.counter(key, {run.counter, run.input, run.output, run.bytes / 16 * 16}, stream);
}

void counts_in_32_bits(const EngineKey& key, const CounterRun& run, Stream stream) {
  for (uint64_t at = 0; at < run.bytes; at += 16) {
    std::array<uint8_t, 16> counter;
    store_counter(counter.data(), add32(load_counter(run.counter), at / 16));
    openssl_evp.counter(
        key, {counter.data(), run.input + at, run.output + at, std::min<uint64_t>(16, run.bytes - at)},
        stream);
  }
}

void counts_in_64_bits(const EngineKey& key, const CounterRun& run, Stream stream) {
  for (uint64_t at = 0; at < run.bytes; at += 16) {
    std::array<uint8_t, 16> counter;
    CounterBlock block = load_counter(run.counter);
    block.low += at / 16;
    store_counter(counter.data(), block);
    openssl_evp.counter(
        key, {counter.data(), run.input + at, run.output + at, std::min<uint64_t>(16, run.bytes - at)},
        stream);
  }
}

void changes_its_input(const EngineKey& key, const CounterRun& run, Stream stream) {
  openssl_evp.counter(key, run, stream);
  if (run.input != run.output) const_cast<uint8_t*>(run.input)[run.bytes / 2] ^= 1;
}

void openssl_gcm(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  openssl_evp.modes[WARPAES_MODE_GCM].run(key, batch, workspace, stream);
}

void accepts_every_tag(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  openssl_gcm(key, batch, workspace, stream);
  if (batch.direction == WARPAES_DIRECTION_DECRYPT) std::fill_n(batch.statuses, batch.messages, WARPAES_OK);
}

void compares_all_but_a_byte(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  Batch shorter = batch;
  if (batch.direction == WARPAES_DIRECTION_DECRYPT) shorter.tag_bytes--;
  openssl_gcm(key, shorter, workspace, stream);
}

void leaves_bytes_of_forgeries(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  openssl_gcm(key, batch, workspace, stream);
  if (batch.direction == WARPAES_DIRECTION_ENCRYPT || batch.bytes == 0) return;
  for (uint64_t m = 0; m < batch.messages; m++) {
    if (batch.statuses[m] != WARPAES_OK) batch.output[m * batch.output_stride + batch.bytes - 1] = 0x5a;
  }
}

void writes_no_status(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  Batch elsewhere = batch;
  std::vector<int32_t> statuses(batch.messages);
  elsewhere.statuses = statuses.data();
  openssl_gcm(key, elsewhere, workspace, stream);
}

void ignores_aad_from_4_kib(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  Batch shorter = batch;
  shorter.aad_bytes = std::min<uint64_t>(4096, batch.aad_bytes);
  openssl_gcm(key, shorter, workspace, stream);
}

void shares_all_aad(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  Batch shared = batch;
  shared.aad_stride = 0;
  openssl_gcm(key, shared, workspace, stream);
}

void ignores_the_nonces_end(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  Batch shorter = batch;
  shorter.host_nonce_bytes = std::min<size_t>(12, batch.host_nonce_bytes);
  openssl_gcm(key, shorter, workspace, stream);
}

void repeats_nonces_after_32(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  openssl_gcm(key, batch, workspace, stream);
  if (batch.messages <= 32) return;
  std::vector<uint8_t> nonces(12 * batch.messages);
  for (uint64_t m = 0; m < batch.messages; m++) {
    std::copy_n(batch.nonces + (m % 32) * batch.nonce_stride, 12, nonces.data() + 12 * m);
  }
  Batch repeated = batch;
  repeated.nonces = nonces.data();
  repeated.nonce_stride = 12;
  openssl_gcm(key, repeated, workspace, stream);
}

void writes_into_gaps(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  openssl_gcm(key, batch, workspace, stream);
  const bool gap =
      batch.messages > 1 && batch.bytes != 0 && batch.output_stride > batch.bytes + batch.tag_bytes;
  if (gap) batch.output[batch.output_stride - 1] ^= 1;
}

/// Right but for one thing: of a 16-byte nonce's counter, all 128 bits count.
void carries_out_of_32_bits(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  const std::vector<uint8_t> input(batch.input, batch.input + batch.bytes);
  openssl_gcm(key, batch, workspace, stream);
  if (batch.host_nonce == nullptr || batch.host_nonce_bytes != 16 || batch.bytes == 0) return;
  if (batch.direction == WARPAES_DIRECTION_DECRYPT && batch.statuses[0] != WARPAES_OK) return;
  std::array<uint8_t, 16> block = {};
  openssl_evp.encrypt_blocks(key.prepared, {block.data(), block.data(), block.size()}, stream);
  const Gf128 h = ghash_key(gf128_from_block(block.data()));
  const Gf128 inner = gf128_multiply(gf128_from_block(batch.host_nonce), h) ^ ghash_lengths(0, 16);
  gf128_to_block(gf128_multiply(inner, h), block.data());
  store_counter(block.data(), add128(load_counter(block.data()), 1));
  openssl_evp.counter(key.prepared, {block.data(), input.data(), batch.output, batch.bytes}, stream);
}

void tags_empty_messages_wrong(const BatchKey& key, const Batch& batch, void* workspace, Stream stream) {
  openssl_gcm(key, batch, workspace, stream);
  const bool wrong = batch.direction == WARPAES_DIRECTION_ENCRYPT && batch.bytes == 0 && batch.messages > 0;
  if (wrong) batch.tags[0] ^= 1;
}

/// A row with the one function exchanged.
template <auto Member>
Engine faulty(const char* what, std::decay_t<decltype(std::declval<Engine>().*Member)> function) {
  Engine engine = openssl_evp;
  engine.name = "faulty";
  engine.kernel = what;
  engine.*Member = function;
  return engine;
}

constexpr auto kEncrypt = &Engine::encrypt_blocks;
constexpr auto kDecrypt = &Engine::decrypt_blocks;
constexpr auto kCounter = &Engine::counter;

/// And with the one function for GCM.
Engine faulty_gcm(const char* what, decltype(ModeSupport::run) run) {
  Engine engine = faulty<kEncrypt>(what, openssl_evp.encrypt_blocks);
  engine.modes[WARPAES_MODE_GCM].run = run;
  return engine;
}

std::vector<PlantedFault> rows() {
  return {
      {faulty<kEncrypt>("wrong-from-64-kib", wrong_from_64_kib), "ecb-128 long encrypt: output differs",
       "ecb", "the output differs at byte 65536"},
      {faulty<kDecrypt>("decrypts-by-encrypting", decrypts_by_encrypting), "ecb-128 decrypt: output differs",
       "ecb", "differs at byte 0"},
      {faulty<kDecrypt>("writes-before-output", writes_before_output), "", "ecb",
       "is written where it should not be at byte -1"},
      {faulty<kDecrypt>("clears-output-first", clears_output_first),
       "ecb-128 decrypt in place: output differs", "ecb", "the input differs"},
      {faulty<kDecrypt>("rounds-input-down", rounds_input_down), "ecb-128 decrypt: output differs", "ecb",
       "the output differs at byte 0"},
      {faulty<kEncrypt>("throws", throws_failure), "ecb-128 encrypt: planted: an illegal memory access",
       "ecb", "planted: an illegal memory access"},
      {faulty<&Engine::prepare>("changes-192-bit-keys", changes_192_bit_keys),
       "ecb-192 encrypt: output differs", "ecb", "differs at byte 0"},
      {faulty<kCounter>("loses-the-tail", loses_the_tail), "ctr-128 long crypt: output differs", "ctr",
       "differs at byte"},
      {faulty<kCounter>("counts-in-32-bits", counts_in_32_bits), "ctr-128 long crypt: output differs", "ctr",
       "counter"},
      {faulty<kCounter>("counts-in-64-bits", counts_in_64_bits), "ctr-128 long crypt: output differs", "ctr",
       "counter"},
      {faulty<kCounter>("changes-its-input", changes_its_input), "", "ctr",
       "the input is written where it should not be"},
      {faulty_gcm("accepts-every-tag", accepts_every_tag), "gcm-128 decrypt with a wrong tag: not refused",
       "gcm", "a status differs"},
      {faulty_gcm("compares-all-but-a-byte", compares_all_but_a_byte),
       "gcm-128 decrypt with a wrong tag: not refused", "gcm", "last tag bit: a status differs"},
      {faulty_gcm("leaves-bytes-of-forgeries", leaves_bytes_of_forgeries),
       "gcm-128 decrypt with a wrong tag: its output is not zeroed", "gcm", "put differs at byte"},
      {faulty_gcm("writes-no-status", writes_no_status), "gcm-128 decrypt: a right tag is refused", "gcm",
       "a status differs"},
      {faulty_gcm("ignores-aad-from-4-kib", ignores_aad_from_4_kib),
       "gmac-128 long encrypt: ciphertext or tag differs", "gcm", "AAD of"},
      {faulty_gcm("shares-all-aad", shares_all_aad), "", "gcm", "messages: a tag differs"},
      {faulty_gcm("ignores-the-nonces-end", ignores_the_nonces_end), "gcm-128 encrypt: output differs", "gcm",
       "nonce of 13"},
      {faulty_gcm("repeats-nonces-after-32", repeats_nonces_after_32), "", "gcm", "messages"},
      {faulty_gcm("writes-into-gaps", writes_into_gaps), "", "gcm", "is written where it should not be"},
      {faulty_gcm("carries-out-of-32-bits", carries_out_of_32_bits), "", "gcm",
       "counter 0102030405060708090a0b0cffffffff"},
      {faulty_gcm("tags-empty-messages-wrong", tags_empty_messages_wrong),
       "gmac-128 long encrypt: ciphertext or tag differs", "gcm", "0 bytes"},
  };
}

}  // namespace

std::span<const PlantedFault> planted_faults() {
  static const std::vector<PlantedFault> faults = [] {
    std::vector<PlantedFault> all = rows();
    for (const PlantedFault& fault : planted_aead_faults()) all.push_back(fault);
    for (const PlantedFault& fault : planted_batch_faults()) all.push_back(fault);
    return all;
  }();
  return faults;
}

}  // namespace warpaes::core::conformance
