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

/// What was in memory that is wiped while it lives, by whatever thread. One at a time.
class WipeLedger {
 public:
  WipeLedger();
  ~WipeLedger();
  WipeLedger(const WipeLedger&) = delete;
  WipeLedger& operator=(const WipeLedger&) = delete;

  /// How many wipes covered these bytes, one behind the other.
  size_t wipes_of(std::span<const uint8_t> bytes) const;

  /// Expects that each of these has been wiped.
  void expect(const std::vector<Secret>& secrets) const;
};

/// A piece of work with secrets of its own, which it returns when they ought to have been wiped.
struct WipeRow {
  const char* name;
  std::vector<Secret> (*work)();
  // GoogleTest looks for this name.
  // NOLINTNEXTLINE(readability-identifier-naming)
  friend void PrintTo(const WipeRow& row, std::ostream* to) { *to << row.name; }
};

/// Does the work, and expects that its secrets were wiped meanwhile.
void expect_wipes(const WipeRow& row);

}  // namespace warpaes::core::testing
