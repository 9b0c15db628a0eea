// Reads NIST's response files: sections in brackets, records that start with COUNT, and lines "NAME = VALUE".
// What stands in a section's brackets or before its first COUNT belongs to all of its records.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "conformance_case.hpp"

namespace warpaes::core::conformance {

struct VectorRecord {
  std::string section;                        // the last bracketed word without a value: "ENCRYPT"
  std::map<std::string, std::string> fields;  // names in capital letters
  bool fail = false;                          // a line FAIL

  /// Throws std::runtime_error if there is none.
  Bytes bytes(const std::string& name) const;
};

/// Throws std::runtime_error, naming file and line, for what is no response file.
std::vector<VectorRecord> read_vector_file(const std::filesystem::path& file);

}  // namespace warpaes::core::conformance
