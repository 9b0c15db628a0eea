#include "vector_cases.hpp"

#include <stdexcept>

#include "vector_file.hpp"

namespace warpaes::conformance {
namespace {

constexpr VectorFile kFiles[] = {
    {"ECB/ECBGFSbox128.rsp", Mode::ecb, 14},
    {"ECB/ECBGFSbox192.rsp", Mode::ecb, 12},
    {"ECB/ECBGFSbox256.rsp", Mode::ecb, 10},
    {"ECB/ECBKeySbox128.rsp", Mode::ecb, 42},
    {"ECB/ECBKeySbox192.rsp", Mode::ecb, 48},
    {"ECB/ECBKeySbox256.rsp", Mode::ecb, 32},
    {"ECB/ECBVarKey128.rsp", Mode::ecb, 256},
    {"ECB/ECBVarKey192.rsp", Mode::ecb, 384},
    {"ECB/ECBVarKey256.rsp", Mode::ecb, 512},
    {"ECB/ECBVarTxt128.rsp", Mode::ecb, 256},
    {"ECB/ECBVarTxt192.rsp", Mode::ecb, 256},
    {"ECB/ECBVarTxt256.rsp", Mode::ecb, 256},
    {"ECB/ECBMMT128.rsp", Mode::ecb, 20},
    {"ECB/ECBMMT192.rsp", Mode::ecb, 20},
    {"ECB/ECBMMT256.rsp", Mode::ecb, 20},
    {"CTR/aes-128-ctr.txt", Mode::ctr, 3},
    {"CTR/aes-192-ctr.txt", Mode::ctr, 3},
    {"CTR/aes-256-ctr.txt", Mode::ctr, 3},
    {"GCM/gcmEncryptExtIV128.rsp", Mode::gcm, 7875},
    {"GCM/gcmEncryptExtIV192.rsp", Mode::gcm, 7875},
    {"GCM/gcmEncryptExtIV256.rsp", Mode::gcm, 7875},
    {"GCM/gcmDecrypt128.rsp", Mode::gcm, 7875},
    {"GCM/gcmDecrypt192.rsp", Mode::gcm, 7875},
    {"GCM/gcmDecrypt256.rsp", Mode::gcm, 7875},
};

void fill_gcm(Case& test, const VectorRecord& record, bool encrypting) {
  test.nonces = record.bytes("IV");
  test.aad = record.bytes("AAD");
  test.aad_bytes = test.aad.size();
  test.tags = record.bytes("TAG");
  test.tag_bytes = test.tags.size();
  test.input = record.bytes(encrypting ? "PT" : "CT");
  test.output = record.fail ? Bytes(test.input.size()) : record.bytes(encrypting ? "CT" : "PT");
  test.statuses = {record.fail ? WARPAES_ERROR_AUTHENTICATION : WARPAES_OK};
}

void fill_blocks_or_counter(Case& test, const VectorRecord& record, bool encrypting) {
  if (test.mode == Mode::ctr) test.nonces = record.bytes("IV");
  test.input = record.bytes(encrypting ? "PLAINTEXT" : "CIPHERTEXT");
  test.output = record.bytes(encrypting ? "CIPHERTEXT" : "PLAINTEXT");
}

}  // namespace

std::span<const VectorFile> vector_files() { return kFiles; }

std::vector<Case> vector_cases(const std::filesystem::path& folder, const VectorFile& file) {
  const std::vector<VectorRecord> records = read_vector_file(folder / "ciphers" / "AES" / file.path);
  if (records.size() != file.cases) {
    throw std::runtime_error(std::string(file.path) + " has " + std::to_string(records.size()) +
                             " cases, as published it has " + std::to_string(file.cases));
  }
  const bool decrypting_file = std::string(file.path).find("Decrypt") != std::string::npos;
  std::vector<Case> cases;
  for (size_t i = 0; i < records.size(); i++) {
    const VectorRecord& record = records[i];
    const bool encrypting = !decrypting_file && record.section != "DECRYPT";
    Case test;
    test.name = std::string(file.path) + " " + record.section + " case " + std::to_string(i);
    test.mode = file.mode;
    test.direction = encrypting ? WARPAES_ENCRYPT : WARPAES_DECRYPT;
    test.key = record.bytes("KEY");
    if (file.mode == Mode::gcm) {
      fill_gcm(test, record, encrypting);
    } else {
      fill_blocks_or_counter(test, record, encrypting);
    }
    test.bytes = test.input.size();
    test.layout.input_offset = i % 16;
    test.layout.output_offset = i / 16 % 16;
    test.layout.in_place = i % 2 == 1;
    cases.push_back(std::move(test));
  }
  return cases;
}

}  // namespace warpaes::conformance
