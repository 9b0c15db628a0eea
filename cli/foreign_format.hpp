#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace warpaes::cli {

/// Another program's encrypted file.
struct ForeignFormat {
  const char* name;  // "an age file"
  const char* hint;
};

/// What a file is by its first bytes, or null. Only to be asked about what no key opens: a container begins
/// with random bytes, which may look like anything.
const ForeignFormat* foreign_format(std::span<const uint8_t> beginning);
constexpr size_t kForeignBeginning = 48;

/// Throws for what is another program's file by its first bytes.
/// @param name of the file, as it was given
void require_own_format(std::span<const uint8_t> beginning, const std::string& name);

}  // namespace warpaes::cli
