#include "timed_modes.hpp"

#include <algorithm>

#include "modes/aead_table.hpp"
#include "modes/modes.hpp"

namespace warpaes::leakage {
namespace {

template <Direction Way>
void ecb_blocks(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t*,
                Stream stream) {
  ecb(engine, key, Way, {at.input, at.output, bytes}, stream);
}

void ctr_bytes(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
               const uint8_t* iv, Stream stream) {
  ctr(engine, key, {iv, at.input, at.output, bytes}, stream);
}

void gcm_message(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                 const uint8_t* iv, Stream stream) {
  AeadBatch batch{};
  batch.direction = WARPAES_ENCRYPT;
  batch.messages = 1;
  batch.bytes = bytes;
  batch.input = at.input;
  batch.output = at.output;
  batch.host_nonce = iv;
  batch.host_nonce_bytes = 12;
  batch.tags = at.tags;
  batch.tag_bytes = 16;
  gcm(engine, key, batch, at.workspace.data(), at.workspace.size(), stream);
}

template <Aead Mode>
bool has_batches(const Engine& engine) {
  return aead_row(Mode).fused(engine).run != nullptr;
}

AeadBatch batch_of(Aead mode, const Buffers& at, uint64_t bytes) {
  AeadBatch batch{};
  batch.mode = mode;
  batch.direction = WARPAES_ENCRYPT;
  batch.messages = bytes / kMessageBytes;
  batch.bytes = kMessageBytes;
  batch.input = at.input;
  batch.input_stride = kMessageBytes;
  batch.output = at.output;
  batch.output_stride = kMessageBytes;
  batch.nonces = at.nonces;
  batch.nonce_stride = batch.nonce_bytes = 12;
  batch.tags = at.tags;
  batch.tag_stride = batch.tag_bytes = 16;
  return batch;
}

template <Aead Mode>
void aead_batch(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t*,
                Stream stream) {
  AeadBatch batch = batch_of(Mode, at, bytes);
  if (Mode == WARPAES_AEAD_SIV) batch.mac_key = &key;
  aead(engine, {key, 128}, batch, at.workspace.data(), at.workspace.size(), stream);
}

template <Aead Mode>
bool has_key_each(const Engine& engine) {
  return aead_row(Mode).fused(engine).key_each != nullptr;
}

/// The same key for each message, which the kernel does not know.
template <Aead Mode>
void aead_key_each(const Engine& engine, const EngineKey&, const Buffers& at, uint64_t bytes, const uint8_t*,
                   Stream stream) {
  aead_row(Mode).fused(engine).key_each(at.device, {at.raw_key, 0, 16}, batch_of(Mode, at, bytes), stream);
}

/// Nothing that is drawn is a wrapped key: all that is unwrapped is refused, in both sets.
template <CipherMode Mode>
CipherBatch cipher_batch_of(const Buffers& at, uint64_t bytes) {
  const uint64_t each = wraps_keys(Mode) ? kWrappedBytes : kMessageBytes;
  CipherBatch batch{};
  batch.mode = Mode;
  batch.messages = bytes / each;
  batch.bytes = batch.input_stride = each;
  batch.input = at.input;
  batch.output = at.output;
  batch.output_stride = each + (wraps_keys(Mode) ? 8 : 0);
  batch.ivs = at.nonces;
  batch.iv_stride = 16;
  batch.statuses = at.statuses;
  return batch;
}

bool has_cipher_batches(const Engine& engine) { return engine.cipher_batch != nullptr; }
bool has_data_units(const Engine& engine) { return engine.xts_batch != nullptr; }
bool has_cipher_key_each(const Engine& engine) { return engine.cipher_key_each != nullptr; }

template <CipherMode Mode>
void cipher_batch(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                  const uint8_t*, Stream stream) {
  engine.cipher_batch(key, cipher_batch_of<Mode>(at, bytes), stream);
}

template <CipherMode Mode>
void data_units(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t*,
                Stream stream) {
  engine.xts_batch({key, key, 128}, cipher_batch_of<Mode>(at, bytes), stream);
}

template <CipherMode Mode>
void cipher_key_each(const Engine& engine, const EngineKey&, const Buffers& at, uint64_t bytes,
                     const uint8_t*, Stream stream) {
  engine.cipher_key_each(at.device, {at.raw_key, 0, 16}, cipher_batch_of<Mode>(at, bytes), stream);
}

template <auto Decrypt>
void unchain(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t* iv,
             Stream stream) {
  (engine.*Decrypt)(key, {iv, at.input, at.output, bytes}, at.workspace.data(), stream);
}

void xts_data_unit(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                   const uint8_t* iv, Stream stream) {
  engine.xts({key, key, 128}, WARPAES_ENCRYPT, {iv, bytes, at.input, at.output, bytes}, stream);
}

constexpr TimedMode kModes[] = {
    {"ecb encrypt", [](const Engine&) { return true; }, ecb_blocks<WARPAES_ENCRYPT>},
    {"ecb decrypt", [](const Engine&) { return true; }, ecb_blocks<WARPAES_DECRYPT>},
    {"ctr", [](const Engine& engine) { return engine.counter != nullptr; }, ctr_bytes},
    {"gcm encrypt", [](const Engine& engine) { return engine.gcm != nullptr; }, gcm_message},
    {"cbc decrypt", [](const Engine& engine) { return engine.cbc_decrypt != nullptr; },
     unchain<&Engine::cbc_decrypt>},
    {"cfb decrypt", [](const Engine& engine) { return engine.cfb_decrypt != nullptr; },
     unchain<&Engine::cfb_decrypt>},
    {"xts encrypt", [](const Engine& engine) { return engine.xts != nullptr; }, xts_data_unit},
    // Not GCM-SIV: where its counters begin, and so a little of its work, is told by the tag, which is
    // public.
    {"gcm batch", has_batches<WARPAES_AEAD_GCM>, aead_batch<WARPAES_AEAD_GCM>},
    {"ccm batch", has_batches<WARPAES_AEAD_CCM>, aead_batch<WARPAES_AEAD_CCM>},
    {"eax batch", has_batches<WARPAES_AEAD_EAX>, aead_batch<WARPAES_AEAD_EAX>},
    {"ocb3 batch", has_batches<WARPAES_AEAD_OCB3>, aead_batch<WARPAES_AEAD_OCB3>},
    // Its counters begin at the tag too, but with a bit cleared that keeps them from carrying.
    {"siv batch", has_batches<WARPAES_AEAD_SIV>, aead_batch<WARPAES_AEAD_SIV>},
    {"gcm key each", has_key_each<WARPAES_AEAD_GCM>, aead_key_each<WARPAES_AEAD_GCM>},
    {"ccm key each", has_key_each<WARPAES_AEAD_CCM>, aead_key_each<WARPAES_AEAD_CCM>},
    {"eax key each", has_key_each<WARPAES_AEAD_EAX>, aead_key_each<WARPAES_AEAD_EAX>},
    {"ocb3 key each", has_key_each<WARPAES_AEAD_OCB3>, aead_key_each<WARPAES_AEAD_OCB3>},
    {"kw wrap batch", has_cipher_batches, cipher_batch<CipherMode::kw_wrap>},
    {"kw unwrap batch", has_cipher_batches, cipher_batch<CipherMode::kw_unwrap>},
    {"xts encrypt batch", has_data_units, data_units<CipherMode::xts_encrypt>},
    {"xts decrypt batch", has_data_units, data_units<CipherMode::xts_decrypt>},
    {"cbc encrypt key each", has_cipher_key_each, cipher_key_each<CipherMode::cbc_encrypt>},
    {"cbc decrypt key each", has_cipher_key_each, cipher_key_each<CipherMode::cbc_decrypt>},
    {"kw unwrap key each", has_cipher_key_each, cipher_key_each<CipherMode::kw_unwrap>},
};

}  // namespace

std::span<const TimedMode> timed_modes() { return kModes; }

size_t workspace_bytes(const Engine& engine) {
  size_t most = std::max(gcm_workspace_bytes(engine, 1, kLargest), unchain_workspace_bytes(engine, kLargest));
  for (const Aead mode : {WARPAES_AEAD_GCM, WARPAES_AEAD_CCM, WARPAES_AEAD_EAX, WARPAES_AEAD_OCB3}) {
    if (aead_row(mode).fused(engine).run == nullptr) continue;
    most = std::max(most, aead_workspace_bytes(engine, mode, kLargest / kMessageBytes, kMessageBytes));
  }
  return most;
}

}  // namespace warpaes::leakage
