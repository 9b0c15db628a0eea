// Keys of containers that are made of passphrases, in the C interface and its C++ wrapper.
#include <cstring>
#include <string_view>

#include "container_for_tests.hpp"
#include "warpaes/warpaes.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kHeaderBytes = WARPAES_PASSPHRASE_HEADER_LENGTH, kKeyBytes = 32;
constexpr size_t kCostsAt = 16, kReservedAt = 28, kSaltAt = 32;
constexpr std::string_view kWord = "correct horse";

void put_number(Bytes& header, size_t at, uint32_t number) {
  for (size_t i = 0; i < 4; i++) header[at + i] = static_cast<uint8_t>(number >> (24 - 8 * i));
}

/// As docs/container.md has the format, with costs that take a test no time.
Bytes header_of(std::string_view name, std::array<uint32_t, 3> costs) {
  Bytes header(name.begin(), name.end());
  header.resize(kHeaderBytes);
  for (size_t i = 0; i < costs.size(); i++) put_number(header, kCostsAt + 4 * i, costs[i]);
  for (size_t i = kSaltAt; i < kHeaderBytes; i++) header[i] = static_cast<uint8_t>(i);
  return header;
}

Bytes scrypt_header() { return header_of("warpaes.scrypt.1", {1 << 4, 8, 1}); }

warpaes_status make_key(const Bytes& header, Bytes& key, std::string_view word = kWord) {
  key.assign(kKeyBytes, kUntouched);
  return warpaes_passphrase_key(header.data(), word.data(), word.size(), key.data());
}

/// What warpaes_derive_key makes of the same numbers.
Bytes derived(warpaes_kdf kdf, const Bytes& header) {
  kdf.size = sizeof kdf;
  kdf.secret = kWord.data();
  kdf.secret_length = kWord.size();
  kdf.salt = header.data() + kSaltAt;
  kdf.salt_length = kHeaderBytes - kSaltAt;
  Bytes key(kKeyBytes);
  EXPECT_EQ(warpaes_derive_key(&kdf, key.data(), key.size()), WARPAES_OK) << warpaes_last_error();
  return key;
}

