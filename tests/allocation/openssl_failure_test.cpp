// What OpenSSL says of a call that fails reaches the caller: a lack of memory, which passes, as that, and
// everything else as what it is.
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/proverr.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include <array>

#include "engines/openssl/openssl_engine.hpp"
#include "failure.hpp"

namespace {

/// The error of the next calls of EVP_CipherUpdate(), which then fail: a library of OpenSSL's and a reason.
struct Planted {
  int library = 0, reason = 0;
} planted;

}  // namespace

/// What calls of EVP_CipherUpdate become, and what it is itself (ld(1), --wrap).
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" int __real_EVP_CipherUpdate(EVP_CIPHER_CTX*, unsigned char*, int*, const unsigned char*, int);
extern "C" int __wrap_EVP_CipherUpdate(EVP_CIPHER_CTX* context, unsigned char* output, int* written,
                                       const unsigned char* input, int bytes);
extern "C" int __wrap_EVP_CipherUpdate(EVP_CIPHER_CTX* context, unsigned char* output, int* written,
                                       const unsigned char* input, int bytes) {
  if (planted.reason == 0) return __real_EVP_CipherUpdate(context, output, written, input, bytes);
  ERR_raise(planted.library, planted.reason);
  return 0;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace warpaes::core {
namespace {

/// What a message of a mode with tags says if EVP_CipherUpdate() fails so.
Failure failure_of(warpaes_mode mode, Planted error) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler ocb3_keeps_its_context;
#endif
  const auto key = openssl_evp.prepare(KeySchedule(std::array<uint8_t, 16>{}), 0);
  std::array<uint8_t, 40> text{};
  std::array<uint8_t, 16> tag{};
  std::array<uint8_t, 12> nonce{};
  int32_t status = -1;
  const Batch batch{.mode = mode,
                    .messages = 1,
                    .bytes = text.size(),
                    .input = text.data(),
                    .output = text.data(),
                    .host_nonce = nonce.data(),
                    .host_nonce_bytes = nonce.size(),
                    .tags = tag.data(),
                    .tag_bytes = tag.size(),
                    .statuses = &status};
  planted = error;
  try {
    openssl_evp.modes[mode].run({.prepared = *key, .bits = 128}, batch, nullptr, nullptr);
  } catch (const Failure& failure) {
    planted = {};
    return failure;
  }
  planted = {};
  return {WARPAES_OK, "nothing failed"};
}

TEST(OpensslFailures, AreToldAsWhatTheyAre) {
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_CCM, WARPAES_MODE_OCB3}) {
    SCOPED_TRACE(mode);
    const Failure failure = failure_of(mode, {ERR_LIB_EVP, EVP_R_NO_CIPHER_SET});
    EXPECT_EQ(failure.status(), WARPAES_ERROR_INTERNAL);
    EXPECT_NE(std::string(failure.what()).find("no cipher set"), std::string::npos) << failure.what();
    EXPECT_EQ(failure_of(mode, {ERR_LIB_CRYPTO, ERR_R_MALLOC_FAILURE}).status(), WARPAES_ERROR_HOST_MEMORY);
    EXPECT_EQ(ERR_peek_error(), 0u) << "nothing stays in the thread's queue";
  }
}

/// A program may leave errors of its own in its thread's queue. Taken for a lack of memory, one would have
/// callers try again what cannot succeed.
TEST(OpensslFailures, AreNotThoseOfWhatTheProgramDidBefore) {
  constexpr Planted kMemory = {ERR_LIB_CRYPTO, ERR_R_MALLOC_FAILURE},
                    kCipher = {ERR_LIB_EVP, EVP_R_NO_CIPHER_SET};
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_CCM, WARPAES_MODE_OCB3}) {
    SCOPED_TRACE(mode);
    ERR_raise(kMemory.library, kMemory.reason);
    EXPECT_EQ(failure_of(mode, kCipher).status(), WARPAES_ERROR_INTERNAL);
    ERR_raise(kCipher.library, kCipher.reason);
    EXPECT_EQ(failure_of(mode, kMemory).status(), WARPAES_ERROR_HOST_MEMORY);
  }
}

/// OpenSSL 3.0 says no more of OCB3's memory than that the operation failed.
TEST(OpensslFailures, OfOcb3sOffsetsAreALackOfMemory) {
  const Failure failure = failure_of(WARPAES_MODE_OCB3, {ERR_LIB_PROV, PROV_R_CIPHER_OPERATION_FAILED});
  EXPECT_EQ(failure.status(), WARPAES_ERROR_HOST_MEMORY);
  EXPECT_STREQ(failure.what(), "OpenSSL: no memory for OCB3's offsets");
}

}  // namespace
}  // namespace warpaes::core
