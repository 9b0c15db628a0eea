// How a program may have set up OpenSSL: what it lacks then is told as what it is, and what one thread has
// set up for itself is not everybody's.
#include <gtest/gtest.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#include <cstring>
#include <memory>
#include <string>

#include "engines/openssl/cipher_contexts.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "engines/self_test.hpp"
#include "failure.hpp"
#include "pipeline/context.hpp"

namespace {

/// Names of ciphers that have this in them are not to be had; null: all are.
const char* hidden = nullptr;

}  // namespace

/// What calls of EVP_CIPHER_fetch become, and what it is itself (ld(1), --wrap).
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" EVP_CIPHER* __real_EVP_CIPHER_fetch(OSSL_LIB_CTX*, const char*, const char*);
extern "C" EVP_CIPHER* __wrap_EVP_CIPHER_fetch(OSSL_LIB_CTX* context, const char* name,
                                               const char* properties);
extern "C" EVP_CIPHER* __wrap_EVP_CIPHER_fetch(OSSL_LIB_CTX* context, const char* name,
                                               const char* properties) {
  if (hidden == nullptr || std::strstr(name, hidden) == nullptr) {
    return __real_EVP_CIPHER_fetch(context, name, properties);
  }
  ERR_raise(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
  return nullptr;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace warpaes::core {
namespace {

/// Ciphers are fetched once for all threads, so they may not come from what one of them may free.
TEST(OpensslSetups, OfOneThreadAreNotThoseOfAll) {
  const std::unique_ptr<OSSL_LIB_CTX, decltype(&OSSL_LIB_CTX_free)> own(OSSL_LIB_CTX_new(),
                                                                        OSSL_LIB_CTX_free);
  OSSL_PROVIDER* const nothing = OSSL_PROVIDER_load(own.get(), "null");
  ASSERT_NE(nothing, nullptr);
  OSSL_LIB_CTX* const before = OSSL_LIB_CTX_set0_default(own.get());
  EXPECT_NE(openssl::fetched(openssl::Cipher::ofb, 192), nullptr);
  const Availability tested = usable(portable_fips197, 0, SelfTestExtent::others);
  EXPECT_TRUE(tested.available) << tested.reason;
  EXPECT_EQ(OSSL_LIB_CTX_set0_default(nullptr), own.get());
  OSSL_LIB_CTX_set0_default(before);
  OSSL_PROVIDER_unload(nothing);
}

/// Providers for FIPS 140 have no OCB. The engine does such modes by its block functions, and passes its
/// test.
TEST(OpensslSetups, MayLackModesThatTheEngineCanDoWithout) {
  for (const char* mode : {"OCB", "CCM"}) {
    hidden = mode;
    EXPECT_EQ(self_test(openssl_evp, 0, SelfTestExtent::others).failure, "") << mode;
    EXPECT_EQ(openssl::fetched(openssl::Cipher::ocb, 192) == nullptr, hidden == std::string("OCB"));
  }
  hidden = nullptr;
}

class WithoutAlgorithms : public ::testing::TestWithParam<const char*> {
 protected:
  WithoutAlgorithms() { EVP_set_default_properties(nullptr, GetParam()); }
  ~WithoutAlgorithms() override { EVP_set_default_properties(nullptr, ""); }
};

/// What the properties of a program hide is no lack of memory, which would pass. No engine can do without
/// SHA-256, by which it is tested.
TEST_P(WithoutAlgorithms, EnginesCannotBeUsedAndSayWhy) {
  const Availability by_openssl = usable(openssl_evp, 0), portable = usable(portable_t_tables, 0);
  EXPECT_FALSE(by_openssl.available);
  EXPECT_TRUE(by_openssl.reason.starts_with("OpenSSL's providers have no AES-")) << by_openssl.reason;
  EXPECT_FALSE(portable.available);
  EXPECT_EQ(portable.reason, "OpenSSL's providers have no SHA256, by which engines are tested");
  try {
    const Context context({});
    ADD_FAILURE() << "a context without engines";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), WARPAES_ERROR_ENGINE_UNAVAILABLE) << failure.what();
  }
  EXPECT_EQ(ERR_peek_error(), 0u) << "nothing stays in the thread's queue";
}

INSTANTIATE_TEST_SUITE_P(Properties, WithoutAlgorithms, ::testing::Values("fips=yes", "provider=another"));

}  // namespace
}  // namespace warpaes::core
