// Random bytes and key derivation against RFC 5869, 6070, 7914 and 9106, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "primitives/hex.hpp"
#include "vector_file.hpp"
#include "warpaes/warpaes.hpp"

namespace warpaes::testing {
namespace {

using conformance::Bytes;
using conformance::VectorRecord;

std::vector<VectorRecord> records(const char* file, size_t expected) {
  const char* const folder = std::getenv("WARPAES_VECTORS");
  if (folder == nullptr) throw std::runtime_error("$WARPAES_VECTORS is not set");
  std::vector<VectorRecord> found =
      conformance::read_vector_file(std::filesystem::path(folder) / "KDF" / file);
  EXPECT_EQ(found.size(), expected) << file;
  return found;
}

Bytes optional_bytes(const VectorRecord& record, const char* name) {
  return record.fields.contains(name) ? record.bytes(name) : Bytes{};
}

Bytes text(const VectorRecord& record, const char* name) {
  const std::string& value = record.fields.at(name);
  return {value.begin(), value.end()};
}

uint32_t number(const VectorRecord& record, const char* name) {
  return static_cast<uint32_t>(std::stoul(record.fields.at(name)));
}

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Derivation, HkdfOfRfc5869) {
  std::vector<VectorRecord> all = records("rfc-5869-HKDF-SHA256.txt", 3);
  for (VectorRecord& record : records("hkdf-generated.txt", 1)) all.push_back(std::move(record));
  for (const VectorRecord& record : all) {
    const Bytes key = record.bytes("IKM"), salt = record.bytes("SALT"), info = record.bytes("INFO");
    Bytes out(number(record, "L"));
    ASSERT_EQ(warpaes_hkdf(WARPAES_SHA256, key.data(), key.size(), salt.data(), salt.size(), info.data(),
                           info.size(), out.data(), out.size()),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(out, record.bytes("OKM"));
  }
}

/// Made with Python's hmac, one step of RFC 5869 after the other.
TEST(Derivation, HkdfWithTheLongerHashes) {
  struct Row {
    warpaes_hash hash;
    const char* expected;
  };
  constexpr Row kRows[] = {
      {WARPAES_SHA384,
       "664ee88f1a7f64a837c7727c031f18bac89c6cc3bf48a35f0b981f6e6af611e3b4965eb1292f6893384c"},
      {WARPAES_SHA512,
       "f68aca3a3afd2c6f291f1e9c481054553ce84a2353df2b62c2b90eafbe9ba2737b1745149c8cd4a1deee"},
  };
  for (const Row& row : kRows) {
    const Bytes key(22, 0x0b), salt = bytes_of("salt"), info = bytes_of("info");
    Bytes out(42);
    ASSERT_EQ(warpaes_hkdf(row.hash, key.data(), key.size(), salt.data(), salt.size(), info.data(),
                           info.size(), out.data(), out.size()),
              WARPAES_OK);
    EXPECT_EQ(out, bytes_of_hex(row.expected));
  }
}

TEST(Derivation, Pbkdf2OfRfc6070) {
  for (const VectorRecord& record : records("rfc-6070-PBKDF2-SHA1.txt", 6)) {
    if (number(record, "ITERATIONS") > 100'000) continue;  // takes seconds, and a minute under sanitizers
    Bytes passphrase = text(record, "PASSWORD"), salt = text(record, "SALT");
    // The file writes the zero byte of RFC 6070's last case as \0.
    for (Bytes* bytes : {&passphrase, &salt}) {
      const auto escape = std::search(bytes->begin(), bytes->end(), "\\0", "\\0" + 2);
      if (escape != bytes->end()) *bytes->erase(escape) = 0;
    }
    Bytes out(number(record, "LENGTH"));
    ASSERT_EQ(warpaes_pbkdf2(WARPAES_SHA1, passphrase.data(), passphrase.size(), salt.data(), salt.size(),
                             number(record, "ITERATIONS"), out.data(), out.size()),
              WARPAES_OK);
    EXPECT_EQ(out, record.bytes("DERIVED_KEY"));
  }
}

/// RFC 7914 section 11.
TEST(Derivation, Pbkdf2OfRfc7914) {
  const Bytes passphrase = bytes_of("passwd"), salt = bytes_of("salt");
  Bytes out(64);
  ASSERT_EQ(warpaes_pbkdf2(WARPAES_SHA256, passphrase.data(), passphrase.size(), salt.data(), salt.size(), 1,
                           out.data(), out.size()),
            WARPAES_OK);
  EXPECT_EQ(out, bytes_of_hex("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                              "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"));
}

TEST(Derivation, ScryptOfRfc7914) {
  for (const VectorRecord& record : records("scrypt.txt", 4)) {
    const uint32_t n = number(record, "N");
    if (n > 100'000) continue;  // 1 GiB and seconds
    const Bytes passphrase = text(record, "PASSWORD"), salt = text(record, "SALT");
    Bytes out(number(record, "LENGTH"));
    ASSERT_EQ(warpaes_scrypt(passphrase.data(), passphrase.size(), salt.data(), salt.size(), n,
                             number(record, "R"), number(record, "P"), out.data(), out.size()),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(out, record.bytes("DERIVED_KEY"));
  }
}

TEST(Derivation, Argon2idOfRfc9106) {
  for (const VectorRecord& record : records("argon2id.txt", 6)) {
    const Bytes passphrase = optional_bytes(record, "PASS"), salt = record.bytes("SALT"),
                secret = optional_bytes(record, "SECRET"), data = optional_bytes(record, "AD");
    warpaes_argon2id_options costs = {};
    costs.size = sizeof costs;
    costs.iterations = number(record, "ITER");
    costs.memory_kib = number(record, "MEMCOST");
    costs.lanes = number(record, "LANES");
    costs.secret = secret.data();
    costs.secret_bytes = secret.size();
    costs.associated_data = data.data();
    costs.associated_data_bytes = data.size();
    Bytes out(number(record, "LENGTH"));
    const warpaes_status status = warpaes_argon2id(passphrase.data(), passphrase.size(), salt.data(),
                                                   salt.size(), &costs, out.data(), out.size());
    if (status == WARPAES_ERROR_UNSUPPORTED) GTEST_SKIP() << warpaes_last_error();
    ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(out, record.bytes("OUTPUT"));
  }
}

TEST(Derivation, TheCplusplusFaceDoesTheSame) {
  const Bytes secret(16, 1), salt(16, 2);
  Bytes expected(32), out(32);
  ASSERT_EQ(warpaes_hkdf(WARPAES_SHA512, secret.data(), 16, salt.data(), 16, nullptr, 0, expected.data(), 32),
            WARPAES_OK);
  v0::hkdf(WARPAES_SHA512, secret, salt, {}, out);
  EXPECT_EQ(out, expected);
  ASSERT_EQ(warpaes_pbkdf2(WARPAES_SHA256, secret.data(), 16, salt.data(), 16, 3, expected.data(), 32),
            WARPAES_OK);
  v0::pbkdf2(WARPAES_SHA256, secret, salt, 3, out);
  EXPECT_EQ(out, expected);
  ASSERT_EQ(warpaes_scrypt(secret.data(), 16, salt.data(), 16, 16, 8, 2, expected.data(), 32), WARPAES_OK);
  v0::scrypt(secret, salt, {.n = 16, .r = 8, .p = 2}, out);
  EXPECT_EQ(out, expected);
  v0::random(out);
  EXPECT_NE(out, expected);
  EXPECT_THROW(v0::pbkdf2(WARPAES_SHA256, secret, salt, 0, out), Error);
}

TEST(Derivation, RandomBytesDiffer) {
  Bytes one(64), other(64);
  ASSERT_EQ(warpaes_random(one.data(), one.size()), WARPAES_OK);
  ASSERT_EQ(warpaes_random(other.data(), other.size()), WARPAES_OK);
  EXPECT_NE(one, other);
  EXPECT_EQ(warpaes_random(nullptr, 0), WARPAES_OK);
  EXPECT_EQ(warpaes_random(nullptr, 1), WARPAES_ERROR_NULL_POINTER);
}

constexpr uint8_t kUntouched = 0x5a;

/// The arguments of all functions, right until a row spoils them.
struct Call {
  Bytes memory = Bytes(256, kUntouched), salt = Bytes(16, 1), passphrase = Bytes(8, 2);
  warpaes_hash hash = WARPAES_SHA256;
  const void* secret = passphrase.data();
  size_t secret_bytes = passphrase.size();
  size_t salt_bytes = salt.size(), info_bytes = 0;
  uint32_t iterations = 1;
  uint64_t n = 16;
  uint32_t r = 1, p = 1;
  warpaes_argon2id_options costs = {};
  void* out = memory.data();
  size_t out_bytes = 32;

  Call() {
    costs.size = sizeof costs;
    costs.iterations = costs.lanes = 1;
    costs.memory_kib = 8;
  }

  warpaes_status hkdf() {
    const Bytes info(2000);
    return warpaes_hkdf(hash, secret, secret_bytes, salt.data(), salt_bytes, info.data(), info_bytes, out,
                        out_bytes);
  }
  warpaes_status pbkdf2() {
    return warpaes_pbkdf2(hash, secret, secret_bytes, salt.data(), salt_bytes, iterations, out, out_bytes);
  }
  warpaes_status scrypt() {
    return warpaes_scrypt(secret, secret_bytes, salt.data(), salt_bytes, n, r, p, out, out_bytes);
  }
  warpaes_status argon2id() {
    return warpaes_argon2id(secret, secret_bytes, salt.data(), salt_bytes, &costs, out, out_bytes);
  }
};

using Function = warpaes_status (Call::*)();

struct Misuse {
  const char* what;
  Function function;
  void (*spoil)(Call&);
  warpaes_status expected;
};

constexpr Function kHkdf = &Call::hkdf, kPbkdf2 = &Call::pbkdf2, kScrypt = &Call::scrypt,
                   kArgon2id = &Call::argon2id;

constexpr Misuse kMisuse[] = {
    {"no output", kHkdf, [](Call& c) { c.out_bytes = 0; }, WARPAES_ERROR_LENGTH},
    {"more than 255 hashes", kHkdf, [](Call& c) { c.out_bytes = 255 * 32 + 1; }, WARPAES_ERROR_LENGTH},
    {"HKDF with SHA-1", kHkdf, [](Call& c) { c.hash = WARPAES_SHA1; }, WARPAES_ERROR_OPTION},
    {"no hash", kHkdf, [](Call& c) { c.hash = static_cast<warpaes_hash>(7); }, WARPAES_ERROR_OPTION},
    {"no key", kHkdf, [](Call& c) { c.secret_bytes = 0; }, WARPAES_ERROR_LENGTH},
    {"long info", kHkdf, [](Call& c) { c.info_bytes = 1025; }, WARPAES_ERROR_LENGTH},
    {"a null key", kHkdf, [](Call& c) { c.secret = nullptr; }, WARPAES_ERROR_NULL_POINTER},
    {"a null output", kHkdf, [](Call& c) { c.out = nullptr; }, WARPAES_ERROR_NULL_POINTER},
    {"over its key", kHkdf, [](Call& c) { c.secret = c.memory.data() + 31; }, WARPAES_ERROR_OVERLAP},

    {"no iterations", kPbkdf2, [](Call& c) { c.iterations = 0; }, WARPAES_ERROR_OPTION},
    {"too many", kPbkdf2, [](Call& c) { c.iterations = 1u << 31; }, WARPAES_ERROR_OPTION},
    {"no output", kPbkdf2, [](Call& c) { c.out_bytes = 0; }, WARPAES_ERROR_LENGTH},
    {"long output", kPbkdf2, [](Call& c) { c.out_bytes = (1u << 30) + 1; }, WARPAES_ERROR_LENGTH},
    {"no hash", kPbkdf2, [](Call& c) { c.hash = static_cast<warpaes_hash>(0); }, WARPAES_ERROR_OPTION},
    {"a null passphrase", kPbkdf2, [](Call& c) { c.secret = nullptr; }, WARPAES_ERROR_NULL_POINTER},
    {"over its passphrase", kPbkdf2, [](Call& c) { c.secret = c.out; }, WARPAES_ERROR_OVERLAP},

    {"n = 0", kScrypt, [](Call& c) { c.n = 0; }, WARPAES_ERROR_OPTION},
    {"n = 1", kScrypt, [](Call& c) { c.n = 1; }, WARPAES_ERROR_OPTION},
    {"n no power of 2", kScrypt, [](Call& c) { c.n = 24; }, WARPAES_ERROR_OPTION},
    {"n = 2^(16 r)", kScrypt, [](Call& c) { c.n = 1 << 16; }, WARPAES_ERROR_OPTION},
    {"r = 0", kScrypt, [](Call& c) { c.r = 0; }, WARPAES_ERROR_OPTION},
    {"p = 0", kScrypt, [](Call& c) { c.p = 0; }, WARPAES_ERROR_OPTION},
    {"r * p = 2^30", kScrypt, [](Call& c) { c.r = c.p = 1 << 15; }, WARPAES_ERROR_OPTION},
    {"32 GiB", kScrypt, [](Call& c) { c.n = 1 << 25, c.r = 8; }, WARPAES_ERROR_OPTION},
    {"n = 2^63", kScrypt, [](Call& c) { c.n = uint64_t{1} << 63, c.r = 1 << 20; }, WARPAES_ERROR_OPTION},
    {"16 GiB for p", kScrypt, [](Call& c) { c.p = 1 << 27; }, WARPAES_ERROR_OPTION},
    {"no output", kScrypt, [](Call& c) { c.out_bytes = 0; }, WARPAES_ERROR_LENGTH},

    {"a short salt", kArgon2id, [](Call& c) { c.salt_bytes = 7; }, WARPAES_ERROR_LENGTH},
    {"3 bytes", kArgon2id, [](Call& c) { c.out_bytes = 3; }, WARPAES_ERROR_LENGTH},
    {"7 KiB", kArgon2id, [](Call& c) { c.costs.memory_kib = 7; }, WARPAES_ERROR_OPTION},
    {"16 KiB for 3 lanes", kArgon2id, [](Call& c) { c.costs.memory_kib = 16, c.costs.lanes = 3; },
     WARPAES_ERROR_OPTION},
    {"over 16 GiB", kArgon2id, [](Call& c) { c.costs.memory_kib = (1 << 24) + 1; }, WARPAES_ERROR_OPTION},
    {"2^24 lanes", kArgon2id, [](Call& c) { c.costs.lanes = 1 << 24; }, WARPAES_ERROR_OPTION},
    {"another size", kArgon2id, [](Call& c) { c.costs.size--; }, WARPAES_ERROR_OPTION},
    {"reserved", kArgon2id, [](Call& c) { c.costs.reserved[7] = 1; }, WARPAES_ERROR_OPTION},
    {"reserved0", kArgon2id, [](Call& c) { c.costs.reserved0 = 1; }, WARPAES_ERROR_OPTION},
    {"a null pepper", kArgon2id, [](Call& c) { c.costs.secret_bytes = 1; }, WARPAES_ERROR_NULL_POINTER},
    {"over its passphrase", kArgon2id, [](Call& c) { c.secret = c.out; }, WARPAES_ERROR_OVERLAP},
};

TEST(Derivation, MisuseIsRefusedAndNothingWritten) {
  for (const Function function : {kHkdf, kPbkdf2, kScrypt, kArgon2id}) {
    Call right;
    const warpaes_status status = (right.*function)();
    if (status == WARPAES_ERROR_UNSUPPORTED) continue;
    EXPECT_EQ(status, WARPAES_OK) << "unspoilt: " << warpaes_last_error();
    EXPECT_NE(right.memory, Bytes(256, kUntouched));
  }
  for (const Misuse& row : kMisuse) {
    Call call;
    row.spoil(call);
    EXPECT_EQ((call.*row.function)(), row.expected) << row.what << ": " << warpaes_last_error();
    EXPECT_EQ(call.memory, Bytes(256, kUntouched)) << row.what;
  }
}

}  // namespace
}  // namespace warpaes::testing