TEST(Passphrase, MakesTheKeyThatItsHeaderSays) {
  Bytes key;
  warpaes_kdf scrypt = {}, argon2id = {};
  scrypt.algorithm = WARPAES_KDF_SCRYPT;
  scrypt.cost = 1 << 4;
  scrypt.block_size = 8;
  scrypt.lanes = 1;
  ASSERT_EQ(make_key(scrypt_header(), key), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(key, derived(scrypt, scrypt_header()));
  argon2id.algorithm = WARPAES_KDF_ARGON2ID;
  argon2id.iterations = 2;
  argon2id.memory_kib = 64;
  argon2id.lanes = 3;
  const Bytes header = header_of("warpaes.argon2id", {2, 64, 3});
  const warpaes_status status = make_key(header, key);
  if (status == WARPAES_ERROR_UNSUPPORTED) GTEST_SKIP() << "this machine has no libargon2";
  ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(key, derived(argon2id, header));
}

/// From nothing to a file and back, with the header as the container's context.
TEST(Passphrase, OpensItsContainerAndNoOther) {
  const TestContext context("openssl", 1);
  for (const warpaes_kdf_algorithm algorithm : {WARPAES_KDF_SCRYPT, WARPAES_KDF_ARGON2ID}) {
    Bytes header(kHeaderBytes, kUntouched), again(kHeaderBytes), key;
    ASSERT_EQ(warpaes_passphrase_header_create(algorithm, header.data()), WARPAES_OK);
    ASSERT_EQ(warpaes_passphrase_header_create(algorithm, again.data()), WARPAES_OK);
    EXPECT_EQ(slice(header, 0, kSaltAt), slice(again, 0, kSaltAt));
    EXPECT_NE(header, again) << "each has a salt of its own";
    const warpaes_status status = make_key(header, key);
    if (status == WARPAES_ERROR_UNSUPPORTED && algorithm == WARPAES_KDF_ARGON2ID) continue;
    ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
    auto options = sized<warpaes_container_options>();
    options.context = {header.data(), header.size()};
    Bytes beginning(kHeader);
    ContainerHandle made, opened, other;
    ASSERT_EQ(warpaes_container_create(context.get(), key.data(), key.size(), &options, beginning.data(),
                                       &made.handle),
              WARPAES_OK);
    EXPECT_EQ(warpaes_container_open(context.get(), key.data(), key.size(), &options, beginning.data(),
                                     &opened.handle),
              WARPAES_OK);
    options.context = {again.data(), again.size()};
    EXPECT_EQ(warpaes_container_open(context.get(), key.data(), key.size(), &options, beginning.data(),
                                     &other.handle),
              WARPAES_ERROR_CONTAINER_KEY);
  }
}

TEST(Passphrase, HeadersAreToldFromOtherBeginnings) {
  const auto algorithm_of = [](const Bytes& beginning) {
    warpaes_kdf_algorithm algorithm = 77;
    EXPECT_EQ(warpaes_passphrase_header_read(beginning.data(), beginning.size(), &algorithm), WARPAES_OK);
    return algorithm;
  };
  Bytes longer = scrypt_header();
  longer.resize(100, 1);
  EXPECT_EQ(algorithm_of(longer), WARPAES_KDF_SCRYPT);
  EXPECT_EQ(algorithm_of(header_of("warpaes.argon2id", {3, 1 << 16, 4})), WARPAES_KDF_ARGON2ID);
  EXPECT_EQ(algorithm_of(header_of("warpaes.argon2it", {3, 1 << 16, 4})), 0u);
  EXPECT_EQ(algorithm_of(slice(scrypt_header(), 0, kHeaderBytes - 1)), 0u);
  EXPECT_EQ(algorithm_of({}), 0u);
}

/// A file must not be able to take all memory or hours of whoever looks at it.
TEST(Passphrase, CostsThatNobodyChoosesAreRefused) {
  struct Row {
    const char* name;
    std::array<uint32_t, 3> costs;
    const char* says;  // empty: they are bearable
  };
  constexpr auto kScrypt = "warpaes.scrypt.1", kArgon2id = "warpaes.argon2id";
  const Row rows[] = {
      {kScrypt, {1 << 19, 8, 4}, ""},
      {kScrypt, {1 << 19, 8, 5}, "512 MiB of memory and very long"},
      {kScrypt, {1 << 20, 8, 1}, "1024 MiB of memory:"},  // and p blocks more
      {kScrypt, {1 << 24, 8, 1}, "16384 MiB of memory and very long"},
      {kScrypt, {1 << 10, 1, 64}, ""},
      {kScrypt, {1 << 10, 1, 65}, "makes no sense"},
      {kScrypt, {1 << 15, 1, 1}, ""},
      {kScrypt, {1 << 16, 1, 1}, "makes no sense"},
      {kScrypt, {(1 << 17) + 1, 8, 1}, "makes no sense"},
      {kScrypt, {0, 8, 1}, "makes no sense"},
      {kScrypt, {1 << 4, 0, 1}, "makes no sense"},
      {kScrypt, {1 << 4, 1025, 1}, "makes no sense"},
      {kScrypt, {1 << 4, 8, 0}, "makes no sense"},
      {kArgon2id, {4, 1 << 20, 4}, ""},
      {kArgon2id, {5, 1 << 20, 4}, "1024 MiB of memory and very long"},
      {kArgon2id, {1, (1 << 20) + 1, 4}, "1024 MiB of memory:"},
      {kArgon2id, {0, 1 << 16, 4}, "makes no sense"},
      {kArgon2id, {3, 31, 4}, "makes no sense"},
      {kArgon2id, {3, 1 << 16, 65}, "makes no sense"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(::testing::Message() << row.name << ' ' << ::testing::PrintToString(row.costs));
    const Bytes header = header_of(row.name, row.costs);
    warpaes_kdf_algorithm algorithm = 0;
    const bool is_bearable = *row.says == '\0';
    EXPECT_EQ(warpaes_passphrase_header_read(header.data(), header.size(), &algorithm),
              is_bearable ? WARPAES_OK : WARPAES_ERROR_OPTION);
    EXPECT_NE(algorithm, 0u) << "it is a header all the same";
    if (is_bearable) continue;
    Bytes key;
    EXPECT_EQ(make_key(header, key), WARPAES_ERROR_OPTION);
    EXPECT_NE(std::string_view(warpaes_last_error()).find(row.says), std::string_view::npos)
        << warpaes_last_error();
    EXPECT_EQ(key, Bytes(kKeyBytes, kUntouched));
  }
  Bytes reserved = scrypt_header(), key;
  reserved[kReservedAt + 3] = 1;
  EXPECT_EQ(make_key(reserved, key), WARPAES_ERROR_OPTION) << "what a newer version may say";
}

TEST(Passphrase, MisuseIsRefused) {
  const Bytes header = scrypt_header();
  Bytes key(kKeyBytes, kUntouched);
  warpaes_kdf_algorithm algorithm = 77;
  EXPECT_EQ(warpaes_passphrase_header_create(WARPAES_KDF_SCRYPT, nullptr), WARPAES_ERROR_NULL_POINTER);
  for (const warpaes_kdf_algorithm none : {0u, 1u, 2u, 5u}) {
    EXPECT_EQ(warpaes_passphrase_header_create(none, key.data()), WARPAES_ERROR_OPTION) << none;
  }
  EXPECT_EQ(warpaes_passphrase_header_read(nullptr, 48, &algorithm), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(algorithm, 0u);
  EXPECT_EQ(warpaes_passphrase_header_read(header.data(), 48, nullptr), WARPAES_ERROR_NULL_POINTER);
  std::array<warpaes_kdf_algorithm, 12> overlapped{};
  std::memcpy(overlapped.data(), header.data(), 48);
  EXPECT_EQ(warpaes_passphrase_header_read(overlapped.data(), 48, &overlapped[3]), WARPAES_ERROR_OVERLAP);
  EXPECT_EQ(warpaes_passphrase_header_read(overlapped.data(), SIZE_MAX, &overlapped[3]), WARPAES_ERROR_LENGTH)
      << "no memory is as long, and the sum of address and length is less than the address";
  EXPECT_EQ(std::memcmp(overlapped.data(), header.data(), 48), 0);
  EXPECT_EQ(warpaes_passphrase_key(nullptr, "a", 1, key.data()), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_passphrase_key(header.data(), nullptr, 1, key.data()), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_passphrase_key(header.data(), "a", 1, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_passphrase_key(header.data(), "", 0, key.data()), WARPAES_ERROR_LENGTH);
  EXPECT_EQ(warpaes_passphrase_key(header.data(), key.data(), 1, key.data()), WARPAES_ERROR_OVERLAP);
  Bytes writable = header;
  for (const size_t at : {size_t{0}, size_t{20}, kHeaderBytes - 1}) {
    writable.resize(at + kKeyBytes + kHeaderBytes);
    EXPECT_EQ(warpaes_passphrase_key(writable.data(), "a", 1, writable.data() + at), WARPAES_ERROR_OVERLAP);
    EXPECT_EQ(slice(writable, 0, kHeaderBytes), header);
  }
  const Bytes other(kHeaderBytes, 1);
  EXPECT_EQ(warpaes_passphrase_key(other.data(), "a", 1, key.data()), WARPAES_ERROR_OPTION);
  EXPECT_EQ(key, Bytes(kKeyBytes, kUntouched));
}

TEST(Passphrase, TheWrapperDoesTheSame) {
  const PassphraseHeader fresh = passphrase_header(PassphraseFunction::argon2id);
  EXPECT_EQ(passphrase_function(fresh), PassphraseFunction::argon2id);
  EXPECT_EQ(passphrase_function(passphrase_header()), PassphraseFunction::scrypt);
  EXPECT_EQ(passphrase_function(Bytes(100, 1)), std::nullopt);
  EXPECT_THROW((void)passphrase_function(header_of("warpaes.scrypt.1", {0, 8, 1})), Error);
  PassphraseHeader header;
  std::ranges::copy(scrypt_header(), header.begin());
  Bytes key(kKeyBytes), expected, longer(kKeyBytes + 1);
  passphrase_key(header, std::string(kWord), key);
  ASSERT_EQ(make_key(scrypt_header(), expected), WARPAES_OK);
  EXPECT_EQ(key, expected);
  EXPECT_THROW(passphrase_key(header, std::string(kWord), longer), Error);
}

}  // namespace
}  // namespace warpaes::core::testing
