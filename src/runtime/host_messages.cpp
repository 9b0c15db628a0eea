// Runs messages and batches on host memory.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "failure.hpp"
#include "modes/cbc_endings.hpp"
#include "modes/mac_chain.hpp"
#include "pipeline/block_mode_forms.hpp"
#include "pipeline/context_state.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {
namespace {

[[noreturn]] void fail(Status status) {
  if (status == WARPAES_ERROR_PADDING) refuse_padding();
  throw Failure(status, "the message is not authentic: wrong key or nonce, or damaged data");
}

bool has_cpu(const Cipher& cipher) { return cipher.context().state().has_cpu(); }

/// For AEAD modes, and modes in which a block waits for the one before it: there is nothing to share between
/// threads.
uint64_t batch_of_one(const Cipher& cipher, const Message& message) {
  int32_t status = WARPAES_ERROR_INTERNAL;
  uint64_t length = 0;
  Batch batch = batch_of(cipher, message);
  batch.statuses = &status;
  batch.output_lengths = &length;
  message_host(cipher.key(), batch, cipher.second_key());
  if (status != WARPAES_OK) fail(status);
  return length;
}

/// The associated strings may be anywhere, so arrays say where they are.
uint64_t siv_message(const Cipher& cipher, const Message& message) {
  int32_t status = WARPAES_ERROR_INTERNAL;
  Batch batch = batch_of(cipher, message);
  batch.statuses = &status;
  std::vector<const uint8_t*> strings;
  std::vector<uint64_t> lengths;
  if (message.strings) {
    for (const warpaes_bytes& string : *message.strings) {
      strings.push_back(static_cast<const uint8_t*>(string.data));
      lengths.push_back(string.length);
    }
    batch.aads = strings.data();
    batch.aad_lengths = lengths.data();
    batch.aad_strings = strings.size();
    batch.aad_bytes = strings.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  }
  (has_cpu(cipher) ? siv_host : batch_host)(cipher.key(), batch, cipher.second_key());
  if (status != WARPAES_OK) fail(status);
  return message.bytes;
}

uint64_t ecb_message(const Cipher& cipher, const Message& message) {
  ecb_host(cipher.key(), message.direction, message.text());
  return message.bytes;
}

uint64_t padded_message(const Cipher& cipher, const Message& message) {
  const bool is_ecb = cipher.mode() == WARPAES_MODE_ECB_PKCS7;
  if (message.encrypts() && !is_ecb) return batch_of_one(cipher, message);
  constexpr std::array<uint8_t, 16> kNoIv{};
  ChainRun run = message.run();
  if (is_ecb) run.iv = kNoIv.data();
  const PaddedBlocks blocks = is_ecb ? PaddedBlocks::ecb : PaddedBlocks::cbc;
  if (!message.encrypts()) return pkcs7_decrypt_host(cipher.key(), blocks, run);
  pkcs7_encrypt_host(cipher.key(), blocks, run);
  return cipher.row().encrypt.output(message.bytes);
}

/// Encryption chains from block to block. Decryption is shared between threads, or goes to the GPU.
uint64_t chained_message(const Cipher& cipher, const Message& message) {
  if (message.encrypts()) return batch_of_one(cipher, message);
  chain_host(cipher.key(), cipher.mode(), message.direction, message.run());
  return message.bytes;
}

/// CFB with segments of 8 bits or of 1 bit, whose decryption only CPU engines share between threads.
uint64_t short_segments_message(const Cipher& cipher, const Message& message) {
  return has_cpu(cipher) ? chained_message(cipher, message) : batch_of_one(cipher, message);
}

template <Stealing kVariant>
uint64_t stealing_message(const Cipher& cipher, const Message& message) {
  if (message.encrypts()) return batch_of_one(cipher, message);
  cbc_cts_host(cipher.key(), message.direction, kVariant, message.run());
  return message.bytes;
}

uint64_t cfb1_message(const Cipher& cipher, const Message& message) {
  if (message.unused_bits == 0 || !has_cpu(cipher)) return short_segments_message(cipher, message);
  if (message.bytes > UINT64_MAX / 8) throw Failure(WARPAES_ERROR_LENGTH, "CFB1: more bits than 2^64");
  cfb1_bits_host(cipher.key(), message.direction,
                 {message.nonce, message.input, message.output, 8 * message.bytes - message.unused_bits});
  return message.bytes;
}

uint64_t ctr_message(const Cipher& cipher, const Message& message) {
  ctr_host(cipher.key(), message.counted());
  return message.bytes;
}

uint64_t xts_message(const Cipher& cipher, const Message& message) {
  if (message.bytes == 0) return 0;
  xts_host(cipher.key(), *cipher.second_key(), message.direction, message.units());
  return message.bytes;
}

struct MessageForm {
  warpaes_mode mode;
  uint64_t (*run)(const Cipher& cipher, const Message& message);
};

/// The modes in which a long message is shared between threads, or has more than a batch can describe. All
/// others use batch_of_one().
constexpr MessageForm kForms[] = {
    {WARPAES_MODE_SIV, siv_message},
    {WARPAES_MODE_ECB, ecb_message},
    {WARPAES_MODE_ECB_PKCS7, padded_message},
    {WARPAES_MODE_CBC, chained_message},
    {WARPAES_MODE_CBC_PKCS7, padded_message},
    {WARPAES_MODE_CBC_CS1, stealing_message<Stealing::cs1>},
    {WARPAES_MODE_CBC_CS2, stealing_message<Stealing::cs2>},
    {WARPAES_MODE_CBC_CS3, stealing_message<Stealing::cs3>},
    {WARPAES_MODE_CFB, chained_message},
    {WARPAES_MODE_CFB8, short_segments_message},
    {WARPAES_MODE_CFB1, cfb1_message},
    {WARPAES_MODE_CTR, ctr_message},
    {WARPAES_MODE_XTS, xts_message},
};

/// The form of each mode, by its number.
constexpr auto kFormOfMode = [] {
  std::array<decltype(MessageForm::run), WARPAES_MODE_KWP + 1> forms{};
  forms.fill(batch_of_one);
  for (const MessageForm& form : kForms) forms[form.mode] = form.run;
  return forms;
}();

}  // namespace

