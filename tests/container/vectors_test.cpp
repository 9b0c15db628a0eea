// The vectors of the specification, as the Python package cryptography_vectors carries them: 34 for each
// of three AEADs, of which AES-GCM with both key sizes is ours. They derive keys with SHA-256, where
// Cobblestone has SHA-512: tests/cli compares that with the package's own implementation.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "container/chunk_range.hpp"
#include "container/rejections.hpp"
#include "sealed_example.hpp"

namespace warpaes::core::test {
namespace {

using namespace cobblestone;
using nlohmann::json;

Bytes from_hex(const std::string& text) {
  Bytes bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); i++) {
    bytes[i] = static_cast<uint8_t>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  return bytes;
}

std::string sha256_hex(const Bytes& bytes) {
  Bytes digest(32);
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  std::string text;
  for (const uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

const json& vectors() {
  static const json all = [] {
    std::ifstream file(WARPAES_CONTAINER_VECTORS);
    return json::parse(file).at("vectors");
  }();
  return all;
}

/// What is to be found wrong, by the part of the vector's name after the AEAD's.
const std::map<std::string, warpaes_status> kVerdicts = {
    {"bad_tag", WARPAES_ERROR_AUTHENTICATION},
    {"bad_tag_second_chunk", WARPAES_ERROR_AUTHENTICATION},
    {"bad_tag_second_chunk_full", WARPAES_ERROR_AUTHENTICATION},
    {"bad_tag_empty_final_chunk", WARPAES_ERROR_AUTHENTICATION},
    {"bad_tag_first_chunk", WARPAES_ERROR_AUTHENTICATION},
    {"missing_tag", WARPAES_ERROR_TRUNCATED},
    {"short_chunk", WARPAES_ERROR_TRUNCATED},
    // 20 and 12 bytes where a last chunk should be: nothing says that they were appended, and 12 bytes
    // are too few for a chunk.
    {"trailing_garbage_long", WARPAES_ERROR_AUTHENTICATION},
    {"trailing_garbage_short", WARPAES_ERROR_TRUNCATED},
    {"no_chunks", WARPAES_ERROR_TRUNCATED},
    {"wrong_commitment", WARPAES_ERROR_CONTAINER_KEY},
    {"wrong_key", WARPAES_ERROR_CONTAINER_KEY},
    {"wrong_context", WARPAES_ERROR_CONTAINER_KEY},
    {"wrong_salt", WARPAES_ERROR_CONTAINER_KEY},
    {"empty_message", WARPAES_ERROR_TRUNCATED},
    {"short_header_no_commitment", WARPAES_ERROR_TRUNCATED},
    {"short_header_partial_commitment", WARPAES_ERROR_TRUNCATED},
    {"short_header_no_salt", WARPAES_ERROR_TRUNCATED},
    {"truncated_at_chunk_boundary", WARPAES_ERROR_TRUNCATED},
    {"truncated_mid_chunk", WARPAES_ERROR_AUTHENTICATION},
    {"swapped_chunks", WARPAES_ERROR_AUTHENTICATION},
    {"duplicated_chunk", WARPAES_ERROR_AUTHENTICATION},
    {"extension_after_final", WARPAES_ERROR_TRAILING_DATA},
};

struct Vector {
  explicit Vector(const json& vector)
      : name(vector.at("name")),
        aead(vector.at("aead")),
        succeeds(vector.at("expect") == "success"),
        key(from_hex(vector.at("key"))),
        ciphertext(from_hex(vector.at("ciphertext"))),
        payload_bytes(vector.value("payload_length", size_t{0})),
        payload_sha256(vector.value("payload_sha256", sha256_hex({}))) {
    const std::string text = vector.at("context");
    context.assign(text.begin(), text.end());
  }
  InputKey input_key() const { return {.key = key, .context = context, .hash = WARPAES_HASH_SHA256}; }
  std::string kind() const { return name.substr(name.find('_') + 1); }
  bool has_key_of_no_length() const { return kind() == "short_key" || kind() == "long_key"; }

  std::string name, aead;
  bool succeeds;
  Bytes key, context, ciphertext;
  size_t payload_bytes;
  std::string payload_sha256;
};

/// What the library's calls for containers are made of, here with the vectors' hash.
struct Opening {
  Bytes plaintext;  // up to the first wrong chunk
  std::optional<Rejected> rejected;
};

Opening open(core::Context& context, const InputKey& key, const Bytes& container) {
  if (container.size() < kHeaderBytes) return {{}, reject_truncated(container.size())};
  const auto [salt, header] =
      std::pair(std::span(container).first<kSaltBytes>(), std::span(container).first<kHeaderBytes>());
  Salt own_salt;
  std::ranges::copy(salt, own_salt.begin());
  const FileKey file_key(context, key, own_salt);
  if (!file_key.matches(header.last<kCommitmentBytes>())) return {{}, reject_wrong_key()};
  const bool complete = layout_of(container.size()).complete;
  const uint64_t sealed = container.size() - kHeaderBytes;
  const uint64_t checked = complete ? sealed : sealed / kSealedChunkBytes * kSealedChunkBytes;
  Opening opening;
  opening.plaintext.resize(checked);
  const ChunkRange range{0, container.data() + kHeaderBytes, checked, opening.plaintext.data(), complete};
  std::vector<int32_t> statuses(chunks_in(WARPAES_DIRECTION_DECRYPT, range));
  open_chunks(file_key, range, statuses);
  const auto wrong = std::ranges::find_if(statuses, [](int32_t status) { return status != WARPAES_OK; });
  if (wrong == statuses.end()) {
    opening.plaintext.resize(output_bytes(WARPAES_DIRECTION_DECRYPT, range));
    if (!complete) opening.rejected = reject_truncated(container.size());
    return opening;
  }
  const auto chunk = static_cast<uint64_t>(wrong - statuses.begin());
  opening.plaintext.resize(chunk * kChunkBytes);
  const auto from = std::span(container).subspan(chunk_offset(chunk));
  opening.rejected =
      diagnose(file_key, chunk, from.first(std::min(from.size(), kSealedChunkBytes)), container.size());
  return opening;
}

/// @return the plaintext
Bytes check(core::Context& context, const Vector& vector) {
  SCOPED_TRACE(vector.name);
  if (vector.has_key_of_no_length()) {
    EXPECT_THROW(open(context, vector.input_key(), vector.ciphertext), Failure);
    return {};
  }
  Opening opening = open(context, vector.input_key(), vector.ciphertext);
  const std::string message = opening.rejected ? opening.rejected->what() : "accepted";
  EXPECT_EQ(!opening.rejected, vector.succeeds) << message;
  if (opening.rejected && !vector.succeeds) {
    EXPECT_EQ(opening.rejected->status(), kVerdicts.at(vector.kind())) << message;
  }
  EXPECT_EQ(opening.plaintext.size(), vector.payload_bytes);
  EXPECT_EQ(sha256_hex(opening.plaintext), vector.payload_sha256);
  return std::move(opening.plaintext);
}

/// The same salt gives the same container.
void check_sealing(core::Context& context, const Vector& vector, const Bytes& plaintext) {
  Salt salt;
  std::copy_n(vector.ciphertext.begin(), kSaltBytes, salt.begin());
  const FileKey file_key(context, vector.input_key(), salt);
  Bytes container(container_bytes(plaintext.size()));
  std::ranges::copy(salt, container.begin());
  std::ranges::copy(file_key.commitment(), container.begin() + kSaltBytes);
  seal_chunks(file_key, {0, plaintext.data(), plaintext.size(), container.data() + kHeaderBytes, true});
  EXPECT_TRUE(container == vector.ciphertext) << vector.name;
}

class Vectors : public testing::TestWithParam<std::string> {};

TEST_P(Vectors, All) {
  core::Context context({.engine = GetParam()});
  std::map<std::string, int> checked;
  for (const json& entry : vectors()) {
    const Vector vector(entry);
    checked[vector.aead]++;
    if (vector.aead == "AEAD_CHACHA20_POLY1305") continue;  // not AES
    const Bytes plaintext = check(context, vector);
    if (vector.succeeds) check_sealing(context, vector, plaintext);
  }
  EXPECT_EQ(vectors().size(), 102u);
  EXPECT_EQ(checked["AEAD_AES_128_GCM"], 34);
  EXPECT_EQ(checked["AEAD_AES_256_GCM"], 34);
  EXPECT_EQ(checked["AEAD_CHACHA20_POLY1305"], 34);  // skipped by policy
}

INSTANTIATE_TEST_SUITE_P(Engines, Vectors, testing::ValuesIn(usable_engines()), engine_test_name);

}  // namespace
}  // namespace warpaes::core::test
