#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "option_parser.hpp"
#include "spared_file.hpp"

namespace warpaes::cli {

/// From the least number of bytes to the most.
struct ByteCounts {
  size_t least, most;
};
constexpr size_t kMostDerivedBytes = 1 << 20;

/// A key derivation function: its options, and the call.
class KdfFunction {
 public:
  virtual ~KdfFunction() = default;
  virtual void add_to(CLI::App& command) = 0;
  /// What derive() is going to read.
  virtual SparedFiles files() const = 0;
  /// How many bytes it derives.
  virtual ByteCounts byte_counts() const { return {1, kMostDerivedBytes}; }
  /// @param insecure secrets may lie in files that others can read
  virtual void derive(std::span<uint8_t> out, bool insecure) const = 0;
};

struct KdfRow {
  const char* name;
  const char* description;
  std::unique_ptr<KdfFunction> (*make)();
};

std::span<const KdfRow> kdf_table();

}  // namespace warpaes::cli
