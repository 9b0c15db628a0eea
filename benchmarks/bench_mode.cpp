#include "bench_mode.hpp"

#include <string>

#include "failure.hpp"
#include "modes/cipher_batch.hpp"
#include "modes/modes.hpp"

namespace warpaes::bench {
namespace {

BlockRun block_run(const Call& call) { return {call.input, call.output, call.bytes}; }

CounterRun counter_run(const Call& call) { return {call.host_nonce, call.input, call.output, call.bytes}; }

AeadBatch aead_batch(const Call& call, Aead mode) {
  const bool single =
      call.messages == 1 && call.keys == nullptr && call.lengths == nullptr && mode != WARPAES_AEAD_SIV;
  return {.direction = call.direction,
          .messages = call.messages,
          .bytes = call.bytes,
          .input = call.input,
          .input_stride = call.bytes,
          .output = call.output,
          .output_stride = call.bytes,
          .host_nonce = single ? call.host_nonce : nullptr,
          .host_nonce_bytes = single ? kNonceBytes : 0,
          .nonces = single ? nullptr : call.nonces,
          .nonce_stride = kNonceBytes,
          .aad = nullptr,
          .aad_bytes = 0,
          .aad_stride = 0,
          .tags = call.tags,
          .tag_stride = kTagBytes,
          .tag_bytes = kTagBytes,
          .statuses = call.statuses,
          .lengths = call.lengths,
          .mode = mode,
          .nonce_bytes = kNonceBytes};
}

CipherBatch cipher_batch_of(CipherMode mode, const Call& call) {
  const bool tags_only = makes_tags(mode);
  return {.mode = mode,
          .messages = call.messages,
          .bytes = call.bytes,
          .input = call.input,
          .input_stride = call.bytes,
          .output = tags_only ? nullptr : call.output,
          .output_stride = call.output_bytes,
          .ivs = has_iv(mode) ? call.nonces : nullptr,
          .iv_stride = kCounterBytes,
          .tags = tags_only ? call.tags : nullptr,
          .tag_stride = kTagBytes,
          .tag_bytes = tags_only ? kTagBytes : 0,
          .statuses = call.statuses,
          .lengths = call.lengths};
}

void ecb_on_host(const Key& key, const Call& call) { ecb_host(key, call.direction, block_run(call)); }

void ctr_on_host(const Key& key, const Call& call) { ctr_host(key, counter_run(call)); }

KeyArray keys_of(const Call& call) { return {call.keys, call.key_bytes, call.key_bytes}; }

template <Aead kMode>
void aead_on_host(const Key& key, const Call& call) {
  if (call.keys != nullptr) {
    aead_key_each_host(key.context(), keys_of(call), aead_batch(call, kMode));
  } else {
    aead_host(key, aead_batch(call, kMode), kMode == WARPAES_AEAD_SIV ? call.tweak_key : nullptr);
  }
}

void ecb_on_device(const Engine& engine, const EngineKey& key, const Call& call, const DeviceBuffer&,
                   Stream stream) {
  ecb(engine, key, call.direction, block_run(call), stream);
}

void ctr_on_device(const Engine& engine, const EngineKey& key, const Call& call, const DeviceBuffer&,
                   Stream stream) {
  ctr(engine, key, counter_run(call), stream);
}

template <Aead kMode>
void aead_on_device(const Engine& engine, const EngineKey& key, const Call& call,
                    const DeviceBuffer& workspace, Stream stream) {
  if (call.keys != nullptr) {
    aead_key_each(engine, call.device, keys_of(call), aead_batch(call, kMode), stream);
  } else {
    AeadBatch batch = aead_batch(call, kMode);
    if (kMode == WARPAES_AEAD_SIV) batch.mac_key = call.prepared_tweak_key;
    aead(engine, {key, call.key_bits}, batch, workspace.data(), workspace.size(), stream);
  }
}

template <CipherMode kEncrypt, CipherMode kDecrypt>
CipherBatch cipher_batch_of(const Call& call) {
  return cipher_batch_of(call.direction == WARPAES_ENCRYPT ? kEncrypt : kDecrypt, call);
}

template <CipherMode kEncrypt, CipherMode kDecrypt>
void messages_on_host(const Key& key, const Call& call) {
  const CipherBatch batch = cipher_batch_of<kEncrypt, kDecrypt>(call);
  if (call.keys != nullptr) {
    cipher_key_each_host(key.context(), keys_of(call), batch);
  } else {
    cipher_batch_host(key, batch);
  }
}

template <CipherMode kEncrypt, CipherMode kDecrypt>
void messages_on_device(const Engine& engine, const EngineKey& key, const Call& call, const DeviceBuffer&,
                        Stream stream) {
  const CipherBatch batch = cipher_batch_of<kEncrypt, kDecrypt>(call);
  if (call.keys != nullptr) {
    cipher_key_each(engine, call.device, keys_of(call), batch, stream);
  } else {
    cipher_batch(engine, key, batch, stream);
  }
}

CipherBatch data_units_of(const Call& call) {
  return cipher_batch_of<CipherMode::xts_encrypt, CipherMode::xts_decrypt>(call);
}

void data_units_on_host(const Key& key, const Call& call) {
  if (call.keys != nullptr) {
    cipher_key_each_host(key.context(), keys_of(call), data_units_of(call));
  } else {
    xts_batch_host(key, *call.tweak_key, data_units_of(call));
  }
}

void data_units_on_device(const Engine& engine, const EngineKey& key, const Call& call, const DeviceBuffer&,
                          Stream stream) {
  if (call.keys != nullptr) {
    cipher_key_each(engine, call.device, keys_of(call), data_units_of(call), stream);
  } else {
    xts_batch(engine, {key, *call.prepared_tweak_key, call.key_bits}, data_units_of(call), stream);
  }
}

ChainRun chain_run(const Call& call) { return {call.host_nonce, call.input, call.output, call.bytes}; }

XtsRun xts_run(const Call& call) {
  return {call.host_nonce, call.data_unit_bytes, call.input, call.output, call.bytes};
}

void cbc_on_host(const Key& key, const Call& call) { cbc_host(key, call.direction, chain_run(call)); }

void cfb_on_host(const Key& key, const Call& call) { cfb_host(key, call.direction, chain_run(call)); }

void xts_on_host(const Key& key, const Call& call) {
  xts_host(key, *call.tweak_key, call.direction, xts_run(call));
}

void cbc_on_device(const Engine& engine, const EngineKey& key, const Call& call, const DeviceBuffer&,
                   Stream stream) {
  cbc(engine, key, call.direction, chain_run(call), nullptr, 0, stream);
}

void cfb_on_device(const Engine& engine, const EngineKey& key, const Call& call, const DeviceBuffer&,
                   Stream stream) {
  cfb(engine, key, call.direction, chain_run(call), nullptr, 0, stream);
}

void xts_on_device(const Engine& engine, const EngineKey& key, const Call& call, const DeviceBuffer&,
                   Stream stream) {
  xts(engine, {key, *call.prepared_tweak_key, call.key_bits}, call.direction, xts_run(call), stream);
}

double lookups_of_all_rounds(int rounds, uint64_t) { return 16.0 * rounds; }

/// A data unit's tweak is one more block to encrypt.
double lookups_with_tweaks(int rounds, uint64_t data_unit_bytes) {
  return 16.0 * rounds * (1 + 1 / (static_cast<double>(data_unit_bytes) / 16));
}

/// SP 800-38F section 6.1: six blocks for each 8 bytes.
double lookups_of_twelve_blocks(int rounds, uint64_t) { return 12 * 16.0 * rounds; }

/// 256 neighbouring counters share all of round 1 but one look-up, and of round 2 only one column of
/// four depends on that byte, in a way that repeats in each group of 256. A group's share of the upper
/// bytes is 5 look-ups for 4 blocks.
constexpr int kCachedRounds = 2;
double lookups_with_cached_counters(int rounds, uint64_t) {
  return 16.0 * (rounds - kCachedRounds) + 5.0 / 4;
}

/// A block of the key stream and one of the MAC.
double lookups_of_two_blocks(int rounds, uint64_t) { return 2 * 16.0 * rounds; }

/// CTR's; and a load more, as it is the plaintext that is hashed before, and 16 bytes pass through the data
/// path like 4 look-ups.
double lookups_of_two_passes(int rounds, uint64_t unit) {
  return lookups_with_cached_counters(rounds, unit) + 4;
}

/// The same; and a load more, as a message is hashed and encrypted in two walks.
double lookups_of_two_walks(int rounds, uint64_t unit) { return lookups_of_two_blocks(rounds, unit) + 4; }

template <Aead kMode>
constexpr BenchMode aead_mode(const char* name, double (*lookups)(int, uint64_t)) {
  return {.name = name,
          .authenticates = true,
          .on_host = aead_on_host<kMode>,
          .on_device = aead_on_device<kMode>,
          .lookups_per_block = lookups,
          .nonce_bytes = kNonceBytes,
          .has_ragged = kMode == WARPAES_AEAD_GCM,
          .has_key_each = true,
          .shared_rounds = kMode == WARPAES_AEAD_GCM ? kCachedRounds : 0,
          .aead = kMode,
          .has_192_bits = kMode != WARPAES_AEAD_GCM_SIV,
          .has_long_messages =
              kMode != WARPAES_AEAD_CCM && kMode != WARPAES_AEAD_EAX && kMode != WARPAES_AEAD_SIV,
          .keys = kMode == WARPAES_AEAD_SIV ? size_t{2} : 1};
}

/// Batches of messages, a lane each.
constexpr BenchMode message_mode(const char* name, CipherMode mode) {
  return {.name = name,
          .authenticates = makes_tags(mode),
          .on_host = nullptr,
          .on_device = nullptr,
          .lookups_per_block = lookups_of_all_rounds,
          .nonce_bytes = kCounterBytes,
          .whole_blocks = needs_whole_blocks(mode),
          .writes_output = !makes_tags(mode),
          .has_ragged = true,
          .has_key_each = true,
          .has_long_messages = false};
}

/// Of a mode whose messages chain.
template <CipherMode kMode>
constexpr BenchMode chained_mode(const char* name) {
  BenchMode mode = message_mode(name, kMode);
  mode.on_host = messages_on_host<kMode, kMode>;
  mode.on_device = messages_on_device<kMode, kMode>;
  mode.chains = true;
  return mode;
}

/// Of a mode whose messages do not chain, or not in that direction.
template <CipherMode kEncrypt, CipherMode kDecrypt>
constexpr BenchMode unchained_mode(const char* name, bool unchains) {
  BenchMode mode = message_mode(name, kDecrypt);
  mode.on_host = messages_on_host<kEncrypt, kDecrypt>;
  mode.on_device = messages_on_device<kEncrypt, kDecrypt>;
  mode.unchains = unchains;
  return mode;
}

/// Data units of XTS that do not follow each other.
constexpr BenchMode data_unit_mode(const char* name) {
  BenchMode mode = message_mode(name, CipherMode::xts_encrypt);
  mode.on_host = data_units_on_host;
  mode.on_device = data_units_on_device;
  mode.lookups_per_block = lookups_with_tweaks;
  mode.has_ragged = false;  // none is shorter than 16 bytes
  mode.keys = 2;
  mode.tells_statuses = true;
  return mode;
}

constexpr BenchMode wrap_mode(const char* name) {
  BenchMode mode = unchained_mode<CipherMode::kw_wrap, CipherMode::kw_unwrap>(name, false);
  mode.lookups_per_block = lookups_of_twelve_blocks;
  mode.whole_blocks = true;
  mode.has_ragged = false;
  mode.longer_by = 8;
  mode.tells_statuses = true;
  return mode;
}

constexpr BenchMode kModes[] = {
    {.name = "ecb",
     .authenticates = false,
     .on_host = ecb_on_host,
     .on_device = ecb_on_device,
     .lookups_per_block = lookups_of_all_rounds,
     .whole_blocks = true},
    {.name = "ctr",
     .authenticates = false,
     .on_host = ctr_on_host,
     .on_device = ctr_on_device,
     .lookups_per_block = lookups_with_cached_counters,
     .shared_rounds = kCachedRounds},
    aead_mode<WARPAES_AEAD_GCM>("gcm", lookups_with_cached_counters),
    aead_mode<WARPAES_AEAD_GCM_SIV>("gcm-siv", lookups_of_two_passes),
    aead_mode<WARPAES_AEAD_CCM>("ccm", lookups_of_two_blocks),
    aead_mode<WARPAES_AEAD_EAX>("eax", lookups_of_two_blocks),
    aead_mode<WARPAES_AEAD_OCB3>("ocb3", lookups_of_all_rounds),
    aead_mode<WARPAES_AEAD_SIV>("siv", lookups_of_two_walks),
    chained_mode<CipherMode::cbc_encrypt>("cbc-encrypt"),
    chained_mode<CipherMode::cfb_encrypt>("cfb-encrypt"),
    chained_mode<CipherMode::ofb>("ofb"),
    chained_mode<CipherMode::cmac>("cmac"),
    unchained_mode<CipherMode::ecb_encrypt, CipherMode::ecb_decrypt>("ecb-batch", false),
    unchained_mode<CipherMode::ctr, CipherMode::ctr>("ctr-batch", false),
    unchained_mode<CipherMode::cbc_encrypt, CipherMode::cbc_decrypt>("cbc-decrypt-batch", true),
    unchained_mode<CipherMode::cfb_encrypt, CipherMode::cfb_decrypt>("cfb-decrypt-batch", true),
    data_unit_mode("xts-batch"),
    wrap_mode("kw-batch"),
    {.name = "xts",
     .authenticates = false,
     .on_host = xts_on_host,
     .on_device = xts_on_device,
     .lookups_per_block = lookups_with_tweaks,
     .has_data_units = true},
    {.name = "cbc-decrypt",
     .authenticates = false,
     .on_host = cbc_on_host,
     .on_device = cbc_on_device,
     .lookups_per_block = lookups_of_all_rounds,
     .whole_blocks = true,
     .unchains = true},
    {.name = "cfb-decrypt",
     .authenticates = false,
     .on_host = cfb_on_host,
     .on_device = cfb_on_device,
     .lookups_per_block = lookups_of_all_rounds,
     .unchains = true},
};

}  // namespace

std::span<const BenchMode> bench_mode_table() { return kModes; }

const BenchMode& bench_mode_named(std::string_view name) {
  std::string names;
  for (const BenchMode& mode : kModes) {
    if (name == mode.name) return mode;
    names += std::string(names.empty() ? "" : ", ") + mode.name;
  }
  throw Failure(WARPAES_ERROR_OPTION, "no mode '" + std::string(name) + "' to measure; there are " + names);
}

}  // namespace warpaes::bench
