#include "engines/openssl/openssl_xts.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>

#include "engines/openssl/openssl_key.hpp"
#include "failure.hpp"

namespace warpaes::core::openssl {
namespace {

/// Both keys one after the other, as EVP takes them; wiped.
struct KeyPair {
  std::array<uint8_t, 64> bytes;

  explicit KeyPair(const XtsKeys& keys) {
    const auto data = static_cast<const OpensslKey&>(keys.data).contexts.key();
    const auto tweak = static_cast<const OpensslKey&>(keys.tweak).contexts.key();
    std::copy(tweak.begin(), tweak.end(), std::copy(data.begin(), data.end(), bytes.begin()));
  }
  ~KeyPair() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
};

CipherContexts::Handle context_for(const XtsKeys& keys, Direction direction) {
  CipherContexts::Handle context(EVP_CIPHER_CTX_new());
  if (context == nullptr) throw Failure(WARPAES_ERROR_HOST_MEMORY, "OpenSSL: no memory for a cipher context");
  const KeyPair pair(keys);
  require(EVP_CipherInit_ex2(context.get(), xts_cipher(keys.bits), pair.bytes.data(), nullptr,
                             direction == WARPAES_DIRECTION_ENCRYPT ? 1 : 0, nullptr),
          "setting XTS' keys");
  return context;
}

/// One more, of 128 bits, little-endian.
void count_up(std::array<uint8_t, 16>& number) {
  for (uint8_t& byte : number) {
    if (++byte != 0) return;
  }
}

}  // namespace

void run_xts(const XtsKeys& keys, Direction direction, const XtsRun& run, Stream) {
  const CipherContexts::Handle context = context_for(keys, direction);
  std::array<uint8_t, 16> number;
  std::copy_n(run.tweak, 16, number.begin());
  for (uint64_t at = 0; at < run.bytes; at += run.data_unit_bytes, count_up(number)) {
    const int bytes = static_cast<int>(std::min(run.data_unit_bytes, run.bytes - at));
    int written = 0;
    require(EVP_CipherInit_ex2(context.get(), nullptr, nullptr, number.data(), -1, nullptr),
            "setting the tweak");
    require(EVP_CipherUpdate(context.get(), run.output + at, &written, run.input + at, bytes),
            "processing a data unit");
    if (written != bytes) throw Failure(WARPAES_ERROR_INTERNAL, "OpenSSL: an update kept bytes back");
  }
}

}  // namespace warpaes::core::openssl
