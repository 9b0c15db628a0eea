// The published vectors: which files there are, how many cases each has, and how they become cases.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "conformance_case.hpp"

namespace warpaes::core::conformance {

struct VectorFile {
  const char* path;  // under ciphers/AES/ of the vectors' folder
  Mode mode;
  size_t cases;  // as published: a file that has more or fewer is not the file
};

std::span<const VectorFile> vector_files();

/// Reads a file and makes its cases; throws std::runtime_error if it is not as published. One case is
/// one record; they lie at changing alignments, every other one in place.
std::vector<Case> vector_cases(const std::filesystem::path& folder, const VectorFile& file);

/// The examples of SP 800-38A, in both directions.
std::vector<Case> sp800_38a_cases();

}  // namespace warpaes::core::conformance
