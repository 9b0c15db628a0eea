#include "vector_cases.hpp"

#include <stdexcept>

#include "aead_cases.hpp"
#include "primitives/byte_order.hpp"
#include "vector_file.hpp"

namespace warpaes::core::conformance {
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
    {"CBC/CBCGFSbox128.rsp", Mode::cbc, 14},
    {"CBC/CBCGFSbox192.rsp", Mode::cbc, 12},
    {"CBC/CBCGFSbox256.rsp", Mode::cbc, 10},
    {"CBC/CBCKeySbox128.rsp", Mode::cbc, 42},
    {"CBC/CBCKeySbox192.rsp", Mode::cbc, 48},
    {"CBC/CBCKeySbox256.rsp", Mode::cbc, 32},
    {"CBC/CBCVarKey128.rsp", Mode::cbc, 256},
    {"CBC/CBCVarKey192.rsp", Mode::cbc, 384},
    {"CBC/CBCVarKey256.rsp", Mode::cbc, 512},
    {"CBC/CBCVarTxt128.rsp", Mode::cbc, 256},
    {"CBC/CBCVarTxt192.rsp", Mode::cbc, 256},
    {"CBC/CBCVarTxt256.rsp", Mode::cbc, 256},
    {"CBC/CBCMMT128.rsp", Mode::cbc, 20},
    {"CBC/CBCMMT192.rsp", Mode::cbc, 20},
    {"CBC/CBCMMT256.rsp", Mode::cbc, 20},
    {"CFB/CFB128GFSbox128.rsp", Mode::cfb, 14},
    {"CFB/CFB128GFSbox192.rsp", Mode::cfb, 12},
    {"CFB/CFB128GFSbox256.rsp", Mode::cfb, 10},
    {"CFB/CFB128KeySbox128.rsp", Mode::cfb, 42},
    {"CFB/CFB128KeySbox192.rsp", Mode::cfb, 48},
    {"CFB/CFB128KeySbox256.rsp", Mode::cfb, 32},
    {"CFB/CFB128VarKey128.rsp", Mode::cfb, 256},
    {"CFB/CFB128VarKey192.rsp", Mode::cfb, 384},
    {"CFB/CFB128VarKey256.rsp", Mode::cfb, 512},
    {"CFB/CFB128VarTxt128.rsp", Mode::cfb, 256},
    {"CFB/CFB128VarTxt192.rsp", Mode::cfb, 256},
    {"CFB/CFB128VarTxt256.rsp", Mode::cfb, 256},
    {"CFB/CFB128MMT128.rsp", Mode::cfb, 20},
    {"CFB/CFB128MMT192.rsp", Mode::cfb, 20},
    {"CFB/CFB128MMT256.rsp", Mode::cfb, 20},
    {"OFB/OFBGFSbox128.rsp", Mode::ofb, 14},
    {"OFB/OFBGFSbox192.rsp", Mode::ofb, 12},
    {"OFB/OFBGFSbox256.rsp", Mode::ofb, 10},
    {"OFB/OFBKeySbox128.rsp", Mode::ofb, 42},
    {"OFB/OFBKeySbox192.rsp", Mode::ofb, 48},
    {"OFB/OFBKeySbox256.rsp", Mode::ofb, 32},
    {"OFB/OFBVarKey128.rsp", Mode::ofb, 256},
    {"OFB/OFBVarKey192.rsp", Mode::ofb, 384},
    {"OFB/OFBVarKey256.rsp", Mode::ofb, 512},
    {"OFB/OFBVarTxt128.rsp", Mode::ofb, 256},
    {"OFB/OFBVarTxt192.rsp", Mode::ofb, 256},
    {"OFB/OFBVarTxt256.rsp", Mode::ofb, 256},
    {"OFB/OFBMMT128.rsp", Mode::ofb, 20},
    {"OFB/OFBMMT192.rsp", Mode::ofb, 20},
    {"OFB/OFBMMT256.rsp", Mode::ofb, 20},
    {"XTS/tweak-128hexstr/XTSGenAES128.rsp", Mode::xts, 1000},
    {"XTS/tweak-128hexstr/XTSGenAES256.rsp", Mode::xts, 1000},
    {"XTS/tweak-dataunitseqno/XTSGenAES128.rsp", Mode::xts, 1000},
    {"XTS/tweak-dataunitseqno/XTSGenAES256.rsp", Mode::xts, 1000},
    {"CTR/aes-128-ctr.txt", Mode::ctr, 3},
    {"CTR/aes-192-ctr.txt", Mode::ctr, 3},
    {"CTR/aes-256-ctr.txt", Mode::ctr, 3},
    {"GCM/gcmEncryptExtIV128.rsp", Mode::gcm, 7875},
    {"GCM/gcmEncryptExtIV192.rsp", Mode::gcm, 7875},
    {"GCM/gcmEncryptExtIV256.rsp", Mode::gcm, 7875},
    {"GCM/gcmDecrypt128.rsp", Mode::gcm, 7875},
    {"GCM/gcmDecrypt192.rsp", Mode::gcm, 7875},
    {"GCM/gcmDecrypt256.rsp", Mode::gcm, 7875},
    {"CCM/DVPT128.rsp", Mode::ccm, 240},
    {"CCM/DVPT192.rsp", Mode::ccm, 240},
    {"CCM/DVPT256.rsp", Mode::ccm, 240},
    {"CCM/VADT128.rsp", Mode::ccm, 330},
    {"CCM/VADT192.rsp", Mode::ccm, 330},
    {"CCM/VADT256.rsp", Mode::ccm, 330},
    {"CCM/VNT128.rsp", Mode::ccm, 70},
    {"CCM/VNT192.rsp", Mode::ccm, 70},
    {"CCM/VNT256.rsp", Mode::ccm, 70},
    {"CCM/VPT128.rsp", Mode::ccm, 250},
    {"CCM/VPT192.rsp", Mode::ccm, 250},
    {"CCM/VPT256.rsp", Mode::ccm, 250},
    {"CCM/VTT128.rsp", Mode::ccm, 70},
    {"CCM/VTT192.rsp", Mode::ccm, 70},
    {"CCM/VTT256.rsp", Mode::ccm, 70},
    {"GCM-SIV/openssl.txt", Mode::gcm_siv, 46},
    {"GCM-SIV/aes-192-gcm-siv.txt", Mode::gcm_siv, 46},
    {"OCB3/openssl.txt", Mode::ocb3, 7},
    {"OCB3/rfc7253.txt", Mode::ocb3, 16},
    {"OCB3/test-vector-1-nonce104.txt", Mode::ocb3, 16},
    {"OCB3/test-vector-1-nonce112.txt", Mode::ocb3, 16},
    {"OCB3/test-vector-1-nonce120.txt", Mode::ocb3, 16},
    {"SIV/openssl.txt", Mode::siv, 4},
};

