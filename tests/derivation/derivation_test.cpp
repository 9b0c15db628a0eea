// Random bytes, key derivation with the examples of RFC 5869, 6070, 7914 and 9106, and what is refused.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "primitives/hex.hpp"
#include "vector_file.hpp"
#include "warpaes/warpaes.h"

namespace warpaes::core::testing {
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

/// A derivation with the members that all algorithms have. The memory must outlive it.
warpaes_kdf kdf_of(warpaes_kdf_algorithm algorithm, const Bytes& secret, const Bytes& salt) {
  warpaes_kdf kdf = {};
  kdf.size = sizeof kdf;
  kdf.algorithm = algorithm;
  kdf.secret = secret.data();
  kdf.secret_length = secret.size();
  kdf.salt = salt.data();
  kdf.salt_length = salt.size();
  return kdf;
}

void expect_derived(const warpaes_kdf& kdf, const Bytes& expected) {
  Bytes out(expected.size());
  ASSERT_EQ(warpaes_derive_key(&kdf, out.data(), out.size()), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(out, expected);
}

TEST(Derivation, HkdfOfRfc5869) {
  std::vector<VectorRecord> all = records("rfc-5869-HKDF-SHA256.txt", 3);
  for (VectorRecord& record : records("hkdf-generated.txt", 1)) all.push_back(std::move(record));
  for (const VectorRecord& record : all) {
    const Bytes key = record.bytes("IKM"), salt = record.bytes("SALT"), info = record.bytes("INFO");
    ASSERT_EQ(record.bytes("OKM").size(), number(record, "L"));
    warpaes_kdf kdf = kdf_of(WARPAES_KDF_HKDF, key, salt);
    kdf.info = info.data();
    kdf.info_length = info.size();
    expect_derived(kdf, record.bytes("OKM"));  // with the hash that is taken where none is named
    kdf.hash = WARPAES_HASH_SHA256;
    expect_derived(kdf, record.bytes("OKM"));
  }
}

/// Made with Python's hmac, one step of RFC 5869 after the other.
TEST(Derivation, HkdfWithTheLongerHashes) {
  struct Row {
    warpaes_hash hash;
    const char* expected;
  };
  constexpr Row kRows[] = {
      {WARPAES_HASH_SHA384,
       "664ee88f1a7f64a837c7727c031f18bac89c6cc3bf48a35f0b981f6e6af611e3b4965eb1292f6893384c"},
      {WARPAES_HASH_SHA512,
       "f68aca3a3afd2c6f291f1e9c481054553ce84a2353df2b62c2b90eafbe9ba2737b1745149c8cd4a1deee"},
  };
  for (const Row& row : kRows) {
    const Bytes key(22, 0x0b), salt = bytes_of("salt"), info = bytes_of("info");
    warpaes_kdf kdf = kdf_of(WARPAES_KDF_HKDF, key, salt);
    kdf.hash = row.hash;
    kdf.info = info.data();
    kdf.info_length = info.size();
    expect_derived(kdf, bytes_of_hex(row.expected));
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
    warpaes_kdf kdf = kdf_of(WARPAES_KDF_PBKDF2, passphrase, salt);
    kdf.hash = WARPAES_HASH_SHA1;
    kdf.iterations = number(record, "ITERATIONS");
    ASSERT_EQ(record.bytes("DERIVED_KEY").size(), number(record, "LENGTH"));
    expect_derived(kdf, record.bytes("DERIVED_KEY"));
  }
}

/// RFC 7914 section 11.
TEST(Derivation, Pbkdf2OfRfc7914) {
  const Bytes passphrase = bytes_of("passwd"), salt = bytes_of("salt");
  warpaes_kdf kdf = kdf_of(WARPAES_KDF_PBKDF2, passphrase, salt);
  kdf.hash = WARPAES_HASH_SHA256;
  kdf.iterations = 1;
  expect_derived(kdf, bytes_of_hex("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                                   "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"));
}

TEST(Derivation, ScryptOfRfc7914) {
  for (const VectorRecord& record : records("scrypt.txt", 4)) {
    const uint32_t n = number(record, "N");
    if (n > 100'000) continue;  // 1 GiB and seconds
    const Bytes passphrase = text(record, "PASSWORD"), salt = text(record, "SALT");
    warpaes_kdf kdf = kdf_of(WARPAES_KDF_SCRYPT, passphrase, salt);
    kdf.cost = n;
    kdf.block_size = number(record, "R");
    kdf.lanes = number(record, "P");
    ASSERT_EQ(record.bytes("DERIVED_KEY").size(), number(record, "LENGTH"));
    expect_derived(kdf, record.bytes("DERIVED_KEY"));
  }
}

/// Is there a libargon2 on this machine? Without one, the algorithm is refused whatever its costs are.
bool has_argon2() {
  const Bytes passphrase(8, 2), salt(16, 1);
  warpaes_kdf kdf = kdf_of(WARPAES_KDF_ARGON2ID, passphrase, salt);
  kdf.iterations = kdf.lanes = 1;
  kdf.memory_kib = 8;
  Bytes out(32);
  return warpaes_derive_key(&kdf, out.data(), out.size()) != WARPAES_ERROR_UNSUPPORTED;
}

TEST(Derivation, Argon2idOfRfc9106) {
  if (!has_argon2()) GTEST_SKIP() << warpaes_last_error();
  for (const VectorRecord& record : records("argon2id.txt", 6)) {
    const Bytes passphrase = optional_bytes(record, "PASS"), salt = record.bytes("SALT"),
                pepper = optional_bytes(record, "SECRET"), data = optional_bytes(record, "AD");
    warpaes_kdf kdf = kdf_of(WARPAES_KDF_ARGON2ID, passphrase, salt);
    kdf.iterations = number(record, "ITER");
    kdf.memory_kib = number(record, "MEMCOST");
    kdf.lanes = number(record, "LANES");
    kdf.pepper = pepper.data();
    kdf.pepper_length = pepper.size();
    kdf.info = data.data();
    kdf.info_length = data.size();
    ASSERT_EQ(record.bytes("OUTPUT").size(), number(record, "LENGTH"));
    expect_derived(kdf, record.bytes("OUTPUT"));
  }
}

/// Zeros are the costs of RFC 9106's second recommended option.
TEST(Derivation, Argon2idHasDefaults) {
  if (!has_argon2()) GTEST_SKIP() << warpaes_last_error();
  const Bytes passphrase(8, 2), salt(16, 1);
  warpaes_kdf kdf = kdf_of(WARPAES_KDF_ARGON2ID, passphrase, salt);
  Bytes by_default(32);
  ASSERT_EQ(warpaes_derive_key(&kdf, by_default.data(), 32), WARPAES_OK) << warpaes_last_error();
  kdf.iterations = 3;
  kdf.memory_kib = 65'536;
  kdf.lanes = 4;
  expect_derived(kdf, by_default);
}

/// While it lives nobody gets a thread, whose stack would be larger than the address space.
class NoThreads {
 public:
  NoThreads() {
    EXPECT_EQ(pthread_getattr_default_np(&before_), 0);
    pthread_attr_t endless;
    EXPECT_EQ(pthread_attr_init(&endless), 0);
    EXPECT_EQ(pthread_attr_setstacksize(&endless, size_t{1} << 60), 0);
    EXPECT_EQ(pthread_setattr_default_np(&endless), 0);
    EXPECT_EQ(pthread_attr_destroy(&endless), 0);
  }
  ~NoThreads() {
    EXPECT_EQ(pthread_setattr_default_np(&before_), 0);
    EXPECT_EQ(pthread_attr_destroy(&before_), 0);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_{};
};

TEST(Derivation, Argon2idNeedsNoThreads) {
  if (!has_argon2()) GTEST_SKIP() << warpaes_last_error();
  const Bytes passphrase(8, 2), salt(16, 1);
  warpaes_kdf kdf = kdf_of(WARPAES_KDF_ARGON2ID, passphrase, salt);
  kdf.iterations = 1;
  kdf.lanes = 16;
  kdf.memory_kib = 8 * kdf.lanes;
  Bytes by_threads(32);
  ASSERT_EQ(warpaes_derive_key(&kdf, by_threads.data(), 32), WARPAES_OK) << warpaes_last_error();
  const NoThreads none;
  pthread_t thread{};
  ASSERT_NE(pthread_create(&thread, nullptr, [](void* nothing) { return nothing; }, nullptr), 0);
  expect_derived(kdf, by_threads);
}

TEST(Derivation, RandomBytesDiffer) {
  Bytes one(64), other(64);
  ASSERT_EQ(warpaes_random(one.data(), one.size()), WARPAES_OK);
  ASSERT_EQ(warpaes_random(other.data(), other.size()), WARPAES_OK);
  EXPECT_NE(one, other);
  EXPECT_EQ(warpaes_random(nullptr, 0), WARPAES_OK);
  EXPECT_EQ(warpaes_random(nullptr, 1), WARPAES_ERROR_NULL_POINTER);
}

// --------------------------------------------------------------------- misuse

constexpr uint8_t kUntouched = 0x5a;

/// A derivation that is right until a row spoils it.
struct Call {
  Bytes memory = Bytes(256, kUntouched), salt = Bytes(16, 1), passphrase = Bytes(8, 2), more = Bytes(2000);
  warpaes_kdf kdf;
  const warpaes_kdf* given = &kdf;
  void* out = memory.data();
  size_t length = 32;

  explicit Call(warpaes_kdf_algorithm algorithm) : kdf(kdf_of(algorithm, passphrase, salt)) {
    if (algorithm == WARPAES_KDF_PBKDF2) kdf.iterations = 1;
    if (algorithm == WARPAES_KDF_SCRYPT) {
      kdf.cost = 16;
      kdf.block_size = kdf.lanes = 1;
    }
    if (algorithm == WARPAES_KDF_ARGON2ID) {
      kdf.iterations = kdf.lanes = 1;
      kdf.memory_kib = 8;
    }
  }
  Call(const Call&) = delete;
  warpaes_status run() const { return warpaes_derive_key(given, out, length); }
};

struct Misuse {
  const char* what;
  warpaes_kdf_algorithm algorithm;
  warpaes_status expected;
  void (*spoil)(Call&);
};

constexpr auto kHkdf = WARPAES_KDF_HKDF, kPbkdf2 = WARPAES_KDF_PBKDF2, kScrypt = WARPAES_KDF_SCRYPT,
               kArgon2id = WARPAES_KDF_ARGON2ID;
constexpr auto kLength = WARPAES_ERROR_LENGTH, kOption = WARPAES_ERROR_OPTION,
               kNull = WARPAES_ERROR_NULL_POINTER, kOverlap = WARPAES_ERROR_OVERLAP;

constexpr Misuse kMisuse[] = {
    {"no output", kHkdf, kLength, [](Call& c) { c.length = 0; }},
    {"more than 255 hashes", kHkdf, kLength, [](Call& c) { c.length = 255 * 32 + 1; }},
    {"HKDF with SHA-1", kHkdf, kOption, [](Call& c) { c.kdf.hash = WARPAES_HASH_SHA1; }},
    {"no such hash", kHkdf, kOption, [](Call& c) { c.kdf.hash = 7; }},
    {"no key", kHkdf, kLength, [](Call& c) { c.kdf.secret_length = 0; }},
    {"long info", kHkdf, kLength,
     [](Call& c) {
       c.kdf.info = c.more.data();
       c.kdf.info_length = 1025;
     }},
    {"a null info", kHkdf, kNull, [](Call& c) { c.kdf.info_length = 3; }},
    {"over its key", kHkdf, kOverlap, [](Call& c) { c.kdf.secret = c.memory.data() + 31; }},
    {"over its salt", kHkdf, kOverlap, [](Call& c) { c.kdf.salt = c.memory.data() + 31; }},
    {"over its info", kHkdf, kOverlap,
     [](Call& c) {
       c.kdf.info = c.memory.data() + 31;
       c.kdf.info_length = 1;
     }},

    {"no iterations", kPbkdf2, kOption, [](Call& c) { c.kdf.iterations = 0; }},
    {"too many", kPbkdf2, kOption, [](Call& c) { c.kdf.iterations = 1u << 31; }},
    {"no output", kPbkdf2, kLength, [](Call& c) { c.length = 0; }},
    {"long output", kPbkdf2, kLength, [](Call& c) { c.length = (1u << 30) + 1; }},
    {"no such hash", kPbkdf2, kOption, [](Call& c) { c.kdf.hash = 512 + 1; }},

    {"N = 0", kScrypt, kOption, [](Call& c) { c.kdf.cost = 0; }},
    {"N = 1", kScrypt, kOption, [](Call& c) { c.kdf.cost = 1; }},
    {"N no power of 2", kScrypt, kOption, [](Call& c) { c.kdf.cost = 24; }},
    {"N = 2^(16 r)", kScrypt, kOption, [](Call& c) { c.kdf.cost = 1 << 16; }},
    {"r = 0", kScrypt, kOption, [](Call& c) { c.kdf.block_size = 0; }},
    {"p = 0", kScrypt, kOption, [](Call& c) { c.kdf.lanes = 0; }},
    {"r * p = 2^30", kScrypt, kOption, [](Call& c) { c.kdf.block_size = c.kdf.lanes = 1 << 15; }},
    {"r * p = 2^24", kScrypt, kOption, [](Call& c) { c.kdf.block_size = c.kdf.lanes = 1 << 12; }},
    {"32 GiB", kScrypt, kOption, [](Call& c) { c.kdf.cost = 1 << 25, c.kdf.block_size = 8; }},
    {"N = 2^63", kScrypt, kOption,
     [](Call& c) { c.kdf.cost = uint64_t{1} << 63, c.kdf.block_size = 1 << 20; }},
    {"16 GiB for p", kScrypt, kOption, [](Call& c) { c.kdf.lanes = 1 << 27; }},
    {"no output", kScrypt, kLength, [](Call& c) { c.length = 0; }},

    {"a short salt", kArgon2id, kLength, [](Call& c) { c.kdf.salt_length = 7; }},
    {"3 bytes", kArgon2id, kLength, [](Call& c) { c.length = 3; }},
    {"7 KiB", kArgon2id, kOption, [](Call& c) { c.kdf.memory_kib = 7; }},
    {"16 KiB for 3 lanes", kArgon2id, kOption, [](Call& c) { c.kdf.memory_kib = 16, c.kdf.lanes = 3; }},
    {"over 16 GiB", kArgon2id, kOption, [](Call& c) { c.kdf.memory_kib = (1 << 24) + 1; }},
    {"2^24 lanes", kArgon2id, kOption, [](Call& c) { c.kdf.lanes = 1 << 24; }},
    {"a null pepper", kArgon2id, kNull, [](Call& c) { c.kdf.pepper_length = 1; }},
    {"over its pepper", kArgon2id, kOverlap,
     [](Call& c) {
       c.kdf.pepper = c.out;
       c.kdf.pepper_length = 1;
     }},

    {"no algorithm", kHkdf, kOption, [](Call& c) { c.kdf.algorithm = 0; }},
    {"an algorithm that there is not", kHkdf, kOption, [](Call& c) { c.kdf.algorithm = 5; }},
    {"no structure", kHkdf, kNull, [](Call& c) { c.given = nullptr; }},
};

/// What is refused whatever the algorithm is.
constexpr Misuse kMisuseOfAll[] = {
    {"a null secret", 0, kNull, [](Call& c) { c.kdf.secret = nullptr; }},
    {"a null salt", 0, kNull, [](Call& c) { c.kdf.salt = nullptr; }},
    {"a null output", 0, kNull, [](Call& c) { c.out = nullptr; }},
    {"over its secret", 0, kOverlap, [](Call& c) { c.kdf.secret = c.out; }},
    {"over its salt", 0, kOverlap, [](Call& c) { c.kdf.salt = c.out; }},
    {"no size", 0, kOption, [](Call& c) { c.kdf.size = 0; }},
    {"more than 2^30 bytes", 0, kLength, [](Call& c) { c.length = (size_t{1} << 30) + 1; }},
    {"the longest output", 0, kLength, [](Call& c) { c.length = SIZE_MAX; }},
};

/// A member, and the algorithms that have a use for it; the others refuse it.
struct Member {
  const char* what;
  std::initializer_list<warpaes_kdf_algorithm> users;
  void (*set)(Call&);
};
const Member kMembers[] = {
    {"a hash", {kHkdf, kPbkdf2}, [](Call& c) { c.kdf.hash = WARPAES_HASH_SHA256; }},
    {"info", {kHkdf, kArgon2id}, [](Call& c) { c.kdf.info = c.more.data(); }},
    {"a length of info", {kHkdf, kArgon2id}, [](Call& c) { c.kdf.info_length = 1; }},
    {"a pepper", {kArgon2id}, [](Call& c) { c.kdf.pepper = c.more.data(); }},
    {"a length of pepper", {kArgon2id}, [](Call& c) { c.kdf.pepper_length = 1; }},
    {"iterations", {kPbkdf2, kArgon2id}, [](Call& c) { c.kdf.iterations = 1; }},
    {"KiB of memory", {kArgon2id}, [](Call& c) { c.kdf.memory_kib = 8; }},
    {"a cost", {kScrypt}, [](Call& c) { c.kdf.cost = 16; }},
    {"a block size", {kScrypt}, [](Call& c) { c.kdf.block_size = 1; }},
    {"lanes", {kScrypt, kArgon2id}, [](Call& c) { c.kdf.lanes = 1; }},
};

void expect_refused(const Misuse& row, warpaes_kdf_algorithm algorithm) {
  Call call(algorithm);
  row.spoil(call);
  EXPECT_STREQ(warpaes_status_name(call.run()), warpaes_status_name(row.expected))
      << row.what << ", algorithm " << algorithm << ": " << warpaes_last_error();
  EXPECT_EQ(call.memory, Bytes(256, kUntouched)) << row.what;
}

constexpr warpaes_kdf_algorithm kAll[] = {kHkdf, kPbkdf2, kScrypt, kArgon2id};

TEST(Derivation, MisuseIsRefusedAndNothingWritten) {
  for (const Misuse& row : kMisuse) expect_refused(row, row.algorithm);
  for (const warpaes_kdf_algorithm algorithm : kAll) {
    for (const Misuse& row : kMisuseOfAll) expect_refused(row, algorithm);
    for (const Member& member : kMembers) {
      if (std::find(member.users.begin(), member.users.end(), algorithm) != member.users.end()) continue;
      expect_refused({member.what, algorithm, kOption, member.set}, algorithm);
    }
  }
}

/// What the rows spoil is right to begin with. A null pointer with nothing behind it is no mistake.
TEST(Derivation, TheUnspoiltCallsWork) {
  for (const warpaes_kdf_algorithm algorithm : kAll) {
    if (algorithm == kArgon2id && !has_argon2()) continue;
    Call right(algorithm);
    EXPECT_EQ(right.run(), WARPAES_OK) << algorithm << ": " << warpaes_last_error();
    EXPECT_NE(right.memory, Bytes(256, kUntouched));
    EXPECT_EQ(Bytes(right.memory.begin() + 32, right.memory.end()), Bytes(224, kUntouched));
    Call empty(algorithm);
    if (algorithm != kHkdf) empty.kdf.secret = nullptr, empty.kdf.secret_length = 0;
    if (algorithm != kArgon2id) empty.kdf.salt = nullptr, empty.kdf.salt_length = 0;
    EXPECT_EQ(empty.run(), WARPAES_OK) << algorithm << ": " << warpaes_last_error();
  }
}

}  // namespace
}  // namespace warpaes::core::testing
