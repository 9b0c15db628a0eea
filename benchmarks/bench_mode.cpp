#include "bench_mode.hpp"

#include <string>

namespace warpaes::bench {
namespace {

template <class Array>
std::span<Array> array_of(Array* entries, uint64_t count) {
  return {entries, entries == nullptr ? 0 : count};
}

bool is_one_message(const BenchMode& mode, const Call& call) {
  return !mode.is_batch && call.messages == 1 && call.keys == nullptr && call.lengths == nullptr &&
         call.inputs == nullptr;
}

template <class Tag>
BasicMessage<Tag> message_of(const BenchMode& mode, const Call& call) {
  BasicMessage<Tag> message;
  message.input = {call.input, call.bytes};
  if (mode.writes_output) message.output = {call.output, call.output_bytes};
  if (mode.nonce_bytes != 0) message.nonce = {call.host_nonce, mode.nonce_bytes};
  if (mode.authenticates) message.tag = {call.tags, kTagBytes};
  if (mode.has_data_units) message.data_unit = call.data_unit_bytes;
  return message;
}

/// Rows that follow each other without gaps between them.
template <class Rows, class Byte>
Rows rows_of(Byte* first, uint64_t count, uint64_t bytes) {
  return {{first, count * bytes}, bytes};
}

/// The batch that is ciphertext in frames: what lies in them begins once in each frame.
template <class Tags>
void put_into_frames(BasicBatch<Tags>& batch, const Call& call) {
  const auto rows = [&call]<class Rows>(const Rows& contiguous, uint64_t bytes) -> Rows {
    const auto size = static_cast<size_t>((call.messages - 1) * call.frame_bytes + bytes);
    return {{contiguous.memory().data(), size}, call.frame_bytes};
  };
  batch.nonces = rows(batch.nonces, kNonceBytes);
  batch.tags = rows(batch.tags, kTagBytes);
  if (call.encrypts()) {
    batch.output = rows(batch.output, call.output_bytes);
  } else {
    batch.input = rows(batch.input, call.bytes);
  }
}

template <class Tags>
BasicBatch<Tags> batch_of(const BenchMode& mode, const Call& call) {
  BasicBatch<Tags> batch;
  const uint64_t count = batch.count = call.messages;
  batch.input = rows_of<Source>(call.input, count, call.bytes);
  batch.length = call.bytes;
  batch.lengths = array_of(call.lengths, count);
  batch.output_lengths = array_of(call.output_lengths, count);
  if (mode.writes_output) batch.output = rows_of<Target>(call.output, count, call.output_bytes);
  if (call.inputs != nullptr) batch.input = Source(array_of(call.inputs, count));
  if (call.outputs != nullptr && mode.writes_output) batch.output = Target(array_of(call.outputs, count));
  if (mode.nonce_bytes != 0) {
    batch.nonces = rows_of<Source>(call.nonces, count, mode.nonce_bytes);
    batch.nonce_length = mode.nonce_bytes;
  }
  if (mode.authenticates) {
    batch.tags = rows_of<Tags>(call.tags, count, kTagBytes);
    batch.tag_length = kTagBytes;
  }
  if (call.keys != nullptr) {
    batch.keys = rows_of<Source>(call.keys, count, call.key_bytes);
    batch.key_length = call.key_bytes;
  }
  batch.statuses = array_of(call.statuses, count);
  if (call.frame_bytes != 0) put_into_frames(batch, call);
  return batch;
}

/// To be called where nobody is told the statuses.
void require_good(const Verdict& verdict) {
  if (!verdict) throw Error(verdict.status(), warpaes_status_string(verdict.status()));
}

void decrypt_on_host(const BenchMode& mode, const warpaes::Cipher& cipher, const Call& call) {
  const bool single = is_one_message(mode, call);
  const Verdict verdict = single ? cipher.decrypt(message_of<Input>(mode, call))
                                 : cipher.decrypt_batch(batch_of<Source>(mode, call));
  if (call.statuses == nullptr) return require_good(verdict);
  if (single) *call.statuses = verdict.status();
}

double lookups_of_all_rounds(int rounds, uint64_t) { return 16.0 * rounds; }

/// The tweak of a data unit is one more block to encrypt.
double lookups_with_tweaks(int rounds, uint64_t data_unit_bytes) {
  return 16.0 * rounds * (1 + 1 / (static_cast<double>(data_unit_bytes) / 16));
}

/// A call of the cipher for each byte or bit; of the last round, one column is computed (lane/cfb8_cfb1.hpp).
template <int Calls>
double lookups_of_short_segments(int rounds, uint64_t) {
  return Calls * (16.0 * rounds - 12);
}

/// SP 800-38F section 6.1: six blocks for each semiblock of 8 bytes.
double lookups_of_twelve_blocks(int rounds, uint64_t) { return 12 * 16.0 * rounds; }

/// Counters of 256 neighbouring blocks differ in their last byte. Of round 1, the blocks have all but one
/// look-up in common. Of round 2, only one column of four depends on that byte, and it repeats in each group
/// of 256. What the upper bytes need is 5 look-ups for the 4 blocks that a thread has of a group.
constexpr int kCachedRounds = 2;
double lookups_with_cached_counters(int rounds, uint64_t) {
  return 16.0 * (rounds - kCachedRounds) + 5.0 / 4;
}

/// A block of the key stream, and one of the MAC.
double lookups_of_two_blocks(int rounds, uint64_t) { return 2 * 16.0 * rounds; }

/// The look-ups of CTR and one more load, as the plaintext is hashed in a pass of its own. The 16 bytes of a
/// load pass through the data path like 4 look-ups.
double lookups_of_two_passes(int rounds, uint64_t unit) {
  return lookups_with_cached_counters(rounds, unit) + 4;
}

/// The look-ups of two blocks and one more load, as a message is hashed and encrypted in two walks.
double lookups_of_two_walks(int rounds, uint64_t unit) { return lookups_of_two_blocks(rounds, unit) + 4; }

constexpr BenchMode aead_mode(const char* name, Mode mode, double (*lookups)(int, uint64_t)) {
  return {.name = name,
          .mode = mode,
          .authenticates = true,
          .lookups_per_block = lookups,
          .nonce_bytes = kNonceBytes,
          .is_batch = mode == Mode::siv,
          .has_ragged = mode == Mode::gcm,
          .has_key_each = true,
          .shared_rounds = mode == Mode::gcm ? kCachedRounds : 0,
          .has_192_bits = mode != Mode::gcm_siv,
          .has_long_messages = mode != Mode::ccm && mode != Mode::eax && mode != Mode::siv,
          .keys = mode == Mode::siv ? size_t{2} : 1};
}

double no_lookups(int, uint64_t) { return 0; }

/// Nothing is encrypted but a block for each tag.
constexpr BenchMode gmac_mode(const char* name) {
  BenchMode mode = aead_mode(name, Mode::gmac, no_lookups);
  mode.writes_output = false;
  return mode;
}

/// Single messages that use the whole GPU or CPU.
constexpr BenchMode message_mode(const char* name, Mode mode, double (*lookups)(int, uint64_t)) {
  return {.name = name,
          .mode = mode,
          .authenticates = false,
          .lookups_per_block = lookups,
          .nonce_bytes = mode == Mode::ecb ? 0 : kCounterBytes,
          .has_batches = false,
          .whole_blocks = mode == Mode::ecb || mode == Mode::cbc};
}

/// Batches in which each lane of a GPU has a message.
constexpr BenchMode batch_mode(const char* name, Mode mode) {
  const bool has_nonce =
      mode != Mode::ecb && mode != Mode::ecb_pkcs7 && mode != Mode::cmac && mode != Mode::kw;
  return {.name = name,
          .mode = mode,
          .authenticates = mode == Mode::cmac,
          .lookups_per_block = lookups_of_all_rounds,
          .nonce_bytes = has_nonce ? kCounterBytes : 0,
          .is_batch = true,
          .whole_blocks = mode == Mode::ecb || mode == Mode::cbc,
          .writes_output = mode != Mode::cmac,
          .has_ragged = true,
          .has_key_each = true,
          .has_long_messages = false};
}

/// A batch in a mode whose blocks wait for each other.
constexpr BenchMode chained_mode(const char* name, Mode of) {
  BenchMode mode = batch_mode(name, of);
  mode.chains = true;
  return mode;
}

/// The direction of such a mode in which its blocks do not wait.
constexpr BenchMode unchained(BenchMode mode) {
  mode.unchains = true;
  return mode;
}

/// Data units of XTS that follow each other in one message.
constexpr BenchMode xts_mode(const char* name) {
  BenchMode mode = message_mode(name, Mode::xts, lookups_with_tweaks);
  mode.has_data_units = true;
  mode.keys = 2;
  return mode;
}

/// Data units of XTS that do not follow each other, and so have a tweak each.
constexpr BenchMode data_unit_mode(const char* name) {
  BenchMode mode = batch_mode(name, Mode::xts);
  mode.lookups_per_block = lookups_with_tweaks;
  mode.has_ragged = false;  // a data unit has 16 bytes at least
  mode.keys = 2;
  mode.tells_statuses = true;
  return mode;
}

constexpr BenchMode wrap_mode(const char* name) {
  BenchMode mode = batch_mode(name, Mode::kw);
  mode.lookups_per_block = lookups_of_twelve_blocks;
  mode.whole_blocks = true;
  mode.has_ragged = false;
  mode.longer_by = 8;
  mode.tells_statuses = true;
  return mode;
}

/// Whole blocks, to which a block of padding is added.
constexpr BenchMode padding_mode(const char* name, Mode of) {
  BenchMode mode = batch_mode(name, of);
  mode.whole_blocks = true;
  mode.has_ragged = false;
  mode.longer_by = 16;
  mode.tells_statuses = true;
  mode.pads = true;
  return mode;
}

constexpr BenchMode stealing_mode(const char* name, Mode of) {
  BenchMode mode = batch_mode(name, of);
  mode.has_ragged = false;  // a message has 16 bytes at least
  return mode;
}

constexpr BenchMode short_segments_mode(const char* name, Mode of, double (*lookups)(int, uint64_t)) {
  BenchMode mode = batch_mode(name, of);
  mode.lookups_per_block = lookups;
  return mode;
}

constexpr BenchMode ctr_mode(const char* name) {
  BenchMode mode = message_mode(name, Mode::ctr, lookups_with_cached_counters);
  mode.shared_rounds = kCachedRounds;
  return mode;
}

constexpr BenchMode kModes[] = {
    message_mode("ecb", Mode::ecb, lookups_of_all_rounds),
    ctr_mode("ctr"),
    aead_mode("gcm", Mode::gcm, lookups_with_cached_counters),
    gmac_mode("gmac"),
    aead_mode("gcm-siv", Mode::gcm_siv, lookups_of_two_passes),
    aead_mode("ccm", Mode::ccm, lookups_of_two_blocks),
    aead_mode("eax", Mode::eax, lookups_of_two_blocks),
    aead_mode("ocb3", Mode::ocb3, lookups_of_all_rounds),
    aead_mode("siv", Mode::siv, lookups_of_two_walks),
    chained_mode("cbc-encrypt", Mode::cbc),
    chained_mode("cfb-encrypt", Mode::cfb),
    chained_mode("ofb", Mode::ofb),
    chained_mode("cmac", Mode::cmac),
    batch_mode("ecb-batch", Mode::ecb),
    batch_mode("ctr-batch", Mode::ctr),
    unchained(batch_mode("cbc-decrypt-batch", Mode::cbc)),
    unchained(batch_mode("cfb-decrypt-batch", Mode::cfb)),
    data_unit_mode("xts-batch"),
    wrap_mode("kw-batch"),
    padding_mode("ecb-pkcs7-batch", Mode::ecb_pkcs7),
    padding_mode("cbc-pkcs7-batch", Mode::cbc_pkcs7),
    stealing_mode("cbc-cs1-batch", Mode::cbc_cs1),
    stealing_mode("cbc-cs2-batch", Mode::cbc_cs2),
    stealing_mode("cbc-cs3-batch", Mode::cbc_cs3),
    short_segments_mode("cfb8-batch", Mode::cfb8, lookups_of_short_segments<16>),
    short_segments_mode("cfb1-batch", Mode::cfb1, lookups_of_short_segments<128>),
    xts_mode("xts"),
    unchained(message_mode("cbc-decrypt", Mode::cbc, lookups_of_all_rounds)),
    unchained(message_mode("cfb-decrypt", Mode::cfb, lookups_of_all_rounds)),
};

}  // namespace

void BenchMode::run(const warpaes::Cipher& cipher, const Call& call) const {
  if (!call.encrypts()) {
    decrypt_on_host(*this, cipher, call);
  } else if (is_one_message(*this, call)) {
    cipher.encrypt(message_of<Output>(*this, call));
  } else {
    cipher.encrypt_batch(batch_of<Target>(*this, call));
  }
}

void BenchMode::run(const warpaes::Cipher& cipher, const Call& call, Output workspace, Stream stream) const {
  if (!is_one_message(*this, call)) {
    if (call.encrypts()) return cipher.encrypt_batch_device(batch_of<Target>(*this, call), workspace, stream);
    return cipher.decrypt_batch_device(batch_of<Source>(*this, call), workspace, stream);
  }
  if (call.encrypts()) return cipher.encrypt_device(message_of<Output>(*this, call), workspace, stream);
  ReceivedMessage message = message_of<Input>(*this, call);
  message.status = call.statuses;
  cipher.decrypt_device(message, workspace, stream);
}

std::span<const BenchMode> bench_mode_table() { return kModes; }

std::string bench_mode_names() {
  std::string names;
  for (const BenchMode& mode : kModes) names += std::string(names.empty() ? "" : ", ") + mode.name;
  return names;
}

const BenchMode& bench_mode_named(std::string_view name) {
  for (const BenchMode& mode : kModes)
    if (name == mode.name) return mode;
  throw Error(WARPAES_ERROR_OPTION,
              "no mode '" + std::string(name) + "' to measure; there are " + bench_mode_names());
}

}  // namespace warpaes::bench
