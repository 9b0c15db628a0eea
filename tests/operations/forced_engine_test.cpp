// An engine that was forced does all the work: a context that was made for the portable engine calls none of
// OpenSSL's ciphers and MACs. The program's own functions stand before libcrypto's in the dynamic linker,
// count, and call them.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <atomic>

#include "operations/operation.hpp"
#include "pipeline/context.hpp"

namespace {

std::atomic<int> openssl_calls = 0;

template <class Function>
Function* next(const char* name) {
  openssl_calls++;
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define WARPAES_COUNTED extern "C" __attribute__((visibility("default"))) int

WARPAES_COUNTED EVP_CipherInit_ex2(EVP_CIPHER_CTX* context, const EVP_CIPHER* cipher,
                                   const unsigned char* key, const unsigned char* iv, int encrypt,
                                   const OSSL_PARAM parameters[]) {
  return next<decltype(EVP_CipherInit_ex2)>("EVP_CipherInit_ex2")(context, cipher, key, iv, encrypt,
                                                                  parameters);
}
WARPAES_COUNTED EVP_CipherUpdate(EVP_CIPHER_CTX* context, unsigned char* output, int* written,
                                 const unsigned char* input, int bytes) {
  return next<decltype(EVP_CipherUpdate)>("EVP_CipherUpdate")(context, output, written, input, bytes);
}
WARPAES_COUNTED EVP_MAC_init(EVP_MAC_CTX* context, const unsigned char* key, size_t bytes,
                             const OSSL_PARAM parameters[]) {
  return next<decltype(EVP_MAC_init)>("EVP_MAC_init")(context, key, bytes, parameters);
}
WARPAES_COUNTED EVP_MAC_update(EVP_MAC_CTX* context, const unsigned char* data, size_t bytes) {
  return next<decltype(EVP_MAC_update)>("EVP_MAC_update")(context, data, bytes);
}

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

/// All modes of operations, with what their options need.
struct ModeRow {
  warpaes_mode mode;
  size_t iv_bytes, tag_bytes;
};
constexpr ModeRow kRows[] = {
    {WARPAES_MODE_ECB, 0, 0},        {WARPAES_MODE_ECB_PKCS7, 0, 0}, {WARPAES_MODE_CBC, 16, 0},
    {WARPAES_MODE_CBC_PKCS7, 16, 0}, {WARPAES_MODE_CBC_CS1, 16, 0},  {WARPAES_MODE_CBC_CS2, 16, 0},
    {WARPAES_MODE_CBC_CS3, 16, 0},   {WARPAES_MODE_CFB, 16, 0},      {WARPAES_MODE_CFB8, 16, 0},
    {WARPAES_MODE_CFB1, 16, 0},      {WARPAES_MODE_OFB, 16, 0},      {WARPAES_MODE_CTR, 16, 0},
    {WARPAES_MODE_XTS, 16, 0},       {WARPAES_MODE_CMAC, 0, 16},     {WARPAES_MODE_GCM, 12, 16},
    {WARPAES_MODE_GMAC, 12, 16},     {WARPAES_MODE_EAX, 16, 16},     {WARPAES_MODE_OCB3, 12, 16},
};

/// A message in three parts under each mode.
Bytes outputs_of(const char* engine) {
  Context context({.engine = engine, .threads = 2});
  const Key key(context, Bytes(16, 1)), tweak_key(context, Bytes(16, 2));
  const Bytes iv(16, 3), text(480, 4), aad(21, 5);
  Bytes all;
  openssl_calls = 0;  // the self-test, which comes before, compares engines
  for (const ModeRow& row : kRows) {
    OperationOptions options{
        .mode = row.mode, .iv = std::span(iv).first(row.iv_bytes), .tag_bytes = row.tag_bytes};
    if (row.mode == WARPAES_MODE_XTS) options.tweak_key = &tweak_key, options.data_unit_bytes = 48;
    if (row.mode == WARPAES_MODE_GCM || row.mode == WARPAES_MODE_EAX) options.aad = aad;
    Operation operation(key, options);
    uint8_t output[512];
    uint64_t written = 0;
    for (const size_t at : {0, 161, 320}) {
      const size_t end = at == 0 ? 161 : at == 161 ? 320 : 480;
      written += operation.update(text.data() + at, end - at, output + written, sizeof output - written);
    }
    written += operation.finish(output + written, sizeof output - written);
    all.insert(all.end(), output, output + written);
  }
  return all;
}

TEST(ForcedEngine, ThePortableOneUsesNothingOfOpenssl) {
  const Bytes by_openssl = outputs_of("openssl");
  EXPECT_GT(openssl_calls, 100) << "or nothing is counted here";
  for (const char* engine : {"portable/t_tables", "portable/fips197"}) {
    EXPECT_TRUE(outputs_of(engine) == by_openssl) << engine;
    EXPECT_EQ(openssl_calls, 0) << engine;
  }
}

}  // namespace
}  // namespace warpaes::core::testing
