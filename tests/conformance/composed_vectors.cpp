#include <stdexcept>

#include "composed_cases.hpp"
#include "primitives/hex.hpp"
#include "vector_file.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr int kKeyBits[] = {128, 192, 256};

std::vector<VectorRecord> records_of(const std::filesystem::path& file, size_t cases) {
  std::vector<VectorRecord> records = read_vector_file(file);
  if (records.size() != cases) {
    throw std::runtime_error(file.string() + " has " + std::to_string(records.size()) +
                             " cases, as published it has " + std::to_string(cases));
  }
  return records;
}

/// NIST's CFB files, and how many cases they have for keys of 128, 192 and 256 bits.
struct CfbFiles {
  const char* name;
  size_t cases[3];
};
constexpr CfbFiles kCfbFiles[] = {
    {"GFSbox", {14, 12, 10}},    {"KeySbox", {42, 48, 32}},   {"MMT", {20, 20, 20}},
    {"VarKey", {256, 384, 512}}, {"VarTxt", {256, 256, 256}},
};

/// "0110", the first bit the highest of its byte.
Bytes bytes_of_bits(const std::string& bits) {
  Bytes bytes((bits.size() + 7) / 8);
  for (size_t i = 0; i < bits.size(); i++) {
    if (bits[i] == '1') bytes[i / 8] = static_cast<uint8_t>(bytes[i / 8] | 0x80 >> i % 8);
  }
  return bytes;
}

/// Of a byte that is not whole, only the first bits are the answer.
void cut_to_bits(ComposedCase& test, size_t bits) {
  if (bits % 8 == 0) return;
  const auto mask = static_cast<uint8_t>(0xff00u >> bits % 8);
  test.answer = [whole = test.answer, mask](const Engine& engine, const EngineKey& key) {
    Bytes answer = whole(engine, key);
    answer.back() &= mask;
    return answer;
  };
}

void visit_cfb(const std::filesystem::path& folder, unsigned segment_bits, const ComposedVisitor& visit) {
  for (const CfbFiles& files : kCfbFiles) {
    for (size_t size = 0; size < 3; size++) {
      const std::string name =
          "CFB" + std::to_string(segment_bits) + files.name + std::to_string(kKeyBits[size]) + ".rsp";
      size_t number = 0;
      for (const VectorRecord& record : records_of(folder / "ciphers/AES/CFB" / name, files.cases[size])) {
        const bool encrypting = record.section != "DECRYPT";
        const auto data = [&](const char* field) {
          return segment_bits == 1 ? bytes_of_bits(record.fields.at(field)) : record.bytes(field);
        };
        ComposedCase test = cfb_short_case(
            segment_bits, encrypting ? WARPAES_DIRECTION_ENCRYPT : WARPAES_DIRECTION_DECRYPT,
            record.bytes("KEY"), record.bytes("IV"), data(encrypting ? "PLAINTEXT" : "CIPHERTEXT"));
        test.expected = data(encrypting ? "CIPHERTEXT" : "PLAINTEXT");
        test.name = name + " case " + std::to_string(number++);
        if (segment_bits == 1) cut_to_bits(test, record.fields.at("PLAINTEXT").size());
        visit(test);
      }
    }
  }
}

void visit_wrap_file(const std::filesystem::path& file, bool padded, bool inverse,
                     const std::function<void(const WrapVector&)>& visit) {
  size_t number = 0;
  for (const VectorRecord& record : records_of(file, 500)) {
    const bool wrapping = file.filename().string().find("_AE_") != std::string::npos;
    visit({.name = file.filename().string() + " case " + std::to_string(number++),
           .padded = padded,
           .inverse = inverse,
           .direction = wrapping ? WARPAES_DIRECTION_ENCRYPT : WARPAES_DIRECTION_DECRYPT,
           .key = record.bytes("K"),
           .input = record.bytes(wrapping ? "P" : "C"),
           .expected = record.fail ? Bytes() : record.bytes(wrapping ? "C" : "P"),
           .status = record.fail ? WARPAES_ERROR_AUTHENTICATION : WARPAES_OK});
  }
}

/// RFC 5649's examples, and more by OpenSSL.
void visit_rfc5649(const std::filesystem::path& folder, const std::function<void(const WrapVector&)>& visit) {
  for (const VectorRecord& record : records_of(folder / "keywrap/kwp_botan.txt", 129)) {
    for (const auto direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
      const bool wrapping = direction == WARPAES_DIRECTION_ENCRYPT;
      visit({.name = "kwp_botan.txt case " + record.fields.at("COUNT"),
             .padded = true,
             .inverse = false,
             .direction = direction,
             .key = record.bytes("KEY"),
             .input = record.bytes(wrapping ? "INPUT" : "OUTPUT"),
             .expected = record.bytes(wrapping ? "OUTPUT" : "INPUT"),
             .status = WARPAES_OK});
    }
  }
}

struct CtsExample {
  const char *plaintext, *ciphertext;
};

/// RFC 3962 appendix B: AES-128, an IV of zeros, CS3.
constexpr CtsExample kCtsExamples[] = {
    {"4920776f756c64206c696b652074686520", "c6353568f2bf8cb4d8a580362da7ff7f97"},
    {"4920776f756c64206c696b65207468652047656e6572616c20476175277320",
     "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"},
    {"4920776f756c64206c696b65207468652047656e6572616c2047617527732043",
     "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"},
};

void visit_cts_examples(const ComposedVisitor& visit) {
  const Bytes key = bytes_of_hex("636869636b656e207465726979616b69");
  for (const CtsExample& example : kCtsExamples) {
    const Bytes plaintext = bytes_of_hex(example.plaintext), ciphertext = bytes_of_hex(example.ciphertext);
    for (const auto direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
      const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
      ComposedCase test = cts_case(3, direction, key, Bytes(16, 0), encrypting ? plaintext : ciphertext);
      test.expected = encrypting ? ciphertext : plaintext;
      test.name = "RFC 3962 appendix B, " + std::to_string(plaintext.size()) + " bytes";
      visit(test);
    }
  }
}

ComposedCase case_of(const WrapVector& vector) {
  ComposedCase test = wrap_case(vector.padded, vector.direction, vector.key, vector.input);
  test.name = vector.name;
  test.expected = vector.expected;
  test.status = vector.status;
  if (vector.inverse) test.unusable = "policy: wrapping with AES' inverse (SP 800-38F section 5.1)";
  return test;
}

}  // namespace

void visit_wrap_vectors(const std::filesystem::path& folder,
                        const std::function<void(const WrapVector&)>& visit) {
  for (const char* function : {"KW_AE", "KW_AD", "KWP_AE", "KWP_AD"}) {
    for (const int key_bits : kKeyBits) {
      for (const bool inverse : {false, true}) {
        const std::string name =
            std::string(function) + "_" + std::to_string(key_bits) + (inverse ? "_inv" : "") + ".txt";
        const bool padded = name.starts_with("KWP");
        visit_wrap_file(folder / "keywrap/kwtestvectors" / name, padded, inverse, visit);
      }
    }
  }
  visit_rfc5649(folder, visit);
}

void visit_composed_vectors(const std::filesystem::path& folder, const ComposedVisitor& visit) {
  visit_cfb(folder, 1, visit);
  visit_cfb(folder, 8, visit);
  visit_wrap_vectors(folder, [&](const WrapVector& vector) { visit(case_of(vector)); });
  visit_cts_examples(visit);
}

}  // namespace warpaes::core::conformance
