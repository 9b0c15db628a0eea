#include "timed_modes.hpp"

#include <algorithm>

#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"

namespace warpaes::core::leakage {
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

KeyArray raw_key(const Buffers& at) { return {at.raw_key, 0, static_cast<size_t>(at.key_bits / 8)}; }

/// One message: long ones are shared by all multiprocessors, as the nonce is in host memory.
/// @param Way decrypting: what prepare has made
template <Aead Mode, Direction Way = WARPAES_DIRECTION_ENCRYPT>
void aead_message(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                  const uint8_t* iv, Stream stream) {
  Batch batch{};
  batch.mode = Mode;
  batch.direction = Way;
  batch.messages = 1;
  batch.bytes = bytes;
  batch.input = Way == WARPAES_DIRECTION_ENCRYPT ? at.input : at.ciphertext;
  batch.output = at.output;
  batch.host_nonce = iv;
  batch.host_nonce_bytes = 12;
  batch.tags = at.tags;
  batch.tag_bytes = 16;
  batch.statuses = at.statuses;
  run_batch(engine, {key, at.key_bits}, batch, at.workspace.data(), at.workspace.size(), stream);
}

/// GMAC: only a tag is made.
void gmac_message(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                  const uint8_t* iv, Stream stream) {
  Batch batch{};
  batch.direction = WARPAES_DIRECTION_ENCRYPT;
  batch.messages = 1;
  batch.aad = at.input;
  batch.aad_bytes = bytes;
  batch.host_nonce = iv;
  batch.host_nonce_bytes = 12;
  batch.tags = at.tags;
  batch.tag_bytes = 16;
  run_batch(engine, {key, at.key_bits}, batch, at.workspace.data(), at.workspace.size(), stream);
}

/// The same memory with the ciphertext where the output was.
Buffers preparing(const Buffers& at) {
  Buffers prepared = at;
  prepared.output = at.ciphertext;
  return prepared;
}

template <Aead Mode>
void aead_message_prepared(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                           const uint8_t* iv, Stream stream) {
  aead_message<Mode>(engine, key, preparing(at), bytes, iv, stream);
}

template <warpaes_mode Mode>
bool has_batches(const Engine& engine) {
  return engine.modes[Mode].run != nullptr;
}

Batch batch_of(Aead mode, Direction direction, const Buffers& at, uint64_t bytes) {
  Batch batch{};
  batch.mode = mode;
  batch.direction = direction;
  batch.messages = bytes / kMessageBytes;
  batch.bytes = kMessageBytes;
  batch.input = direction == WARPAES_DIRECTION_ENCRYPT ? at.input : at.ciphertext;
  batch.input_stride = kMessageBytes;
  batch.output = at.output;
  batch.output_stride = kMessageBytes;
  batch.nonces = at.nonces;
  batch.nonce_stride = batch.nonce_bytes = 12;
  batch.tags = at.tags;
  batch.tag_stride = batch.tag_bytes = 16;
  batch.statuses = at.statuses;
  return batch;
}

template <Aead Mode, Direction Way = WARPAES_DIRECTION_ENCRYPT>
void aead_batch(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t*,
                Stream stream) {
  const EngineKey* const mac_key = Mode == WARPAES_MODE_SIV ? &key : nullptr;
  run_batch(engine, {key, at.key_bits, mac_key}, batch_of(Mode, Way, at, bytes), at.workspace.data(),
            at.workspace.size(), stream);
}

template <Aead Mode>
void aead_batch_prepared(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                         const uint8_t* iv, Stream stream) {
  aead_batch<Mode>(engine, key, preparing(at), bytes, iv, stream);
}

template <Aead Mode>
bool has_key_each(const Engine& engine) {
  return engine.modes[Mode].run_key_each != nullptr;
}

/// The same key for each message, which the kernel does not know.
template <Aead Mode>
void aead_key_each(const Engine& engine, const EngineKey&, const Buffers& at, uint64_t bytes, const uint8_t*,
                   Stream stream) {
  engine.modes[Mode].run_key_each(at.device, raw_key(at),
                                  batch_of(Mode, WARPAES_DIRECTION_ENCRYPT, at, bytes), stream);
}

constexpr uint64_t bytes_of_message(warpaes_mode mode) {
  switch (mode) {
    case WARPAES_MODE_KW:
    case WARPAES_MODE_KWP:
      return kWrappedBytes;
    case WARPAES_MODE_CFB8:
      return kCfb8Bytes;
    case WARPAES_MODE_CFB1:
      return kCfb1Bytes;
    default:
      return kMessageBytes;
  }
}

/// Nothing that is drawn is a wrapped key: all that is unwrapped is refused, in both sets. Ciphertext with
/// padding is prepared, as most that could be drawn is refused, and a padding's status is public.
Batch cipher_batch_of(warpaes_mode mode, Direction direction, const Buffers& at, uint64_t bytes) {
  const uint64_t each = bytes_of_message(mode);
  const bool wraps = mode == WARPAES_MODE_KW || mode == WARPAES_MODE_KWP,
             pads = mode == WARPAES_MODE_CBC_PKCS7 || mode == WARPAES_MODE_ECB_PKCS7,
             unpads = pads && direction == WARPAES_DIRECTION_DECRYPT;
  Batch batch{};
  batch.mode = mode;
  batch.direction = direction;
  batch.messages = bytes / each;
  batch.bytes = unpads ? each + 16 : each;
  batch.input = unpads ? at.ciphertext : at.input;
  batch.input_stride = batch.bytes;
  batch.output = at.output;
  batch.output_stride = each + (wraps ? 8 : pads ? 16 : 0);
  batch.nonces = mode_row(mode).has_nonce() ? at.nonces : nullptr;
  batch.nonce_stride = 16;
  batch.nonce_bytes = mode_row(mode).recommended_nonce;
  batch.statuses = at.statuses;
  batch.output_lengths = unpads ? at.lengths : nullptr;
  return batch;
}

bool has_lanes_key_each(const Engine& engine) {
  return engine.modes[WARPAES_MODE_CBC].run_key_each != nullptr;
}

template <warpaes_mode Mode, Direction Way>
void cipher_batch(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                  const uint8_t*, Stream stream) {
  const EngineKey* const tweak_key = Mode == WARPAES_MODE_XTS ? &key : nullptr;
  engine.modes[Mode].run({key, at.key_bits, tweak_key}, cipher_batch_of(Mode, Way, at, bytes), nullptr,
                         stream);
}

template <warpaes_mode Mode, Direction Way>
void cipher_batch_prepared(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                           const uint8_t* iv, Stream stream) {
  cipher_batch<Mode, Way>(engine, key, preparing(at), bytes, iv, stream);
}

template <warpaes_mode Mode, Direction Way>
void cipher_key_each(const Engine& engine, const EngineKey&, const Buffers& at, uint64_t bytes,
                     const uint8_t*, Stream stream) {
  engine.modes[Mode].run_key_each(at.device, raw_key(at), cipher_batch_of(Mode, Way, at, bytes), stream);
}

template <auto Decrypt>
void unchain(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes, const uint8_t* iv,
             Stream stream) {
  (engine.*Decrypt)(key, {iv, at.input, at.output, bytes}, at.workspace.data(), stream);
}

template <Direction Way>
void xts_data_unit(const Engine& engine, const EngineKey& key, const Buffers& at, uint64_t bytes,
                   const uint8_t* iv, Stream stream) {
  engine.xts({key, key, at.key_bits}, Way, {iv, bytes, at.input, at.output, bytes}, stream);
}

constexpr uint64_t kBatchSizes[] = {kSmall, kMedium};
constexpr uint64_t kMediumOnly[] = {kMedium};
constexpr uint64_t kLongOnly[] = {kLong};
constexpr Form kForms[] = {{128, false}, {256, false}, {128, true}};

constexpr Direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

bool has_xts(const Engine& engine) { return engine.xts != nullptr; }
bool has_gcm(const Engine& engine) { return engine.modes[WARPAES_MODE_GCM].run != nullptr; }

template <Aead Mode>
constexpr TimedMode opened(const char* name, std::span<const uint64_t> sizes) {
  return {name,
          sizes,
          has_batches<Mode>,
          aead_batch<Mode, kDecrypt>,
          aead_batch_prepared<Mode>,
          Mode == WARPAES_MODE_GCM_SIV};
}

template <Aead Mode>
constexpr TimedMode refused(const char* name) {
  TimedMode mode = opened<Mode>(name, kMediumOnly);
  mode.wrong_tags = true;
  return mode;
}

template <warpaes_mode Mode, Direction Way>
constexpr TimedMode lanes(const char* name, std::span<const uint64_t> sizes = kBatchSizes) {
  return {name, sizes, has_batches<Mode>, cipher_batch<Mode, Way>};
}

constexpr TimedMode kModes[] = {
    {"ecb encrypt", kBatchSizes, [](const Engine&) { return true; }, ecb_blocks<WARPAES_DIRECTION_ENCRYPT>},
    {"ecb decrypt", kBatchSizes, [](const Engine&) { return true; }, ecb_blocks<kDecrypt>},
    {"ctr", kAllSizes, [](const Engine& engine) { return engine.counter != nullptr; }, ctr_bytes},
    {"gcm encrypt", kAllSizes, has_gcm, aead_message<WARPAES_MODE_GCM>},
    {"gcm decrypt", kAllSizes, has_gcm, aead_message<WARPAES_MODE_GCM, kDecrypt>,
     aead_message_prepared<WARPAES_MODE_GCM>},
    {"gcm wrong tag", kBatchSizes, has_gcm, aead_message<WARPAES_MODE_GCM, kDecrypt>,
     aead_message_prepared<WARPAES_MODE_GCM>, false, true},
    {"gmac", kAllSizes, has_gcm, gmac_message},
    {"cbc decrypt", kBatchSizes, [](const Engine& engine) { return engine.cbc_decrypt != nullptr; },
     unchain<&Engine::cbc_decrypt>},
    {"cfb decrypt", kBatchSizes, [](const Engine& engine) { return engine.cfb_decrypt != nullptr; },
     unchain<&Engine::cfb_decrypt>},
    {"xts encrypt", kBatchSizes, has_xts, xts_data_unit<kEncrypt>},
    {"xts decrypt", kBatchSizes, has_xts, xts_data_unit<kDecrypt>},
    {"gcm-siv encrypt", kLongOnly, has_batches<WARPAES_MODE_GCM_SIV>, aead_message<WARPAES_MODE_GCM_SIV>,
     nullptr, true},
    {"gcm-siv decrypt", kLongOnly, has_batches<WARPAES_MODE_GCM_SIV>,
     aead_message<WARPAES_MODE_GCM_SIV, kDecrypt>, aead_message_prepared<WARPAES_MODE_GCM_SIV>, true},
    {"ocb3 encrypt", kLongOnly, has_batches<WARPAES_MODE_OCB3>, aead_message<WARPAES_MODE_OCB3>},
    {"ocb3 decrypt", kLongOnly, has_batches<WARPAES_MODE_OCB3>, aead_message<WARPAES_MODE_OCB3, kDecrypt>,
     aead_message_prepared<WARPAES_MODE_OCB3>},
    {"gcm batch", kBatchSizes, has_batches<WARPAES_MODE_GCM>, aead_batch<WARPAES_MODE_GCM>},
    {"gcm-siv batch", kBatchSizes, has_batches<WARPAES_MODE_GCM_SIV>, aead_batch<WARPAES_MODE_GCM_SIV>,
     nullptr, true},
    {"ccm batch", kBatchSizes, has_batches<WARPAES_MODE_CCM>, aead_batch<WARPAES_MODE_CCM>},
    {"eax batch", kBatchSizes, has_batches<WARPAES_MODE_EAX>, aead_batch<WARPAES_MODE_EAX>},
    {"ocb3 batch", kBatchSizes, has_batches<WARPAES_MODE_OCB3>, aead_batch<WARPAES_MODE_OCB3>},
    // Its counters begin at the tag as GCM-SIV's do, but with a bit cleared that keeps them from carrying.
    {"siv batch", kBatchSizes, has_batches<WARPAES_MODE_SIV>, aead_batch<WARPAES_MODE_SIV>},
    opened<WARPAES_MODE_GCM>("gcm batch decrypt", kBatchSizes),
    opened<WARPAES_MODE_GCM_SIV>("gcm-siv batch decrypt", kBatchSizes),
    opened<WARPAES_MODE_CCM>("ccm batch decrypt", kMediumOnly),
    opened<WARPAES_MODE_EAX>("eax batch decrypt", kMediumOnly),
    opened<WARPAES_MODE_OCB3>("ocb3 batch decrypt", kBatchSizes),
    opened<WARPAES_MODE_SIV>("siv batch decrypt", kMediumOnly),
    refused<WARPAES_MODE_GCM>("gcm batch wrong tag"),
    refused<WARPAES_MODE_GCM_SIV>("gcm-siv batch wrong tag"),
    refused<WARPAES_MODE_CCM>("ccm batch wrong tag"),
    refused<WARPAES_MODE_EAX>("eax batch wrong tag"),
    refused<WARPAES_MODE_OCB3>("ocb3 batch wrong tag"),
    refused<WARPAES_MODE_SIV>("siv batch wrong tag"),
    {"gcm key each", kBatchSizes, has_key_each<WARPAES_MODE_GCM>, aead_key_each<WARPAES_MODE_GCM>},
    {"ccm key each", kBatchSizes, has_key_each<WARPAES_MODE_CCM>, aead_key_each<WARPAES_MODE_CCM>},
    {"eax key each", kBatchSizes, has_key_each<WARPAES_MODE_EAX>, aead_key_each<WARPAES_MODE_EAX>},
    {"ocb3 key each", kBatchSizes, has_key_each<WARPAES_MODE_OCB3>, aead_key_each<WARPAES_MODE_OCB3>},
    lanes<WARPAES_MODE_CBC, kEncrypt>("cbc encrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CBC, kDecrypt>("cbc decrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CTR, kEncrypt>("ctr batch", kMediumOnly),
    lanes<WARPAES_MODE_KW, kEncrypt>("kw wrap batch"),
    lanes<WARPAES_MODE_KW, kDecrypt>("kw unwrap batch"),
    lanes<WARPAES_MODE_KWP, kEncrypt>("kwp wrap batch"),
    lanes<WARPAES_MODE_KWP, kDecrypt>("kwp unwrap batch"),
    lanes<WARPAES_MODE_CFB, kEncrypt>("cfb encrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_OFB, kEncrypt>("ofb batch", kMediumOnly),
    lanes<WARPAES_MODE_CBC_PKCS7, kEncrypt>("cbc pkcs7 encrypt batch", kMediumOnly),
    {"cbc pkcs7 decrypt batch", kMediumOnly, has_batches<WARPAES_MODE_CBC_PKCS7>,
     cipher_batch<WARPAES_MODE_CBC_PKCS7, kDecrypt>, cipher_batch_prepared<WARPAES_MODE_CBC_PKCS7, kEncrypt>},
    lanes<WARPAES_MODE_ECB_PKCS7, kEncrypt>("ecb pkcs7 encrypt batch", kMediumOnly),
    {"ecb pkcs7 decrypt batch", kMediumOnly, has_batches<WARPAES_MODE_ECB_PKCS7>,
     cipher_batch<WARPAES_MODE_ECB_PKCS7, kDecrypt>, cipher_batch_prepared<WARPAES_MODE_ECB_PKCS7, kEncrypt>},
    lanes<WARPAES_MODE_CBC_CS1, kEncrypt>("cbc cs1 encrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CBC_CS1, kDecrypt>("cbc cs1 decrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CBC_CS2, kEncrypt>("cbc cs2 encrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CBC_CS2, kDecrypt>("cbc cs2 decrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CBC_CS3, kEncrypt>("cbc cs3 encrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CBC_CS3, kDecrypt>("cbc cs3 decrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CFB8, kEncrypt>("cfb-8 encrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CFB8, kDecrypt>("cfb-8 decrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CFB1, kEncrypt>("cfb-1 encrypt batch", kMediumOnly),
    lanes<WARPAES_MODE_CFB1, kDecrypt>("cfb-1 decrypt batch", kMediumOnly),
    {"xts encrypt batch", kBatchSizes, has_batches<WARPAES_MODE_XTS>,
     cipher_batch<WARPAES_MODE_XTS, kEncrypt>},
    {"xts decrypt batch", kBatchSizes, has_batches<WARPAES_MODE_XTS>,
     cipher_batch<WARPAES_MODE_XTS, kDecrypt>},
    {"cbc encrypt key each", kBatchSizes, has_lanes_key_each, cipher_key_each<WARPAES_MODE_CBC, kEncrypt>},
    {"cbc decrypt key each", kBatchSizes, has_lanes_key_each, cipher_key_each<WARPAES_MODE_CBC, kDecrypt>},
    {"kw unwrap key each", kBatchSizes, has_lanes_key_each, cipher_key_each<WARPAES_MODE_KW, kDecrypt>},
};

}  // namespace

std::span<const Form> TimedMode::forms() const {
  const bool has_odd_addresses = sizes.back() == kLongest;
  return std::span(kForms).first(has_odd_addresses ? std::size(kForms) : std::size(kForms) - 1);
}

std::span<const TimedMode> timed_modes() { return kModes; }

size_t workspace_bytes(const Engine& engine) {
  size_t most = unchain_workspace_bytes(engine, kMedium);
  for (const uint64_t bytes : kAllSizes)
    most = std::max(most, batch_workspace_bytes(engine, WARPAES_MODE_GCM, 1, bytes));
  for (const Aead mode : {WARPAES_MODE_GCM, WARPAES_MODE_GCM_SIV, WARPAES_MODE_CCM, WARPAES_MODE_EAX,
                          WARPAES_MODE_OCB3, WARPAES_MODE_SIV}) {
    if (engine.modes[mode].run == nullptr) continue;
    for (const uint64_t bytes : kBatchSizes) {
      most = std::max(most, batch_workspace_bytes(engine, mode, bytes / kMessageBytes, kMessageBytes));
    }
    most = std::max(most, batch_workspace_bytes(engine, mode, 1, kLong));
  }
  return most;
}

}  // namespace warpaes::core::leakage
