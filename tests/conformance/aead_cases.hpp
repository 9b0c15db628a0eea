// Published vectors of the AEAD modes: NIST's response files, Wycheproof's JSON, and examples that standards
// print.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "vector_file.hpp"

namespace warpaes::core::conformance {

/// One message as it is published.
struct AeadVector {
  Bytes nonce, aad, plaintext, ciphertext, tag;
  bool right = true;  // or to be refused; its plaintext is then not looked at
};

/// What becomes of it: encryption and decryption of a right one, decryption of a wrong one. `test` has name,
/// mode, key and layout. What the library does not take by policy (mode_table.hpp) is marked unusable.
std::vector<Case> cases_of(const Case& test, const AeadVector& vector);

/// @param path of the file that the record is of; GCM's and CCM's files are of one direction
std::vector<Case> aead_cases(const Case& test, const VectorRecord& record, const std::string& path);

/// The examples of SP 800-38C appendix C and RFC 7253 appendix A that no file has.
std::vector<Case> printed_aead_cases();

struct WycheproofFile {
  const char* name;
  Mode mode;
  size_t vectors;  // as published
};
std::span<const WycheproofFile> wycheproof_files();

/// Throws std::runtime_error if the file is not as published.
std::vector<Case> wycheproof_cases(const std::filesystem::path& folder, const WycheproofFile& file);

}  // namespace warpaes::core::conformance
