#include "lab/reference.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "failure.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core::lab {
namespace {

using Output = std::vector<uint8_t>;
using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

void require(bool done, const char* what) {
  if (!done) throw Failure(WARPAES_ERROR_INTERNAL, std::string("OpenSSL refuses ") + what);
}

using Block = std::array<uint8_t, 16>;

enum class Wanted { ecb, ctr, gcm };

const EVP_CIPHER* cipher_of(int key_bits, Wanted wanted) {
  constexpr const EVP_CIPHER* (*kCiphers[3][3])() = {
      {EVP_aes_128_ecb, EVP_aes_128_ctr, EVP_aes_128_gcm},
      {EVP_aes_192_ecb, EVP_aes_192_ctr, EVP_aes_192_gcm},
      {EVP_aes_256_ecb, EVP_aes_256_ctr, EVP_aes_256_gcm},
  };
  return kCiphers[key_bits / 64 - 2][static_cast<int>(wanted)]();
}

Context make_context() {
  Context context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  require(context != nullptr, "a context");
  return context;
}

/// @param output may be null, if the data is only to be authenticated
void pass(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  constexpr uint64_t kPiece = uint64_t{1} << 28;  // EVP counts in int
  for (uint64_t at = 0; at < bytes; at += kPiece) {
    int written = 0;
    const int piece = static_cast<int>(std::min(kPiece, bytes - at));
    uint8_t* const to = output == nullptr ? nullptr : output + at;
    require(EVP_CipherUpdate(context, to, &written, input + at, piece) == 1 && written == piece, "the data");
  }
}

Output by_cipher(const Task& task) {
  const Context context = make_context();
  uint8_t counter[16];
  store_counter(counter, task.counter);
  const int encrypts = task.variant.direction == WARPAES_DIRECTION_ENCRYPT ? 1 : 0;
  const Wanted wanted = task.variant.mode == Mode::ctr ? Wanted::ctr : Wanted::ecb;
  require(EVP_CipherInit_ex(context.get(), cipher_of(task.variant.key_bits, wanted), nullptr,
                            task.schedule.key().data(), counter, encrypts) == 1,
          "the key");
  EVP_CIPHER_CTX_set_padding(context.get(), 0);
  Output output(task.bytes);
  pass(context.get(), task.input, output.data(), task.bytes);
  return output;
}

Block encrypted(const KeySchedule& schedule, const Block& block) {
  const Context context = make_context();
  require(EVP_EncryptInit_ex(context.get(), cipher_of(schedule.key_bits(), Wanted::ecb), nullptr,
                             schedule.key().data(), nullptr) == 1,
          "the key");
  EVP_CIPHER_CTX_set_padding(context.get(), 0);
  Block result;
  pass(context.get(), block.data(), result.data(), block.size());
  return result;
}

/// A product in GF(2^128) as SP 800-38D 6.3 has it (algorithm 1), bit by bit.
Block product(const Block& x, Block v) {
  Block z{};
  for (int i = 0; i < 128; i++) {
    if ((x[i / 8] >> (7 - i % 8) & 1) != 0) {
      for (int j = 0; j < 16; j++) z[j] ^= v[j];
    }
    const bool falls_out = (v[15] & 1) != 0;
    for (int j = 15; j > 0; j--) v[j] = static_cast<uint8_t>(v[j] >> 1 | v[j - 1] << 7);
    v[0] = static_cast<uint8_t>(v[0] >> 1 ^ (falls_out ? 0xe1 : 0));
  }
  return z;
}

/// GCM's tag, by OpenSSL, of nothing but additional data, with a nonce of zeros.
Block gmac(const KeySchedule& schedule, const uint8_t* data, uint64_t bytes) {
  const Context context = make_context();
  const uint8_t nonce[12] = {};
  require(EVP_EncryptInit_ex(context.get(), cipher_of(schedule.key_bits(), Wanted::gcm), nullptr,
                             schedule.key().data(), nonce) == 1,
          "the key");
  pass(context.get(), data, nullptr, bytes);
  Block tag;
  int written = 0;
  require(EVP_EncryptFinal_ex(context.get(), tag.data(), &written) == 1 &&
              EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, 16, tag.data()) == 1,
          "the tag");
  return tag;
}

