#include "lab/reference.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "failure.hpp"
#include "primitives/careful_block.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core::lab {
namespace {

using Output = std::vector<uint8_t>;
using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

void require(bool done, const char* what) {
  if (!done) throw Failure(WARPAES_ERROR_INTERNAL, std::string("OpenSSL refuses ") + what);
}

const EVP_CIPHER* cipher_of(const Variant& variant) {
  const bool ctr = variant.mode == Mode::ctr;
  switch (variant.key_bits) {
    case 128:
      return ctr ? EVP_aes_128_ctr() : EVP_aes_128_ecb();
    case 192:
      return ctr ? EVP_aes_192_ctr() : EVP_aes_192_ecb();
    default:
      return ctr ? EVP_aes_256_ctr() : EVP_aes_256_ecb();
  }
}

Output by_cipher(const Task& task) {
  const Context context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  require(context != nullptr, "a context");
  uint8_t counter[16];
  store_counter(counter, task.counter);
  const int encrypts = task.variant.direction == WARPAES_DIRECTION_ENCRYPT ? 1 : 0;
  require(EVP_CipherInit_ex(context.get(), cipher_of(task.variant), nullptr, task.schedule.key().data(),
                            counter, encrypts) == 1,
          "the key");
  EVP_CIPHER_CTX_set_padding(context.get(), 0);
  Output output(task.bytes);
  constexpr uint64_t kPiece = uint64_t{1} << 28;  // EVP counts in int
  for (uint64_t at = 0; at < task.bytes; at += kPiece) {
    int written = 0;
    const int bytes = static_cast<int>(std::min(kPiece, task.bytes - at));
    require(EVP_CipherUpdate(context.get(), output.data() + at, &written, task.input + at, bytes) == 1 &&
                written == bytes,
            "the data");
  }
  return output;
}

/// The answer of this library, since OpenSSL has no GHASH by itself. The conformance test of GCM compares
/// that with OpenSSL.
Output by_ghash(const Task& task) {
  Output hash(16);
  careful_block(task.schedule.encryption(), task.schedule.rounds(), hash.data(), hash.data());
  Ghash ghash(ghash_key(gf128_from_block(hash.data())));
  ghash.add_padded(task.input, task.bytes);
  gf128_to_block(ghash.sum(), hash.data());
  return hash;
}

/// The key schedules of all whole keys in the input, by this library for the same reason.
Output by_key_schedule(const Task& task) {
  const uint64_t key_bytes = static_cast<uint64_t>(task.variant.key_bits) / 8;
  Output schedules;
  for (uint64_t at = 0; at + key_bytes <= task.bytes; at += key_bytes) {
    const KeySchedule schedule({task.input + at, key_bytes});
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

std::string_view reference_name(Mode mode) {
  return mode == Mode::ecb || mode == Mode::ctr ? "OpenSSL" : "the library";
}

}  // namespace warpaes::core::lab
