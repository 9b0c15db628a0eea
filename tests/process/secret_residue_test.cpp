// Secrets that are no keys of a mode: what keys are derived from, and the keys of containers. When the call
// has returned, or the container has been destroyed, nothing of them may be left.
#include <gtest/gtest.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <random>

#include "derivation/derivation.hpp"
#include "handles_for_tests.hpp"
#include "memory_scan.hpp"

namespace warpaes::core::testing {
namespace {

/// Random bytes that leave nothing behind themselves.
struct RawSecret {
  Bytes bytes;

  explicit RawSecret(size_t length) : bytes(length) {
    std::mt19937_64 generator(std::random_device{}());
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(generator());
    OPENSSL_cleanse(&generator, sizeof generator);  // from which the bytes could be made once more
  }
  ~RawSecret() { OPENSSL_cleanse(bytes.data(), bytes.size()); }
  RawSecret(const RawSecret&) = delete;
  RawSecret& operator=(const RawSecret&) = delete;
};

struct KdfRow {
  const char* name;
  warpaes_kdf costs;
  // GoogleTest looks for this name.
  // NOLINTNEXTLINE(readability-identifier-naming)
  friend void PrintTo(const KdfRow& row, std::ostream* to) { *to << row.name; }
};

warpaes_kdf costs_of(warpaes_kdf_algorithm algorithm) {
  auto kdf = sized<warpaes_kdf>();
  kdf.algorithm = algorithm;
  return kdf;
}

std::vector<KdfRow> kdf_rows() {
  warpaes_kdf pbkdf2 = costs_of(WARPAES_KDF_PBKDF2), scrypt = costs_of(WARPAES_KDF_SCRYPT),
              argon2id = costs_of(WARPAES_KDF_ARGON2ID);
  pbkdf2.iterations = 10;
  scrypt.cost = 16;
  scrypt.block_size = scrypt.lanes = 1;
  argon2id.iterations = argon2id.lanes = 1;
  argon2id.memory_kib = 64;
  return {
      {"HKDF", costs_of(WARPAES_KDF_HKDF)}, {"PBKDF2", pbkdf2}, {"scrypt", scrypt}, {"argon2id", argon2id}};
}

class DerivationResidue : public ::testing::TestWithParam<KdfRow> {};

/// Neither of the secret nor of the key that was derived, once the caller has wiped both.
TEST_P(DerivationResidue, NothingIsLeftOfSecretAndKey) {
  Needles needles;
  const Bytes salt(16, 7);
  {
    const RawSecret passphrase(24);
    needles.add(passphrase.bytes);
    Bytes key(32);
    warpaes_kdf kdf = GetParam().costs;
    kdf.secret = passphrase.bytes.data();
    kdf.secret_length = passphrase.bytes.size();
    kdf.salt = salt.data();
    kdf.salt_length = salt.size();
    const warpaes_status status = warpaes_derive_key(&kdf, key.data(), key.size());
    if (status == WARPAES_ERROR_UNSUPPORTED) GTEST_SKIP() << warpaes_last_error();
    ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
    needles.add(key);
    EXPECT_FALSE(find(needles).empty());
    OPENSSL_cleanse(key.data(), key.size());
  }
  EXPECT_EQ(describe(find(needles)), "");
}

INSTANTIATE_TEST_SUITE_P(Functions, DerivationResidue, ::testing::ValuesIn(kdf_rows()),
                         [](const auto& test) { return std::string(test.param.name); });

class ContainerResidue : public ::testing::TestWithParam<const char*> {
 protected:
  using Header = std::array<uint8_t, WARPAES_CONTAINER_HEADER_LENGTH>;

  /// Creates a container, opens it, and opens it with a wrong key, which fails; in each, works with chunks.
  void create_and_open(const Bytes& key) {
    Header header{};
    warpaes_container* container = nullptr;
    ASSERT_EQ(
        warpaes_container_create(context_.get(), key.data(), key.size(), nullptr, header.data(), &container),
        WARPAES_OK);
    note_derived(key, header);
    Bytes text(20'000, 1), sealed(text.size() + 32);
    auto chunks = sized<warpaes_chunks>();
    chunks.input = text.data();
    chunks.length = text.size();
    chunks.output = sealed.data();
    chunks.output_capacity = sealed.size();
    chunks.ends = 1;
    EXPECT_EQ(warpaes_container_encrypt(container, &chunks), WARPAES_OK) << warpaes_last_error();
    EXPECT_FALSE(find(needles_).empty());
    warpaes_container_destroy(container);
    ASSERT_EQ(
        warpaes_container_open(context_.get(), key.data(), key.size(), nullptr, header.data(), &container),
        WARPAES_OK);
    chunks.input = sealed.data();
    chunks.length = sealed.size();
    chunks.output = text.data();
    chunks.output_capacity = text.size();
    EXPECT_EQ(warpaes_container_decrypt(container, &chunks), WARPAES_OK) << warpaes_last_error();
    sealed.front() ^= 1;
    EXPECT_EQ(warpaes_container_decrypt(container, &chunks), WARPAES_ERROR_AUTHENTICATION);
    warpaes_container_destroy(container);
    header.back() ^= 1;
    EXPECT_EQ(
        warpaes_container_open(context_.get(), key.data(), key.size(), nullptr, header.data(), &container),
        WARPAES_ERROR_CONTAINER_KEY);
  }

  const TestContext context_{GetParam(), 1};
  Needles needles_;

 private:
  /// The file's key with its schedules, and the first nonce, as the format's specification derives them.
  void note_derived(const Bytes& key, const Header& header) {
    const std::string begins("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0", 48);
    const std::string salt(header.begin(), header.begin() + WARPAES_CONTAINER_SALT_LENGTH);
    const std::string info = begins + salt;
    RawSecret derived(32 + 12 + 32);
    hkdf_expand(WARPAES_HASH_SHA512, key, {reinterpret_cast<const uint8_t*>(info.data()), info.size()},
                derived.bytes);
    needles_.add(key);
    needles_.add_key(std::span(derived.bytes).first(32));
    needles_.add(std::span(derived.bytes).subspan(32, 12));
  }
};

TEST_P(ContainerResidue, NothingIsLeftOfItsKeys) {
  {
    const RawSecret key(32);
    create_and_open(key.bytes);
  }
  EXPECT_EQ(describe(find(needles_)), "");
}

INSTANTIATE_TEST_SUITE_P(Engines, ContainerResidue, ::testing::Values("openssl", "portable/t_tables"),
                         [](const auto& test) {
                           return std::string(test.param).substr(0, std::string(test.param).find('/'));
                         });

}  // namespace
}  // namespace warpaes::core::testing