/// OpenSSL has no GHASH by itself, but it has GMAC: GHASH of the data and of a block with its length, and to
/// that an encrypted counter is added (SP 800-38D 7.1). So GMAC of all blocks but the last has the block of
/// the length where the last block should be. What takes the place of one by the other is their sum, times H.
Output by_ghash(const Task& task) {
  if (task.bytes == 0) return Output(16);
  const uint64_t before = (task.bytes - 1) / 16 * 16;
  Block difference{};
  std::copy_n(task.input + before, task.bytes - before, difference.begin());
  for (int i = 0; i < 8; i++) difference[i] ^= static_cast<uint8_t>(8 * before >> (56 - 8 * i));
  const Block tag = gmac(task.schedule, task.input, before),
              mask = encrypted(task.schedule, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}),
              last = product(difference, encrypted(task.schedule, {}));
  Output hash(16);
  for (int i = 0; i < 16; i++) hash[i] = tag[i] ^ mask[i] ^ last[i];
  return hash;
}

/// The key schedules of all whole keys in the input. OpenSSL does not show its schedules: these are this
/// library's, and each of them must encrypt a block as OpenSSL does with its key.
Output by_key_schedule(const Task& task) {
  const uint64_t key_bytes = static_cast<uint64_t>(task.variant.key_bits) / 8;
  const ScheduleCheck check(task.variant.key_bits);
  Output schedules;
  schedules.reserve(output_bytes(task.variant, task.bytes));
  for (uint64_t at = 0; at + key_bytes <= task.bytes; at += key_bytes) {
    const KeySchedule schedule({task.input + at, key_bytes});
    require(check.accepts(schedule.key(), schedule.encryption()), "a key schedule of this library");
    for (int i = 0; i < 4 * (schedule.rounds() + 1); i++) {
      uint8_t word[4];
      store_le32(word, schedule.encryption().word[i]);
      schedules.insert(schedules.end(), word, word + 4);
    }
  }
  return schedules;
}

uint64_t as_long(const Variant& /*variant*/, uint64_t input_bytes) { return input_bytes; }
uint64_t a_block(const Variant& /*variant*/, uint64_t /*input_bytes*/) { return 16; }
uint64_t a_schedule_for_each_key(const Variant& variant, uint64_t input_bytes) {
  const auto key_bytes = static_cast<uint64_t>(variant.key_bits) / 8;
  return input_bytes / key_bytes * 16 * (static_cast<uint64_t>(variant.rounds()) + 1);
}

struct ModeRow {
  uint64_t (*output_bytes)(const Variant& variant, uint64_t input_bytes);
  Output (*reference)(const Task& task);
};
constexpr ModeRow kModes[] = {
    // in the order of Mode
    {as_long, by_cipher},
    {as_long, by_cipher},
    {a_block, by_ghash},
    {a_schedule_for_each_key, by_key_schedule},
};
const ModeRow& row_of(Mode mode) { return kModes[static_cast<size_t>(mode)]; }

}  // namespace

uint64_t output_bytes(const Variant& variant, uint64_t input_bytes) {
  return row_of(variant.mode).output_bytes(variant, input_bytes);
}

std::vector<uint8_t> reference_output(const Task& task) { return row_of(task.variant.mode).reference(task); }

std::string_view reference_name(Mode mode) { return mode == Mode::key_expansion ? "the library" : "OpenSSL"; }

struct ScheduleCheck::Cipher {
  Context context;
  const EVP_CIPHER* cipher;
  int rounds;
};

ScheduleCheck::ScheduleCheck(int key_bits)
    : cipher_(new Cipher{make_context(), cipher_of(key_bits, Wanted::ecb), key_bits / 32 + 6}) {}
ScheduleCheck::~ScheduleCheck() = default;

bool ScheduleCheck::accepts(std::span<const uint8_t> key, const RoundKeys& keys) const {
  EVP_CIPHER_CTX* const context = cipher_->context.get();
  require(EVP_EncryptInit_ex(context, cipher_->cipher, nullptr, key.data(), nullptr) == 1, "the key");
  EVP_CIPHER_CTX_set_padding(context, 0);
  const Block block{};
  Block theirs, ours;
  pass(context, block.data(), theirs.data(), block.size());
  t_table_block(kTTableEncryption, keys, cipher_->rounds, block.data(), ours.data());
  return ours == theirs;
}

}  // namespace warpaes::core::lab