/// The tweak as 16 bytes, or as a number; the length in bits.
void fill_xts(Case& test, const VectorRecord& record, bool encrypting) {
  if (record.fields.contains("I")) {
    test.nonces = record.bytes("I");
  } else {
    test.nonces.resize(16);
    store_le64(test.nonces.data(), std::stoull(record.fields.at("DATAUNITSEQNUMBER")));
  }
  test.input = record.bytes(encrypting ? "PT" : "CT");
  test.output = record.bytes(encrypting ? "CT" : "PT");
  test.unit_bytes = test.input.size();
  if (std::stoull(record.fields.at("DATAUNITLEN")) % 8 != 0)
    test.unusable = "policy: no whole number of bytes";
}

void fill_data(Case& test, const VectorRecord& record, bool encrypting) {
  if (test.mode != Mode::ecb) test.nonces = record.bytes("IV");
  test.input = record.bytes(encrypting ? "PLAINTEXT" : "CIPHERTEXT");
  test.output = record.bytes(encrypting ? "CIPHERTEXT" : "PLAINTEXT");
}

std::vector<Case> data_cases(Case test, const VectorRecord& record) {
  const bool encrypting = record.section != "DECRYPT";
  test.direction = encrypting ? WARPAES_DIRECTION_ENCRYPT : WARPAES_DIRECTION_DECRYPT;
  (test.mode == Mode::xts ? fill_xts : fill_data)(test, record, encrypting);
  test.bytes = test.input.size();
  return {test};
}

}  // namespace

std::span<const VectorFile> vector_files() { return kFiles; }

std::vector<Case> vector_cases(const std::filesystem::path& folder, const VectorFile& file) {
  const std::vector<VectorRecord> records = read_vector_file(folder / "ciphers" / "AES" / file.path);
  if (records.size() != file.cases) {
    throw std::runtime_error(std::string(file.path) + " has " + std::to_string(records.size()) +
                             " cases, as published it has " + std::to_string(file.cases));
  }
  std::vector<Case> cases;
  for (size_t i = 0; i < records.size(); i++) {
    Case test;
    test.name = std::string(file.path) + " " + records[i].section + " case " + std::to_string(i);
    test.mode = file.mode;
    test.key = records[i].bytes("KEY");
    test.layout.input_offset = i % 16;
    test.layout.output_offset = i / 16 % 16;
    test.layout.in_place = i % 2 == 1;
    for (Case& each : is_aead(file.mode) ? aead_cases(test, records[i], file.path)
                                         : data_cases(std::move(test), records[i])) {
      cases.push_back(std::move(each));
    }
  }
  return cases;
}

}  // namespace warpaes::core::conformance
