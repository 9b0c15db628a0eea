// Lets key derivation run out of memory, in this library's allocations and in OpenSSL's. Each time the call
// must return HOST_MEMORY, `out` must be zero or untouched, and the next call must work as if nothing had
// happened.
#include <openssl/err.h>
#include <sys/resource.h>

#include "../c_api/handles_for_tests.hpp"
#include "failing_memory.hpp"
#include "failing_openssl.hpp"

namespace warpaes::core::testing {
namespace {

const Bytes kSecret(40, 1), kSalt(16, 2);

warpaes_kdf kdf(warpaes_kdf_algorithm algorithm) {
  auto made = sized<warpaes_kdf>();
  made.algorithm = algorithm;
  made.secret = kSecret.data();
  made.secret_length = kSecret.size();
  made.salt = kSalt.data();
  made.salt_length = kSalt.size();
  return made;
}

warpaes_kdf hkdf() {
  warpaes_kdf made = kdf(WARPAES_KDF_HKDF);
  made.info = "info";
  made.info_length = 4;
  return made;
}

warpaes_kdf pbkdf2() {
  warpaes_kdf made = kdf(WARPAES_KDF_PBKDF2);
  made.hash = WARPAES_HASH_SHA512;
  made.iterations = 10;
  return made;
}

warpaes_kdf scrypt() {
  warpaes_kdf made = kdf(WARPAES_KDF_SCRYPT);
  made.cost = 16;
  made.block_size = made.lanes = 1;
  return made;
}

struct Derivation {
  const char* name;
  warpaes_kdf kdf;

  warpaes_status call(Bytes& out) const { return warpaes_derive_key(&kdf, out.data(), out.size()); }
};

const Derivation kDerivations[] = {{"hkdf", hkdf()}, {"pbkdf2", pbkdf2()}, {"scrypt", scrypt()}};

/// @param fail_at lets the n-th allocation from now on fail; `stop` says whether it did
/// @return how often the call failed
int failures_of(const Derivation& derivation, void (*fail_at)(int64_t), bool (*stop)()) {
  Bytes right(48);
  EXPECT_EQ(derivation.call(right), WARPAES_OK) << warpaes_last_error();
  int failures = 0;
  for (int64_t n = 0;; n++) {
    Bytes out(right.size(), kUntouched);
    fail_at(n);
    const warpaes_status status = derivation.call(out);
    if (!stop()) {
      EXPECT_EQ(status, WARPAES_OK);
      EXPECT_EQ(out, right);
      return failures;
    }
    if (status == WARPAES_OK) continue;  // it can do without
    failures++;
    EXPECT_EQ(status, WARPAES_ERROR_HOST_MEMORY) << "allocation " << n << ": " << warpaes_last_error();
    EXPECT_TRUE(out == Bytes(out.size(), 0) || out == Bytes(out.size(), kUntouched)) << "allocation " << n;
  }
}

TEST(DerivationMemory, OpenSslRunsOut) {
  ASSERT_TRUE(FailingOpenSsl::planted) << "OpenSSL had allocated before";
  for (const Derivation& derivation : kDerivations) {
    SCOPED_TRACE(derivation.name);
    EXPECT_GE(failures_of(derivation, FailingOpenSsl::fail_at, FailingOpenSsl::stop), 1);
  }
}

/// A thread may have an error of OpenSSL's that nobody has taken from its list yet. It says nothing about a
/// derivation that fails, and is still there behind one that does not.
TEST(DerivationMemory, AnErrorFromBeforeIsTheCallers) {
  const auto leave_error_and_fail_at = [](int64_t n) {
    ERR_clear_error();
    ERR_raise(ERR_LIB_X509, ERR_R_PASSED_NULL_PARAMETER);
    FailingOpenSsl::fail_at(n);
  };
  for (const Derivation& derivation : kDerivations) {
    SCOPED_TRACE(derivation.name);
    EXPECT_GE(failures_of(derivation, leave_error_and_fail_at, FailingOpenSsl::stop), 1);
    EXPECT_EQ(ERR_GET_LIB(ERR_get_error()), ERR_LIB_X509);
    EXPECT_EQ(ERR_get_error(), 0u);
  }
}

TEST(DerivationMemory, TheLibraryRunsOut) {
  for (const Derivation& derivation : kDerivations) {
    SCOPED_TRACE(derivation.name);
    failures_of(derivation, FailingMemory::fail_at, FailingMemory::stop);
  }
}

/// libargon2 is opened by the first call that needs it, and here there is no descriptor for that.
TEST(DerivationMemory, Argon2idIsThereOnceAFileCanBeOpened) {
  warpaes_kdf argon2id = kdf(WARPAES_KDF_ARGON2ID);
  argon2id.iterations = argon2id.lanes = 1;
  argon2id.memory_kib = 64;
  const auto status = [&] {
    Bytes out(32);
    return warpaes_derive_key(&argon2id, out.data(), out.size());
  };
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const warpaes_status without = status();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(without, WARPAES_ERROR_UNSUPPORTED);
  if (status() == WARPAES_ERROR_UNSUPPORTED) GTEST_SKIP() << warpaes_last_error();
  EXPECT_EQ(status(), WARPAES_OK) << warpaes_last_error();
}

}  // namespace
}  // namespace warpaes::core::testing
