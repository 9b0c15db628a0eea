#include "aead_cases.hpp"

#include <numeric>

#include "modes/mode_table.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::conformance {
namespace {

/// Why the library does not take it; empty if it does.
std::string unusable(const Case& test, const AeadVector& vector) {
  const ModeRow& row = mode_row(aead_mode(test.mode)->aead);
  const size_t nonce = vector.nonce.size(), tag = vector.tag.size();
  if (test.key_bits() == 192 && !row.has_192_bits()) return "policy: the standard has no keys of 192 bits";
  if (nonce < row.shortest_nonce || nonce > row.longest_nonce) return "policy: no nonces of such a length";
  if (tag > 16 || (row.tag_lengths >> tag & 1) == 0) return "policy: no tags of such a length";
  return "";
}

/// The last bytes of what files call ciphertext.
void split_off_tag(AeadVector& vector, size_t tag_bytes) {
  const auto tag = vector.ciphertext.end() - static_cast<ptrdiff_t>(tag_bytes);
  vector.tag.assign(tag, vector.ciphertext.end());
  vector.ciphertext.erase(tag, vector.ciphertext.end());
}

Bytes bytes_or_none(const VectorRecord& record, const char* name) {
  return record.fields.contains(name) ? record.bytes(name) : Bytes();
}

AeadVector gcm_vector(const VectorRecord& record) {
  return {record.bytes("IV"), record.bytes("AAD"), bytes_or_none(record, "PT"),
          record.bytes("CT"), record.bytes("TAG"), !record.fail};
}

/// No bytes are written as one byte of zero, and their number as 0.
AeadVector ccm_vector(const VectorRecord& record) {
  AeadVector vector{record.bytes("NONCE"),
                    record.bytes("ADATA"),
                    bytes_or_none(record, "PAYLOAD"),
                    record.bytes("CT"),
                    {},
                    true};
  if (record.fields.at("ALEN") == "0") vector.aad.clear();
  if (record.fields.at("PLEN") == "0") vector.plaintext.clear();
  split_off_tag(vector, std::stoul(record.fields.at("TLEN")));
  const auto result = record.fields.find("RESULT");
  vector.right = result == record.fields.end() || result->second.starts_with("Pass");
  return vector;
}

AeadVector gcm_siv_vector(const VectorRecord& record) {
  return {record.bytes("IV"),         bytes_or_none(record, "AAD"), record.bytes("PLAINTEXT"),
          record.bytes("CIPHERTEXT"), record.bytes("TAG"),          true};
}

AeadVector ocb3_vector(const VectorRecord& record) {
  AeadVector vector{record.bytes("NONCE"),
                    record.bytes("AAD"),
                    record.bytes("PLAINTEXT"),
                    record.bytes("CIPHERTEXT"),
                    {},
                    true};
  split_off_tag(vector, 16);
  return vector;
}

/// One piece of additional data, and a nonce behind it.
AeadVector siv_vector(const VectorRecord& record) {
  return {bytes_or_none(record, "AAD2"), record.bytes("AAD"), record.bytes("PLAINTEXT"),
          record.bytes("CIPHERTEXT"),    record.bytes("TAG"), true};
}

Bytes counting(size_t bytes, uint8_t first) {
  Bytes made(bytes);
  std::iota(made.begin(), made.end(), first);
  return made;
}

}  // namespace

std::vector<Case> cases_of(const Case& test, const AeadVector& vector) {
  Case encryption = test;
  encryption.nonces = vector.nonce;
  encryption.aad = vector.aad;
  encryption.aad_bytes = vector.aad.size();
  encryption.tags = vector.tag;
  encryption.tag_bytes = vector.tag.size();
  encryption.input = vector.plaintext;
  encryption.output = vector.ciphertext;
  encryption.bytes = vector.ciphertext.size();
  encryption.unusable = unusable(test, vector);
  Case decryption = encryption;
  decryption.name += ", decrypt";
  decryption.direction = WARPAES_DIRECTION_DECRYPT;
  decryption.input = vector.ciphertext;
  decryption.output = vector.right ? vector.plaintext : Bytes(vector.ciphertext.size());
  decryption.statuses = {vector.right ? WARPAES_OK : WARPAES_ERROR_AUTHENTICATION};
  if (!vector.right) return {decryption};
  return {encryption, decryption};
}

/// SIV with two pieces of additional data, and a nonce behind them.
std::vector<Case> cases_of_strings(const Case& test, const VectorRecord& record) {
  AeadVector vector = siv_vector(record);
  vector.nonce = record.bytes("AAD3");
  const Bytes second = record.bytes("AAD2");
  const std::vector<uint64_t> lengths = {vector.aad.size(), second.size()};
  vector.aad.insert(vector.aad.end(), second.begin(), second.end());
  std::vector<Case> cases = cases_of(test, vector);
  for (Case& each : cases) each.aad_strings = lengths;
  return cases;
}

std::vector<Case> aead_cases(const Case& test, const VectorRecord& record, const std::string& path) {
  if (test.mode == Mode::gcm) {  // 47,250 records: each as the file means it
    const bool encrypting = path.find("Encrypt") != std::string::npos;
    std::vector<Case> cases = cases_of(test, gcm_vector(record));
    return {encrypting ? cases.front() : cases.back()};
  }
  if (record.fields.contains("AAD3")) return cases_of_strings(test, record);
  return cases_of(test, test.mode == Mode::ccm       ? ccm_vector(record)
                        : test.mode == Mode::gcm_siv ? gcm_siv_vector(record)
                        : test.mode == Mode::siv     ? siv_vector(record)
                                                     : ocb3_vector(record));
}

std::vector<Case> printed_aead_cases() {
  struct Example {
    const char* name;
    Mode mode;
    Bytes key;
    AeadVector vector;
  };
  Bytes long_aad;
  for (int i = 0; i < 256; i++) {
    const Bytes all = counting(256, 0);
    long_aad.insert(long_aad.end(), all.begin(), all.end());
  }
  const Example examples[] = {
      {"SP 800-38C example 3",
       Mode::ccm,
       counting(16, 0x40),
       {counting(12, 0x10), counting(20, 0), counting(24, 0x20),
        bytes_of_hex("e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5"), bytes_of_hex("484392fbc1b09951")}},
      {"SP 800-38C example 4",
       Mode::ccm,
       counting(16, 0x40),
       {counting(13, 0x10), long_aad, counting(32, 0x20),
        bytes_of_hex("69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72"),
        bytes_of_hex("b4ac6bec93e8598e7f0dadbcea5b")}},
      {"RFC 7253 appendix A, 96-bit tag",
       Mode::ocb3,
       bytes_of_hex("0f0e0d0c0b0a09080706050403020100"),
       {bytes_of_hex("bbaa9988776655443322110d"), counting(40, 0), counting(40, 0),
        bytes_of_hex("1792a4e31e0755fb03e31b22116e6c2ddf9efd6e33d536f1a0124b0a55bae884ed93481529c76b6a"),
        bytes_of_hex("d0c515f4d1cdd4fdac4f02aa")}},
  };
  std::vector<Case> cases;
  for (const Example& example : examples) {
    Case test;
    test.name = example.name;
    test.mode = example.mode;
    test.key = example.key;
    for (Case& each : cases_of(test, example.vector)) cases.push_back(std::move(each));
  }
  return cases;
}

}  // namespace warpaes::core::conformance