void as_engines_know(Batch& batch) {
  if (batch.mode != WARPAES_MODE_GMAC) return;
  batch.mode = WARPAES_MODE_GCM;
  batch.aad = std::exchange(batch.input, nullptr);
  batch.aad_bytes = std::exchange(batch.bytes, 0);
  batch.aad_stride = std::exchange(batch.input_stride, 0);
  batch.aads = std::exchange(batch.inputs, nullptr);
  batch.aad_lengths = std::exchange(batch.lengths, nullptr);
  batch.output_stride = 0;
}

Batch batch_of(const Cipher& cipher, const Message& message) {
  Batch batch{};
  batch.mode = cipher.mode();
  batch.direction = message.direction;
  batch.messages = 1;
  if (cipher.row().is_aead && cipher.mode() != WARPAES_MODE_SIV) {
    batch.host_nonce = message.nonce;
    batch.host_nonce_bytes = message.nonce_bytes;
  } else {
    batch.nonces = message.nonce;
  }
  batch.nonce_bytes = message.nonce_bytes;
  batch.tags = message.tag;
  batch.tag_bytes = message.tag_bytes;
  batch.input = message.input;
  batch.output = message.output;
  batch.bytes = message.bytes;
  batch.unused_bits = message.unused_bits;
  batch.aad = message.aad;
  batch.aad_bytes = message.aad_bytes;
  as_engines_know(batch);
  return batch;
}

uint64_t run_message_on_host(const Cipher& cipher, const Message& message) {
  return kFormOfMode[cipher.mode()](cipher, message);
}

void run_batch_on_host(const Cipher& cipher, const KeyArray* keys, const Batch& batch) {
  if (keys != nullptr) return batch_key_each_host(cipher.context(), *keys, batch);
  batch_host(cipher.key(), batch, cipher.second_key());
}

}  // namespace warpaes::core
