// Sees what is wiped. A search of memory finds what was left behind, but not what later calls happened to
// overwrite: a wipe that is missing can go unseen for years. Here every call of OPENSSL_cleanse by the
// library is written down before it is done, by the linker's option --wrap, so that a test can name the
// secrets that must be among them.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace warpaes::core::testing {

using Bytes = std::vector<uint8_t>;

/// What must be wiped, and from how many places at least.
struct Secret {
  std::string name;
  Bytes bytes;
  size_t places = 1;
};

/// Does this work, by whatever threads, and writes down what was in memory that is wiped meanwhile, in place
/// of what was noted before. What a test computes itself is to stay outside.
void note_wipes(const std::function<void()>& work);

/// How many of the wipes that were noted covered these bytes, one behind the other.
size_t wipes_of(std::span<const uint8_t> bytes);

/// Notes the wipes of some work, and returns the secrets that must be among them.
struct WipeRow {
  const char* name;
  std::vector<Secret> (*secrets)();
  // GoogleTest looks for this name.
  // NOLINTNEXTLINE(readability-identifier-naming)
  friend void PrintTo(const WipeRow& row, std::ostream* to) { *to << row.name; }
};

/// Expects that each of the row's secrets was wiped.
void expect_wipes(const WipeRow& row);

}  // namespace warpaes::core::testing
