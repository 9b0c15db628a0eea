#include "lab/reference.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>

#include "failure.hpp"

namespace warpaes::lab {
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
  const int encrypts = task.variant.direction == WARPAES_ENCRYPT ? 1 : 0;
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

}  // namespace

uint64_t output_bytes(const Variant& variant, uint64_t input_bytes) {
  if (variant.mode == Mode::ecb || variant.mode == Mode::ctr) return input_bytes;
  throw Failure(WARPAES_ERROR_UNSUPPORTED, "the lab has no such mode");
}

std::vector<uint8_t> reference_output(const Task& task) {
  if (task.variant.mode == Mode::ecb || task.variant.mode == Mode::ctr) return by_cipher(task);
  throw Failure(WARPAES_ERROR_UNSUPPORTED, "the lab has no such mode");
}

}  // namespace warpaes::lab
