#include "vector_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "scorecard.hpp"
#include "vector_cases.hpp"

namespace warpaes::core::conformance {
namespace {

class VectorFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "warpaes-vectors-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::filesystem::create_directories(folder_ / "ciphers/AES/ECB");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  static std::string refusal(const std::filesystem::path& file) {
    try {
      read_vector_file(file);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  std::filesystem::path folder_;
};

TEST_F(VectorFiles, RecordsSectionsAndFailLines) {
  const auto records = read_vector_file(write("a.rsp",
                                              "# comment\r\n[ENCRYPT]\r\n[Keylen = 128]\r\n\r\nCOUNT = 0\r\n"
                                              "Key = 00ff\r\nPT =\r\n\r\nCount = 1\r\nKEY = 01\r\nFAIL\r\n"));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].section, "ENCRYPT");
  EXPECT_EQ(records[0].bytes("KEY"), (Bytes{0x00, 0xff}));
  EXPECT_EQ(records[0].bytes("PT"), Bytes{});
  EXPECT_FALSE(records[0].fail);
  EXPECT_TRUE(records[1].fail);
  EXPECT_THROW(records[1].bytes("PT"), std::runtime_error);
}

TEST_F(VectorFiles, FieldsBeforeTheFirstCountAreOfAllRecordsOfTheSection) {
  const auto records = read_vector_file(write("d.rsp",
                                              "Tlen = 16\n[Alen = 0, Plen = 3]\nKey = aa\nCount = 0\n"
                                              "CT = 01\nCount = 1\n[Alen = 1]\nKey = bb\nCount = 0\n"));
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[1].fields.at("KEY"), "aa");
  EXPECT_EQ(records[1].fields.at("PLEN"), "3");
  EXPECT_FALSE(records[1].fields.contains("CT"));
  EXPECT_EQ(records[2].fields.at("KEY"), "bb");
  EXPECT_EQ(records[2].fields.at("ALEN"), "1");
  EXPECT_EQ(records[2].fields.at("TLEN"), "16");
}

TEST_F(VectorFiles, RefusesWhatIsNoResponseFile) {
  EXPECT_NE(refusal(folder_ / "absent.rsp").find("cannot open"), std::string::npos);
  EXPECT_NE(refusal(write("b.rsp", "KEY = 00\n")).find("b.rsp: no COUNT"), std::string::npos);
  EXPECT_NE(refusal(write("c.rsp", "COUNT = 0\nnonsense\n")).find("c.rsp:2: neither"), std::string::npos);
}

TEST_F(VectorFiles, RefusesAFileThatHasLostCases) {
  const VectorFile file{"ECB/short.rsp", Mode::ecb, 2};
  write("ciphers/AES/ECB/short.rsp",
        "[ENCRYPT]\nCOUNT = 0\nKEY = 00112233445566778899aabbccddeeff\nPLAINTEXT = 00\nCIPHERTEXT = 00\n");
  try {
    vector_cases(folder_, file);
    ADD_FAILURE() << "one case of two is enough";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), std::string("ECB/short.rsp has 1 cases, as published it has 2"));
  }
}

TEST(VectorTable, HasAllPublishedCases) {
  std::map<Mode, size_t> cases;
  for (const VectorFile& file : vector_files()) cases[file.mode] += file.cases;
  for (const Mode mode : {Mode::ecb, Mode::cbc, Mode::cfb, Mode::ofb}) EXPECT_EQ(cases[mode], 2'138u);
  EXPECT_EQ(cases[Mode::xts], 4'000u);
  EXPECT_EQ(cases[Mode::gcm], 47'250u);
  EXPECT_EQ(cases[Mode::ccm], 2'880u);
  EXPECT_EQ(cases[Mode::gcm_siv], 92u);
  EXPECT_EQ(cases[Mode::ocb3], 71u);
  EXPECT_EQ(cases[Mode::siv], 4u);
}

TEST_F(VectorFiles, ScoresBecomeLines) {
  Scorecard scores({"a/b", "c/d"}, nullptr);
  scores.pass(0, "gcm", 128, 2);
  scores.skip(0, "gcm", 128, "because");
  scores.fail(1, "gcm", 128, "first \"thing\"");
  scores.fail(1, "gcm", 128, "second thing");
  EXPECT_EQ(scores.passed(), 2u);
  EXPECT_EQ(scores.skipped(), 1u);
  EXPECT_EQ(scores.failed(), 2u);
  EXPECT_EQ(scores.first_failure(1, "gcm", 128), "first \"thing\"");
  EXPECT_EQ(scores.first_failure(0, "gcm", 128), "");
  scores.write_json((folder_ / "scores.jsonl").string(), "conformance");
  std::ifstream lines(folder_ / "scores.jsonl");
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, R"({"type":"conformance","engine":"a","kernel":"b","mode":"gcm","key_bits":128,)"
                  R"("passed":2,"skipped":1,"failed":0,"reason":"1 skipped: because"})");
  std::getline(lines, line);
  EXPECT_EQ(line, R"({"type":"conformance","engine":"c","kernel":"d","mode":"gcm","key_bits":128,)"
                  R"("passed":0,"skipped":0,"failed":2,"reason":"first \"thing\""})");
  EXPECT_THROW(scores.write_json((folder_ / "none/scores.jsonl").string(), "conformance"),
               std::runtime_error);
}

}  // namespace
}  // namespace warpaes::core::conformance
